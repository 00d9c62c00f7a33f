import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { writeBridgeEnd } from '../../rig/guard/bridge-end.ts';
import { writeGuardReport } from '../../rig/guard/guard-report.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import { HostRoot } from '../host/host-root.ts';
import { collectFacts } from './collect-facts.ts';

const test = suite('facts of the doctor');

const REPORT_AT = '2026-11-26T12:00:00.000Z';

for (const [title, end, isTold] of [
  ['without a bridge that has ended since', undefined, true],
  ['after a bridge that ended safe before it', { outcome: 'safe', at: '2026-11-26T11:59:59.000Z' }, true],
  ['after a bridge that ended safe since', { outcome: 'safe', at: '2026-11-26T12:00:01.000Z' }, false],
  [
    'after a bridge that ended since and was not safe',
    { outcome: 'partial', at: '2026-11-26T12:00:01.000Z' },
    true,
  ],
] as const)
  test(`DIAG-046 the report of the guard counts ${isTold ? '' : 'no more '}${title}`, async () => {
    const stateDir = temporaryFolder('facts-');
    writeGuardReport(stateDir, {
      ...{ ok: false, outcome: 'partial', reason: 'bridge_gone', mock: false, steps: [], duration_ms: 1 },
      ...{ by: 'svc-guard', at: REPORT_AT, bench: false, killed: [], reaction_ms: null },
    });
    if (end) writeBridgeEnd(stateDir, { pid: 1, started_at: REPORT_AT, reason: 'SIGTERM', ...end });
    const { guardReport } = await collectFacts({
      host: new HostRoot(stateDir),
      env: { SVC_STATE_DIR: stateDir },
      clock: new SteppedClock(),
      profile: undefined,
    });
    assert.is(guardReport?.at, isTold ? REPORT_AT : undefined);
  });

test.run();
