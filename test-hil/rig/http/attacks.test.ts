import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { benchConfig } from '../../../src/cli/start/bench-config.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { type GuardedRig, onGuardedRig, type Service } from '../guard/guarded-rig.ts';
import { ATTACKS } from './attacks.ts';
import { startAttack } from './start-attack.ts';

const test = suite('a run while clients attack the bridge');
const SECONDS = 2;

/** Moves, reads and judges until the attacks are over; a lost reading or command fails it. */
const SCENARIO = `GOAL:
  SET NAME 'Measures under load'
  SET valve-nc open
  REPEAT ${ATTACKS.length * SECONDS * 2}:
    ASSERT_VALVE valve-nc on
    SET pump 20 %
    GET AI01
    WAIT 200ms
    SET pump 0 %
    WAIT 200ms
  REPEAT STOP
  SET valve-nc close
`;

/** @returns the names of the attacks that were begun */
function attack(url: string): Promise<string[]> {
  const child = startAttack(url, { seconds: SECONDS });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(text.trim().split('\n')));
  });
}

async function underAttack(rig: GuardedRig, bridge: Service): Promise<void> {
  const file = join(rig.folder, 'load.oql');
  writeFileSync(file, SCENARIO);
  const run = rig.svcctl(['run', file, '--mode', 'execute', '--firmware-url', bridge.url]);
  await rig.untilOutputs((on) => on.includes('coil 0'));
  const begun = await attack(bridge.url);
  assert.equal(
    begun,
    ATTACKS.map(({ name }) => name),
  );
  const { code, stdout, stderr } = await run.ended;
  assert.is(code, 0, `${stdout}\n${stderr}\n${bridge.text()}`);
}

test(
  'SVC-058 no readers, refused requests or idle connections end a run, and the guard misses no heartbeat',
  () =>
    onGuardedRig(async (rig) => {
      const bridge = await rig.bridge();
      const guard = await rig.guardOf(bridge);
      await underAttack(rig, bridge);
      assert.not.match(guard.text(), /lost/);
      assert.is(bridge.child.exitCode, null);
      const { guard: watch, pid } = (await (await fetch(`${bridge.url}/health`)).json()) as {
        guard: { watching: boolean };
        pid: number;
      };
      assert.equal([watch.watching, pid], [true, bridge.pid]);
    }, benchConfig),
  { timeoutMs: 300_000 },
);

test.run();
