import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import type { Case } from './cases.ts';
import { stressSafety } from './matrix.ts';

const test = suite('a sample of the kill matrix');

/** Early in each scenario, with three valves open or the lung breathing; and late in the first one, with the pump on. */
const EARLY = 8;
const PUMP_ON = 36;
const isLate = ({ victim, end }: Case) =>
  (victim === 'svc-bridge' || victim === 'svc-pump') && end === 'SIGKILL';

test(
  'LANG-057 LANG-058 SVC-036 SVC-040 SVC-041 whichever process ends or is killed: the twins are safe in time, all comes back, the next run passes',
  async () => {
    const results = await stressSafety({
      share: 0,
      most: 14,
      seed: 3,
      rigs: 3,
      only: (one) =>
        one.scenario === 'valve-smoke' && isLate(one)
          ? one.boundary === PUMP_ON
          : one.boundary === EARLY && one.end !== 'fail',
    });
    assert.is(results.length, 14);
    const broken = results.flatMap((result) => result.broken.map((text) => `${told(result.case)}: ${text}`));
    assert.equal(broken, []);
    // A blow that falls while everything is off proves little.
    const on = results.filter(({ wasOn }) => wasOn);
    assert.ok(on.length >= 8, `outputs were on in ${on.length} of ${results.length} cases`);
  },
  { timeoutMs: 300_000 },
);

const told = ({ scenario, victim, end, boundary }: Case) => `${scenario} ${boundary}, ${victim} ${end}`;

test.run();
