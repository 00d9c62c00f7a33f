import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../src/test-kit/suite.ts';
import { BenchRig, WITHOUT_GUARD } from './bench/bench-rig.ts';
import { end, launch, launchReady } from './bench/program.ts';

const test = suite('a run that must not begin');

const MOVING = "GOAL:\n  SET NAME 'Move'\n  SET valve-nc open\n  GET AI01\n";

async function on<T>(rig: BenchRig, work: (rig: BenchRig) => Promise<T>): Promise<T> {
  try {
    return await work(rig);
  } finally {
    await rig.close();
  }
}

test('LANG-061 a dead bridge: exit 3 and one sentence with its address and what to do', async () => {
  const { code, stderr, stdout } = await launch('svcctl', [
    ...['run', 'scenarios/valve-smoke.oql', '--mode', 'execute', '--firmware-url', 'http://127.0.0.1:9'],
  ]).ended;
  assert.is(code, 3, stdout + stderr);
  const sentences = stderr.split('\n').filter((line) => line.includes('does not answer'));
  assert.is(sentences.length, 1, stderr);
  assert.match(sentences[0]!, 'http://127.0.0.1:9');
  assert.match(sentences[0]!, '--firmware-url');
});

test('a port that another bridge holds: the second one names the holder, and a run on it moves nothing', async () =>
  on(await BenchRig.open(), async (rig) => {
    const second = await rig.secondBridge();
    const health = await (await fetch(`${second.url}/api/v1/hardware/health`)).json();
    const { 'modbus-io': valves } = (health as { components: Record<string, Record<string, string>> })
      .components;
    assert.is(valves?.status, 'held', JSON.stringify(valves));
    const key = `serial-${join(realpathSync(rig.folder), 'bench', 'modbus-io')}`;
    assert.match(valves?.message ?? '', `${key} is held by svc-bridge (pid ${rig.bridge.pid}`);
    const args = ['cmd', 'SET valve-nc open', WITHOUT_GUARD, '--firmware-url', second.url];
    const refused = await launch('svcctl', args).ended;
    assert.is(refused.code, 3, refused.stdout);
    assert.match(refused.stdout + refused.stderr, `held by svc-bridge (pid ${rig.bridge.pid}`);
    assert.not.ok(rig.moves().includes('coil 0 on'));
  }));

test('SVC-050 a broken device that the scenario does not use: the refusal says how to leave it out, and then the run passes', async () =>
  on(await BenchRig.open({ knobs: { tic: { unplug: true } } }), async (rig) => {
    const refused = await rig.execute(MOVING).ended;
    assert.is(refused.code, 3, refused.stdout);
    assert.match(
      refused.stdout + refused.stderr,
      'If this rig can do without lung-motor, disconnect it, set enabled: false for it in svc.yaml',
    );
    assert.not.ok(rig.moves().includes('coil 0 on'));
    await end(rig.bridge);
    const text = readFileSync(rig.config, 'utf8');
    writeFileSync(rig.config, text.replace('lung-motor: {', 'lung-motor: { enabled: false,'));
    rig.bridge = await rig.secondBridge();
    const { code, stdout, stderr } = await rig.execute(MOVING).ended;
    assert.is(code, 0, stdout + stderr);
    assert.ok(rig.moves().includes('coil 0 on'));
  }));

test('LANG-064 a mock bridge is refused without --simulated, and with it the run is marked', async () => {
  const bridge = await launchReady('svc-bridge', ['--port', '0'], { SVC_CONFIG_PATH: '/dev/null' });
  try {
    const run = (...more: string[]) =>
      launch('svcctl', ['cmd', 'GET AI01', '--firmware-url', bridge.url, ...more], {
        SVC_CONFIG_PATH: '/dev/null',
      }).ended;
    const refused = await run();
    assert.is(refused.code, 3, refused.stdout);
    assert.match(refused.stdout + refused.stderr, 'SCN409');
    assert.match(refused.stdout + refused.stderr, '--simulated');
    const marked = await run('--simulated');
    assert.is(marked.code, 0, marked.stderr);
    assert.match(marked.stdout, / \(simulated, not a test\)\n$/);
    const json = JSON.parse((await run('--simulated', '--json')).stdout) as { simulated: boolean };
    assert.is(json.simulated, true);
  } finally {
    await end(bridge);
  }
});

test('LANG-064 a run on the bench is used as it is and marked', async () =>
  on(await BenchRig.open(), async (rig) => {
    const { code, stdout } = await rig.svcctl(['cmd', 'GET AI01']).ended;
    assert.is(code, 0, stdout);
    assert.match(stdout, / \(bench, not a test\)\n$/);
  }));

test('LANG-064 require_real refuses the bench, and nothing moves', async () =>
  on(await BenchRig.open({ config: 'require_real: true\n' }), async (rig) => {
    const moved = rig.moves().length;
    const { code, stdout, stderr } = await rig.execute(MOVING).ended;
    assert.is(code, 3, stdout);
    assert.match(stdout + stderr, 'SCN409');
    assert.match(stdout + stderr, 'require_real');
    assert.is(rig.moves().length, moved);
  }));

test('LANG-057 while one run holds the lease another one is refused and leaves it alone', async () =>
  on(await BenchRig.open(), async (rig) => {
    const first = rig.svcctl(['cmd', 'SET pump 20 %', '--continuous']);
    await rig.untilOutputs((outputs) => outputs.includes('pump 51'));
    const { code, stdout, stderr } = await rig.execute(MOVING).ended;
    assert.is(code, 3, stdout);
    assert.match(stdout + stderr, 'SCN408');
    assert.equal(await rig.outputsOn(), ['pump 51'], 'the first run goes on');
    first.child.kill('SIGINT');
    await first.ended;
    assert.equal(await rig.outputsOn(), []);
  }));

test.run();
