import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { type BenchRig, openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';

const execute = suite('svcctl, execute');
const svcctl = new SvcctlProcess();
let rig: BenchRig;
let bench: TestBridge;
let mock: TestBridge;
execute.before(async () => {
  await svcctl.build();
  rig = await openBenchRig();
  bench = await rig.start();
  mock = await startTestBridge();
  const gone = await startTestBridge();
  dead = gone.url;
  await gone.shutDown('test_end');
});
execute.after(async () => {
  svcctl.dispose();
  await mock.shutDown('test_end');
  await rig.close();
});

/** An address where something listened a moment ago. */
let dead = '';
const WINDOW = `GOAL:
  SET NAME 'window'
  SET valve-nc 1
  WAIT 100ms
  IF AI01 0.60 .. 0.67 V
    ERROR 'bad'
CONFIG close:
  SET valve-nc 0
`;
const HOLDING = `GOAL:
  SET NAME 'holding'
  SET valve-sc 1
  WAIT 60s
CONFIG close:
  LOG 'teardown ran'
  SET valve-wc 1
`;
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
/** No guard watches this bench. */
const atBench = (...args: string[]) => [...args, '--without-guard', '--firmware-url', bench.url];
const onBench = (...args: string[]) => atBench(...args, '--mode', 'execute');

execute('LANG-061 a dead bridge is exit 3 with one sentence that names it and what to start', async () => {
  svcctl.write('w.oql', WINDOW);
  for (const args of [
    ['w.oql', '--mode', 'execute'],
    ['cmd', 'SET valve-1 1'],
  ]) {
    const { code, stderr } = await svcctl.run([...args, '--firmware-url', dead]);
    assert.is(code, 3, stderr);
    const said = stderr.split('\n').filter((line) => line.startsWith('svcctl:'));
    assert.is(said.length, 1, stderr);
    assert.ok(said[0]?.includes(`${dead} does not answer (connection refused`), said[0]);
    assert.ok(said[0]?.includes('start svc-bridge'), said[0]);
  }
  const json = await svcctl.run(['w.oql', '--mode', 'execute', '--json'], { env: { FIRMWARE_URL: dead } });
  assert.equal([json.code, onlyJson(json).code], [3, 'bridge_unreachable']);
  assert.is(onlyJson(json).ok, false);
});

execute('LANG-064 a bench run passes, is marked, and leaves the rig safe', async () => {
  rig.moves();
  const { code, stdout, stderr } = await svcctl.run(
    onBench(svcctl.write('w.oql', WINDOW), '--events', 'b.ndjson', '--report', 'b.html', '--junit', 'b.xml'),
  );
  assert.is(code, 0, stdout + stderr);
  assert.is(lastLine(stdout), '2/2 passed (bench, not a test)');
  assert.ok(rig.moves().length >= 2, 'the valve was moved and moved back');
  assert.not.ok(rig.bench.outputs.coils.some(Boolean), 'all valves are closed');
  const events = readFileSync(svcctl.path('b.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(
    events.every(({ bench: mark, type }) => mark === true || type === 'run.start' || type === 'http'),
    'marked',
  );
  assert.match(readFileSync(svcctl.path('b.html'), 'utf8'), 'bench, not a test');
  assert.match(readFileSync(svcctl.path('b.xml'), 'utf8'), 'failures="0" errors="0" skipped="0"');
});

execute('LANG-064 a mock bridge is refused, naming the option, and accepted with it', async () => {
  svcctl.write('w.oql', WINDOW);
  const on = ['w.oql', '--mode', 'execute', '--firmware-url', mock.url];
  const refused = await svcctl.run(on);
  assert.is(refused.code, 3);
  assert.match(refused.stderr, /SCN409.*--simulated/s);
  const accepted = await svcctl.run([...on, '--simulated']);
  assert.is(accepted.code, 0, accepted.stderr);
  assert.is(lastLine(accepted.stdout), '2/2 passed (simulated, not a test)');
});

execute('LANG-064 require_real in svc.yaml refuses bench and simulation', async () => {
  svcctl.write('strict.yaml', 'require_real: true\n');
  svcctl.write('w.oql', WINDOW);
  const env = { SVC_CONFIG_PATH: 'strict.yaml' };
  rig.moves();
  for (const args of [
    onBench('w.oql'),
    ['w.oql', '--mode', 'execute', '--firmware-url', mock.url, '--simulated'],
  ]) {
    const { code, stderr } = await svcctl.run(args, { env });
    assert.is(code, 3, stderr);
    assert.match(stderr, 'require_real');
  }
  assert.equal(rig.moves(), []);
});

execute('LANG-045 LANG-061 an unknown valve in execute is exit 2 and nothing is sent', async () => {
  rig.moves();
  const typo = svcctl.write('typo.oql', "GOAL:\n  SET NAME 'Typo'\n  SET valve-l 1\n");
  const { code, stderr } = await svcctl.run(onBench(typo));
  assert.is(code, 2);
  assert.match(stderr, 'error[SCN221]');
  assert.equal(rig.moves(), []);
});

execute('LANG-058 SIGINT: teardown, safe state, exit 130', async () => {
  const started = svcctl.start(onBench(svcctl.write('h.oql', HOLDING), '--json', '--events', 'h.ndjson'));
  await openValve('valve-2');
  started.child.kill('SIGINT');
  const ended = await started.finished;
  assert.is(ended.code, 130, ended.stderr);
  assert.match(ended.stderr, 'SIGINT: stopping; teardown and safe state follow');
  const events = readFileSync(svcctl.path('h.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(
    events.some(({ message }) => message === 'teardown ran'),
    'the teardown ran',
  );
  assert.is(events.find(({ type }) => type === 'safe-state')?.ok, true);
  assert.not.ok(rig.bench.outputs.coils.some(Boolean), 'all valves are closed');
  assert.equal([onlyJson(ended).ok, onlyJson(ended).outcome], [false, 'aborted']);
});

execute('LANG-058 SIGTERM twice: the teardown is skipped, the safe state is not', async () => {
  const slow = `${HOLDING}  WAIT 30s\n  LOG 'teardown ended'\n`;
  const started = svcctl.start(onBench(svcctl.write('slow.oql', slow)));
  await openValve('valve-2');
  started.child.kill('SIGTERM');
  await started.until('teardown ran');
  started.child.kill('SIGTERM');
  const { code, stdout, stderr } = await started.finished;
  assert.is(code, 130, stderr);
  assert.match(stderr, 'the teardown is skipped');
  assert.not.match(stdout, 'teardown ended');
  assert.not.ok(rig.bench.outputs.coils.some(Boolean), 'all valves are closed');
});

execute(
  'LANG-054 LANG-057 after kill -9 the events are there and the bridge makes the rig safe',
  async () => {
    const started = svcctl.start(onBench(svcctl.write('h.oql', HOLDING), '--events', 'killed.ndjson'));
    await openValve('valve-2');
    await eventually('the actuation is recorded', () =>
      readFileSync(svcctl.path('killed.ndjson'), 'utf8').includes('"actuate"'),
    );
    started.child.kill('SIGKILL');
    assert.is((await started.finished).code, null);
    const lines = readFileSync(svcctl.path('killed.ndjson'), 'utf8').split('\n');
    assert.is(lines.pop(), '', 'the last line is complete');
    const events = lines.map((line) => JSON.parse(line));
    assert.ok(
      events.some(({ type, target }) => type === 'actuate' && target === 'valve-sc'),
      lines.join('\n'),
    );
    await eventually('the lease ends and the valves close', () => !rig.bench.outputs.coils.some(Boolean));
  },
);

execute('cmd acts on the rig, holds with --for, and leaves it safe', async () => {
  const started = svcctl.start(atBench('cmd', 'SET valve-3 1', '--for', '30s'));
  await openValve('valve-3');
  started.child.kill('SIGINT');
  assert.is((await started.finished).code, 130);
  assert.not.ok(rig.bench.outputs.coils.some(Boolean));
  const reading = await svcctl.run(atBench('cmd', 'GET AI01'));
  assert.is(reading.code, 0, reading.stderr);
  assert.match(reading.stdout, /0\.6\d* V/);
});

execute('cmd: findings point into the line as it was typed', async () => {
  const bad = await svcctl.run(atBench('cmd', 'WIAT 2s'));
  assert.is(bad.code, 2);
  assert.match(bad.stderr, ' --> <cmd>:1:1\n  |\n1 | WIAT 2s\n  | ^^^^');
  const json = onlyJson(await svcctl.run(['cmd', 'WIAT 2s', '--json', '--mode', 'dry-run']));
  const [found] = json.diagnostics as { pos: unknown }[];
  assert.equal(found?.pos, { file: '<cmd>', line: 1, col: 1, endLine: 1, endCol: 5 });
});

execute('cmd: a failed check is exit 1, dry-run needs no bridge', async () => {
  const failed = await svcctl.run(atBench('cmd', 'CHECK AI01 >= 5 V'));
  assert.is(failed.code, 1, failed.stderr);
  const dry = await svcctl.run([
    'cmd',
    'CHECK AI01 >= 5 V',
    '--mode',
    'dry-run',
    '--firmware-url',
    dead,
    '-q',
  ]);
  assert.equal([dry.code, dry.stdout], [0, '1/1 passed (simulated, not a test)\n']);
});

execute('on a terminal a status line shows goal, command and reading, and is gone at the end', async () => {
  const slow = "GOAL:\n  SET NAME 'slow goal'\n  GET AI01\n  WAIT 1200ms\n  CHECK AI01 <= 5 V\n";
  const started = svcctl.startOnTerminal(onBench(svcctl.write('s.oql', slow)));
  await started.until('WAIT 1200ms |');
  const { code, stdout } = await started.finished;
  assert.is(code, 0, stdout);
  assert.match(stdout, /00:0\d \| 1\/1 slow goal \| WAIT 1200ms \| AI01 = 0\.6\d* V/);
  const afterLastClearing = stdout.slice(stdout.lastIndexOf('\x1b[J'));
  assert.not.match(afterLastClearing, /\d\d:\d\d \|/);
  assert.match(afterLastClearing, /1\/1 passed \(bench, not a test\)\r\n$/);
});

execute('LANG-080 a prompt is asked on a terminal, asked again, and answered', async () => {
  const scenario = svcctl.write(
    'p.oql',
    "GOAL Ask:\n  PROMPT 'Is the mask on?' TIMEOUT 5 min\n  PROMPT 'Size?' AS size CHOICES 'S' 'M'\n  LOG 'size $size'\n",
  );
  const started = svcctl.startOnTerminal(onBench(scenario));
  await started.until('Is the mask on? (within 5 min) [y/n]');
  started.child.stdin?.write('\n');
  await started.until('"" is neither yes nor no');
  started.child.stdin?.write('tak\n');
  await started.until('[1-2]');
  started.child.stdin?.write('2\n');
  const yes = await started.finished;
  assert.is(yes.code, 0, yes.stdout);
  assert.match(yes.stdout, 'info: size M');
  const refused = svcctl.startOnTerminal(onBench(scenario));
  await refused.until('Is the mask on?');
  refused.child.stdin?.write('nie\n');
  const no = await refused.finished;
  assert.is(no.code, 3, no.stdout);
  assert.match(no.stdout, 'the operator answered no to "Is the mask on?"');
  const blind = await svcctl.run(onBench(scenario));
  assert.is(blind.code, 3, 'without a terminal nobody can confirm');
});

execute('LANG-080 Ctrl-C at a prompt aborts the run: teardown, safe state, 130', async () => {
  const scenario = svcctl.write(
    'c.oql',
    "GOAL Ask:\n  SET valve-sc 1\n  PROMPT 'Ready?' TIMEOUT 5 min\nCONFIG close:\n  LOG 'teardown ran'\n",
  );
  const started = svcctl.startOnTerminal(onBench(scenario));
  await started.until('Ready?');
  started.child.stdin?.write('\x03');
  const { code, stdout } = await started.finished;
  assert.is(code, 130, stdout);
  assert.match(stdout, 'teardown ran');
  assert.equal(await rig.bench.outputs.coils.filter(Boolean), []);
});

/** Waits until the twin itself has the valve open. */
const openValve = (id: string) =>
  eventually(`${id} opens`, () => rig.bench.outputs.coils[Number(id.slice(-1)) - 1] === true);

async function eventually(what: string, holds: () => boolean): Promise<void> {
  const deadline = systemClock.monotonic() + 15_000;
  while (!holds()) {
    assert.ok(systemClock.monotonic() < deadline, what);
    await systemClock.sleep(10);
  }
}

execute.run();
