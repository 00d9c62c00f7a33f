import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { killAll, launchReady } from '../../test-kit/services/program.ts';
import { type BenchRig, openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svc-bridge program on the bench');
let rig: BenchRig;
let env: Record<string, string>;

test.before(async () => {
  rig = await openBenchRig();
  const path = join(rig.folder, 'svc.yaml');
  writeFileSync(path, rig.yaml);
  env = { SVC_CONFIG_PATH: path, SVC_HARDWARE_MODE: 'real' };
});

test.after(async () => {
  killAll();
  await rig.close();
});

const post = (url: string, path: string) => fetch(`${url}/api/v1/hardware/${path}`, { method: 'POST' });

async function actuate(url: string): Promise<void> {
  assert.is((await post(url, 'valve/valve-3?value=true')).status, 200);
  assert.is((await post(url, 'pump?power_pct=40')).status, 200);
  assert.equal([rig.bench.outputs.coils[2], rig.bench.outputs.pump.duty], [true, 102]);
  rig.moves();
}

/** The pump has a head start of milliseconds: on a busy machine its line may come after that of the valves all the same. */
function assertMadeSafe(moves: readonly string[]): void {
  assert.equal([...moves].sort(), ['coil 2 off', 'duty 0 off', 'duty 0 on']);
  assert.ok(moves.indexOf('duty 0 on') < moves.indexOf('duty 0 off'));
}

test('SVC-040 SIGTERM and SIGINT with the pump running and a valve open leave the twins off, exit 0', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const program = await launchReady(env);
    assert.equal([program.ready.mode, program.ready.bench], ['real', true]);
    await actuate(program.ready.url);
    program.child.kill(signal);
    const { code, stderr } = await program.ended;
    assert.is(code, 0, stderr);
    assert.match(stderr, `safe state: safe (${signal})`);
    assertMadeSafe(rig.moves());
  }
});

test('SVC-040 an uncaught error with the pump running leaves the twins off, exit 1', async () => {
  const fault = encodeURIComponent('process.on("SIGUSR2",()=>{throw new Error("boom")})');
  const program = await launchReady({ ...env, NODE_OPTIONS: `--import data:text/javascript,${fault}` });
  await actuate(program.ready.url);
  program.child.kill('SIGUSR2');
  const { code, stderr } = await program.ended;
  assert.is(code, 1);
  assert.match(stderr, 'safe state: safe (uncaught_exception)');
  assertMadeSafe(rig.moves());
});

test('SVC-040 SVC-026 after SIGKILL the locks are free and the next start makes the rig safe first', async () => {
  const killed = await launchReady(env);
  await actuate(killed.ready.url);
  killed.child.kill('SIGKILL');
  await killed.ended;
  assert.equal(
    [rig.bench.outputs.coils[2], rig.bench.outputs.pump.duty],
    [true, 102],
    'nobody is left to stop it',
  );
  const next = await launchReady(env);
  assert.equal([rig.bench.outputs.coils[2], rig.bench.outputs.pump.enabled], [false, false]);
  next.child.kill('SIGTERM');
  assert.match((await next.ended).stderr, 'safe state: safe (start)');
});

test('SVC-040 a module that cannot be reached at the end makes the exit code 1 and names the step', async () => {
  const program = await launchReady(env);
  await actuate(program.ready.url);
  await rig.bench.setKnobs('modbus-io', { silent: true });
  program.child.kill('SIGTERM');
  const { code, stderr } = await program.ended;
  assert.is(code, 1);
  assert.match(stderr, /safe state: partial \(SIGTERM\).*pump_zero done.*valves_off (timeout|failed)/);
  await rig.bench.reset();
});

test.run();
