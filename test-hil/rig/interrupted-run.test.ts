import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/scenario/events/event.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { BenchRig, WITHOUT_GUARD } from './bench/bench-rig.ts';
import { root } from './bench/program.ts';
import { together } from './bench/together.ts';

const test = suite('a run that is interrupted');

/** Pump and valve on for a minute; the teardown opens a second valve, so that the twins report whether it ran. */
const HOLDING = `GOAL:
  SET NAME 'Hold'
  SET valve-nc open
  SET pump 20 %
  WAIT 60s

CONFIG teardown:
  SET valve-sc open
  WAIT 200ms
  SET valve-sc close
`;

/** LANG section 11: a lease of 5 s; services section 10.4: noticed within 250 ms; section 11: safe within 5 s. */
const LEASE_AND_SAFE_STATE_MS = 5000 + 250 + 5000;

async function holding<T>(work: (rig: BenchRig, run: ReturnType<BenchRig['execute']>) => Promise<T>) {
  const rig = await BenchRig.open();
  try {
    const run = rig.execute(HOLDING, ['--events', join(rig.folder, 'events.ndjson')]);
    const pumping = rig.untilOutputs((on) => on.includes('coil 0') && on.includes('pump 51'));
    await Promise.race([
      pumping,
      run.ended.then(({ stdout, stderr }) => assert.unreachable(stdout + stderr)),
    ]);
    return await work(rig, run);
  } finally {
    await rig.close();
  }
}

/** From the signal to the last move of an output, on the twins' own clock. */
function msUntilLastMove(rig: BenchRig, signalAt: number): number {
  const last = rig
    .trace()
    .filter(({ kind }) => kind === 'coil' || kind === 'drive')
    .at(-1);
  return Date.parse(last?.at ?? '') - signalAt;
}

const events = (rig: BenchRig): RunEvent[] =>
  readFileSync(join(rig.folder, 'events.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);

together(
  test,
  {
    'LANG-057 kill -9 of svcctl: coils off and pump 0 on the twins within lease and safe state': () =>
      holding(async (rig, run) => {
        const killedAt = Date.now();
        run.child.kill('SIGKILL');
        assert.is((await run.ended).signal, 'SIGKILL');
        assert.equal(
          await rig.outputsOn(),
          ['coil 0', 'pump 51'],
          'the dead run switched nothing off itself',
        );
        await rig.untilOutputs((on) => on.length === 0);
        const tookMs = msUntilLastMove(rig, killedAt);
        assert.ok(tookMs <= LEASE_AND_SAFE_STATE_MS, `the twins were safe after ${tookMs} ms`);
        assert.not.ok(rig.moves().includes('coil 1 on'), 'a dead run has no teardown');
        await rig.bridge.until('safe state: safe (lease_expired)');
        assert.not.ok(((await rig.get('/api/v1/lease')) as { held: boolean }).held);
      }),

    'LANG-057 LANG-079 a svcctl that is frozen loses its lease; thawed, it ends as an error and moves nothing':
      () =>
        holding(async (rig, run) => {
          run.child.kill('SIGSTOP');
          await rig.untilOutputs((on) => on.length === 0);
          const before = rig.moves().filter((move) => move.endsWith(' on')).length;
          run.child.kill('SIGCONT');
          const { code, stdout, stderr } = await run.ended;
          assert.is(code, 3, stdout + stderr);
          assert.match(stdout + stderr, /lease/);
          const after = rig.moves().filter((move) => move.endsWith(' on'));
          assert.equal(after.slice(before), [], 'no teardown without the lease');
          assert.equal(await rig.outputsOn(), []);
        }),

    'SVC-040 SIGTERM to the bridge makes the rig safe, and the run ends without a verdict': () =>
      holding(async (rig, run) => {
        rig.bridge.child.kill('SIGTERM');
        assert.is((await rig.bridge.ended).code, 0);
        assert.equal(await rig.outputsOn(), []);
        const { code, stdout } = await run.ended;
        assert.is(code, 3, stdout);
        assert.match(stdout, /, [12] error/);
      }),
  },
  { timeoutMs: 60_000, atOnce: 3 },
);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`LANG-058 ${signal}: teardown, safe state, 130`, () =>
    holding(async (rig, run) => {
      run.child.kill(signal);
      const { code, stdout } = await run.ended;
      assert.is(code, 130);
      assert.match(stdout, '[aborted] Hold');
      assert.match(stdout, '[passed] [CONFIG] teardown');
      const moves = rig.moves().slice(-5);
      assert.equal(moves.slice(0, 2), ['coil 1 on', 'coil 1 off']);
      // The steps of two devices overlap: which one is seen first depends on the load of the machine.
      assert.equal(moves.slice(2).sort(), ['coil 0 off', 'pump 0', 'pump off']);
      assert.ok(moves.indexOf('pump 0') < moves.indexOf('pump off'), String(moves));
      assert.equal(await rig.outputsOn(), []);
      const safeState = events(rig).find(({ type }) => type === 'safe-state');
      assert.ok(safeState?.type === 'safe-state' && safeState.ok, JSON.stringify(safeState));
      assert.is(events(rig).at(-1)?.type, 'run.end');
      assert.not.ok(((await rig.get('/api/v1/lease')) as { held: boolean }).held);
    }));
}

test('LANG-058 a second SIGINT skips the teardown, never the safe state', () =>
  holding(async (rig, run) => {
    run.child.kill('SIGINT');
    await run.until('a second signal skips the teardown');
    run.child.kill('SIGINT');
    const { code, stdout, stderr } = await run.ended;
    assert.is(code, 130, stderr);
    assert.not.match(stdout, '[passed] [CONFIG] teardown');
    assert.equal(await rig.outputsOn(), []);
    const safeState = events(rig).find(({ type }) => type === 'safe-state');
    assert.ok(safeState?.type === 'safe-state' && safeState.ok);
  }));

const terminal = '/usr/bin/script';
test.needs(existsSync(terminal), `${terminal} (util-linux) is not installed`)(
  'LANG-058 a terminal that is closed counts as an abort: teardown and safe state, not the end of the lease',
  async () => {
    const rig = await BenchRig.open();
    try {
      const file = join(rig.folder, 'hold.oql');
      writeFileSync(file, HOLDING);
      const bundle = join(root, 'dist', 'svcctl.cjs');
      const command = `exec '${process.execPath}' '${bundle}' run '${file}' --mode execute ${WITHOUT_GUARD} --firmware-url '${rig.bridge.url}'`;
      const window = spawn(terminal, ['-qefc', command, '/dev/null'], {
        env: { ...process.env, SHELL: '/bin/sh', SVC_CONFIG_PATH: rig.config },
      });
      window.stdout.resume();
      await rig.untilOutputs((on) => on.includes('coil 0') && on.includes('pump 51'));
      window.kill('SIGKILL');
      await rig.untilOutputs((on) => on.length === 0);
      await rig.bridge.until('safe state: safe');
      assert.ok(rig.moves().includes('coil 1 on'), 'the teardown ran');
      assert.not.match(rig.bridge.text(), 'lease_expired');
    } finally {
      await rig.close();
    }
  },
);

test('LANG-034 a run that exceeds its time ends as error SCN407, with teardown and safe state', async () => {
  const rig = await BenchRig.open();
  try {
    const { code, stdout } = await rig.execute(HOLDING, ['--timeout-run', '1s']).ended;
    assert.is(code, 3, stdout);
    assert.match(stdout, 'SCN407');
    assert.ok(rig.moves().includes('coil 0 on'), 'it had begun');
    assert.ok(rig.moves().includes('coil 1 on'), 'the teardown ran');
    assert.equal(await rig.outputsOn(), []);
  } finally {
    await rig.close();
  }
});

test.run();
