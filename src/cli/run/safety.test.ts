import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { BridgeTwin } from '../../test-kit/scenario/bridge-twin.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl and the safety check');
const svcctl = new SvcctlProcess();
let bridge: BridgeTwin;
test.before(async () => {
  await svcctl.build();
  bridge = await BridgeTwin.start();
  svcctl.write('rig.yaml', RULES);
});
test.after(async () => {
  svcctl.dispose();
  await bridge.close();
});

const RULES = `limits:
  pump: {max_power_pct: 50}
interlocks:
  - id: pump-outlet
    reason: the pump must not run against closed valves
    while: {pump-main: on}
    require_any: {valve-1: open, valve-2: open}
peripherals: {lamp: {type: light}}
`;
const env = { SVC_CONFIG_PATH: 'rig.yaml' };
const UNSAFE =
  "GOAL:\n  SET NAME 'g'\n  SET valve-1 open\n  SET pump 20 %\n  SET valve-1 close\n  CHECK AI01 <= 1 V\n";
const SAFE =
  "GOAL:\n  SET NAME 'g'\n  SET valve-1 open\n  SET pump 20 %\n  SET pump 0 %\n  CHECK AI01 <= 1 V\n";
const onBridge = (...args: string[]) => [...args, '--firmware-url', bridge.url];

/** Whether anything at all was asked of the bridge: not even its health, and no lease. */
async function untouched(work: () => Promise<void>): Promise<void> {
  const before = bridge.requests.length;
  await work();
  assert.equal(bridge.requests.slice(before), []);
}

test('an unsafe scenario is refused before preflight and lease: exit 2, nothing is asked of the bridge', () =>
  untouched(async () => {
    const args = onBridge(svcctl.write('unsafe.oql', UNSAFE), '--mode', 'execute');
    const { code, stderr, stdout } = await svcctl.run(args, { env });
    assert.is(code, 2, stdout + stderr);
    assert.match(stderr, 'error[SCN276] interlock-broken: the interlock "pump-outlet"');
    assert.match(stderr, ' --> unsafe.oql:5:3');
    assert.match(stderr, 'unsafe.oql was not run: 1 error');
    const json = await svcctl.run([...args, '--json'], { env });
    const document = onlyJson(json);
    assert.equal([json.code, document.ok, document.outcome, document.code], [2, false, 'error', 'SCN276']);
  }));

test('a safe scenario runs', async () => {
  const args = onBridge(svcctl.write('safe.oql', SAFE), '--mode', 'execute');
  const { code, stderr, stdout } = await svcctl.run(args, { env });
  assert.is(code, 0, stdout + stderr);
  assert.match(stdout, '1/1 passed');
});

test('a dry-run reports the findings as warnings and goes on; a strict one is refused', async () => {
  const name = svcctl.write('unsafe.oql', UNSAFE);
  const loose = await svcctl.run([name], { env });
  assert.is(loose.code, 0, loose.stderr);
  assert.match(loose.stderr, 'warning[SCN276] interlock-broken');
  assert.match(loose.stdout, '1/1 passed (simulated, not a test)');
  const strict = await svcctl.run([name, '--strict'], { env });
  assert.is(strict.code, 2, strict.stdout);
  assert.match(strict.stderr, 'error[SCN276]');
});

test('--mode validate, validate and validate-dir say not valid', async () => {
  svcctl.write('folder/unsafe.oql', UNSAFE);
  const mode = await svcctl.run(['folder/unsafe.oql', '--mode', 'validate'], { env });
  assert.is(mode.code, 1, mode.stderr);
  assert.match(mode.stderr, 'error[SCN276]');
  const text = await svcctl.run(['validate', 'folder/unsafe.oql'], { env });
  assert.is(text.code, 1);
  assert.match(text.stdout, 'error[SCN276]');
  assert.match(text.stdout, 'folder/unsafe.oql: not valid, 1 error; runs 45 s at most\n');
  const folder = await svcctl.run(['validate-dir', 'folder'], { env });
  assert.equal(
    [folder.code, folder.stdout],
    [1, '  [FAIL] unsafe.oql: 1 issue(s)\n\n[FAIL] 1 files, 1 total issues\n'],
  );
});

test('the JSON reports of validate count the findings', async () => {
  svcctl.write('unsafe.oql', UNSAFE);
  const plain = await svcctl.run(['validate', 'unsafe.oql', '--json'], { env });
  const report = onlyJson(plain);
  assert.equal([plain.code, report.valid], [1, false]);
  const issues = report.issues as { rule: string; severity: string; line: number }[];
  const found = issues.find(({ rule }) => rule === 'interlock-broken');
  assert.equal([found?.severity, found?.line], ['error', 5]);
  const v4 = onlyJson(await svcctl.run(['validate', 'unsafe.oql', '--as', '4', '--json'], { env }));
  assert.ok(JSON.stringify(v4.issues).includes('"runtime_error","severity":"error","message":"SCN276'));
});

test('limits of svc.yaml; a variable of the command line counts as its value', () =>
  untouched(async () => {
    const name = svcctl.write('p.oql', "GOAL:\n  SET NAME 'g'\n  SET valve-1 1\n  SET pump '$p %'\n");
    const args = (value: string) => onBridge(name, '--mode', 'execute', '--var', `p=${value}`);
    const over = await svcctl.run(args('60'), { env });
    assert.is(over.code, 2, over.stderr);
    assert.match(over.stderr, 'error[SCN274] setpoint-over-limit: the power of pump may be 60 %');
    const dry = await svcctl.run([name, '--var', 'p=50'], { env });
    assert.not.match(dry.stderr, 'SCN274');
  }));

test('without svc.yaml the limits of the devices hold: a run of more than 12 h is refused', () =>
  untouched(async () => {
    const long = "GOAL:\n  SET NAME 'g'\n  REPEAT 100:\n    WAIT 10 min\n  REPEAT STOP\n";
    const { code, stderr } = await svcctl.run(onBridge(svcctl.write('long.oql', long), '--mode', 'execute'));
    assert.is(code, 2, stderr);
    assert.match(stderr, 'error[SCN273] run-too-long: the run may take 16.7 h');
  }));

test('cmd: one line that breaks a rule is refused, and points into the line', () =>
  untouched(async () => {
    const { code, stderr } = await svcctl.run(onBridge('cmd', 'SET pump 20 %'), { env });
    assert.is(code, 2, stderr);
    assert.match(stderr, 'error[SCN276]');
    assert.match(stderr, ' --> <cmd>:1:1\n  |\n1 | SET pump 20 %');
  }));

test('cmd: one line can set two things in a safe order', async () => {
  const line = 'TASK: [open] [valve-1] AND [close] [valve-1]';
  const { code, stderr } = await svcctl.run(onBridge('cmd', line), { env });
  assert.is(code, 0, stderr);
});

test('cmd: a peripheral that is switched on stays on, with a warning', async () => {
  const { code, stderr } = await svcctl.run(onBridge('cmd', 'SET lamp on'), { env });
  assert.is(code, 0, stderr);
  assert.match(stderr, 'warning[SCN271] left-active: lamp may stay active');
  const scenario = svcctl.write('lamp.oql', "GOAL:\n  SET NAME 'g'\n  SET lamp on\n");
  const refused = await svcctl.run(onBridge(scenario, '--mode', 'execute'), { env });
  assert.is(refused.code, 2, 'in a scenario it is an error');
});

test('cmd: a hold counts, unless it is meant to last until Ctrl-C', async () => {
  const line = onBridge('cmd', 'SET valve-1 1');
  await untouched(async () => {
    const { code, stderr } = await svcctl.run([...line, '--for', '13h'], { env });
    assert.is(code, 2, stderr);
    assert.match(stderr, 'SCN273');
  });
  const before = bridge.requests.length;
  const started = svcctl.start([...line, '--continuous'], { env });
  while (!bridge.requests.slice(before).some(({ path }) => path.endsWith('valve-1?value=true')))
    await systemClock.sleep(10);
  started.child.kill('SIGINT');
  const { code, stderr } = await started.finished;
  assert.is(code, 130, stderr);
  assert.not.match(stderr, 'SCN273');
});

test('--plan --json reports the longest time, and what keeps the plan from being run', async () => {
  svcctl.write('safe.oql', SAFE);
  const plan = onlyJson(await svcctl.run(['safe.oql', '--plan', '--json'], { env }));
  assert.equal([plan.ok, plan.worstCaseS], [true, 45]);
  svcctl.write('unsafe.oql', UNSAFE);
  const refused = await svcctl.run(['unsafe.oql', '--plan', '--mode', 'execute'], { env });
  assert.is(refused.code, 2);
  assert.match(refused.stderr, 'SCN276');
});

test.run();
