import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { getJson } from '../bench/bench-rig.ts';
import { onGuardedRig } from './guarded-rig.ts';
import { guardOfWhole, whole } from './whole-rig.ts';

const test = suite('a silent device behind a healthy service');

/** More than three questions of the guard, which asks each second. */
const ROUNDS = 6;

interface Health {
  ok: boolean;
  status: string;
  code: string;
}

test(
  'SVC-059 a silent pump is named as silent by its service, which the guard does not take for lost',
  () =>
    onGuardedRig(async (rig) => {
      const services = await whole(rig);
      const guard = await guardOfWhole(rig, services);
      await rig.knobs('pump', { silent: true });
      const known = () => getJson(`${services.pump.url}/health`) as Promise<Health>;
      let health = await known();
      while (health.code !== 'device_timeout') {
        await systemClock.sleep(50);
        health = await known();
      }
      assert.equal([health.ok, health.status], [false, 'timeout']);
      for (let round = 0; round < ROUNDS; round++) {
        await known();
        await systemClock.sleep(1000);
      }
      assert.not.match(guard.text(), /is lost|is not responding/);
      assert.is(services.pump.child.exitCode, null);
    }),
  { timeoutMs: 120_000 },
);

test.run();
