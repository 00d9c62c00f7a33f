import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import * as assert from 'uvu/assert';
import { Bench } from '../../bench/bench.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { BenchControl } from '../../services/bench/control.ts';
import { suite } from '../../test-kit/suite.ts';
import { CliError } from '../errors/cli-error.ts';
import { type Io, processIo } from '../io/io.ts';
import { benchCommandLine } from '../svcctl/commands/bench.ts';
import { BenchClient } from './bench-client.ts';

interface Context {
  folder: string;
  bench: Bench;
  control: BenchControl;
  url: string;
}

const test = suite<Context>('svcctl bench');

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'svcctl-bench-'));
  context.bench = new Bench({ folder: context.folder });
  context.control = new BenchControl({ bench: context.bench, clock: systemClock, log: () => {} });
  context.url = (await context.control.listen(0)).url;
  await context.bench.open();
});

test.after.each(async (context) => {
  context.control.close();
  await context.bench.close();
  rmSync(context.folder, { recursive: true, force: true });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  /** The sentence of the error. */
  error: string;
}

/** One invocation in this process, with its output caught. */
function invoke(url: string, args: readonly string[]): { ended: Promise<Ended>; text: () => string } {
  const texts = { stdout: '', stderr: '' };
  const caught = (name: 'stdout' | 'stderr') =>
    Object.assign(Object.create(process[name]) as NodeJS.WriteStream, {
      isTTY: false,
      write: (text: string) => {
        texts[name] += text;
        return true;
      },
    });
  const io: Io = {
    ...processIo(),
    env: { SVC_BENCH_URL: url },
    stdout: caught('stdout'),
    stderr: caught('stderr'),
  };
  let code = 0;
  const program = new Command('svcctl').exitOverride();
  benchCommandLine(program, io, (exitCode) => {
    code = exitCode;
  });
  const ended = program.parseAsync(['bench', ...args], { from: 'user' }).then(
    () => ({ code, ...texts, error: '' }),
    (thrown: unknown) => {
      if (!(thrown instanceof CliError)) throw thrown;
      return { code: thrown.exitCode, ...texts, error: thrown.message };
    },
  );
  return { ended, text: () => texts.stdout };
}

const run = (url: string, ...args: string[]): Promise<Ended> => invoke(url, args).ended;

test('devices are listed with address, place and clients', async ({ url, bench }) => {
  const { code, stdout } = await run(url, 'devices');
  assert.is(code, 0);
  const row = stdout.split('\n').find((line) => line.startsWith('modbus-io'));
  assert.match(row ?? '', new RegExp(`^modbus-io +${bench.addresses['modbus-io']} +/dev/pts/\\d+ +\\?$`));
  await bench.setKnobs('pump', { unplugged: true });
  assert.match((await run(url, 'devices')).stdout, /^pump .* nothing: pulled out/m);
});

test('knobs are shown, and those that are given are turned', async ({ url, bench }) => {
  const shown = await run(url, 'knobs', 'pump');
  assert.match(shown.stdout, /^late_ms +0$/m);
  assert.match(shown.stdout, /^truncate +null$/m);
  const turned = await run(url, 'knobs', 'modbus-io', 'coil_stuck=[0,2]', 'parity=even', 'truncate=null');
  assert.equal([turned.code, turned.stdout.split('\n').length - 1], [0, 3]);
  assert.equal(bench.twins['modbus-io'].knobs.value.coil_stuck, [0, 2]);
  assert.is(bench.twins['modbus-io'].knobs.value.parity, 'even');
  await run(url, 'knobs', 'plant', 'leak=0.01', 'inputs={"uart":["ai01","ai01"]}');
  assert.is(bench.plant.parameters.leak, 0.01);
  assert.equal(bench.plant.parameters.inputs.uart, ['ai01', 'ai01']);
});

test('a fault is put together from its kinds and given to so many answers', async ({ url, bench }) => {
  const { code, stdout } = await run(url, 'fault', 'pump', 'bad_crc', 'late_ms=3', '--count', '2');
  assert.equal([code, stdout], [0, 'pump: bad_crc late_ms=3 for the next 2 answers\n']);
  const once = { bad_crc: true, late_ms: 3 };
  assert.equal(bench.trace('pump')[0]?.knobs, { once: [once, once] });
});

test('the trace is shown in columns', async ({ url, bench }) => {
  bench.twins.pump.slave.receive(Uint8Array.of(0x32, 0x03, 0x00, 0x00, 0x00, 0x01, 0x81, 0xc9));
  bench.faultOnce('pump', [{ bad_crc: true }]);
  bench.twins['modbus-io'].force(3, true);
  const { stdout } = await run(url, 'trace');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ *\d+\.\d{3} {2}/, ''));
  assert.equal(lines, [
    'pump       in   32 03 00 00 00 01 81 C9',
    'pump       out  32 03 02 C0 32 6D 95',
    'pump            knobs {"once":[{"bad_crc":true}]}',
    'modbus-io       coil 3 on',
  ]);
  const later = await run(url, 'trace', 'modbus-io', '--since', '3', '--json');
  const document = JSON.parse(later.stdout) as { ok: boolean; next: number; trace: { coil: number }[] };
  assert.equal([document.ok, document.next, document.trace.map(({ coil }) => coil)], [true, 4, [3]]);
});

test('a long frame is shown by its beginning', async ({ url, bench }) => {
  bench.twins.tic.control({ requestType: 0xc0, request: 0xa1, value: 0, index: 0, length: 90 });
  assert.match((await run(url, 'trace', 'tic')).stdout, /out ( [0-9A-F]{2}){24} \.\.\. \(90 bytes\)/);
});

test('a follower shows what comes, and ends with the bench', async ({ url, bench, control }) => {
  const { ended, text } = invoke(url, ['trace', '--follow', '--json']);
  bench.twins['modbus-io'].force(0, true);
  while (!text().includes('"coil":0')) await systemClock.sleep(5);
  bench.twins['modbus-io'].force(1, true);
  while (!text().includes('"coil":1')) await systemClock.sleep(5);
  control.close();
  const { code, error } = await ended;
  assert.is(code, 3);
  assert.match(error, /no bench at .*start svc-bench/);
  const lines = text().trimEnd().split('\n');
  assert.equal(
    lines.map((line) => (JSON.parse(line) as { n: number }).n),
    [1, 2],
    'each entry once',
  );
});

test('a follower that has seen enough leaves without an error', async ({ url, bench }) => {
  const enough = new AbortController();
  const seen: unknown[] = [];
  bench.twins['modbus-io'].force(0, true);
  bench.twins['modbus-io'].force(1, true);
  for await (const line of new BenchClient(url, processIo()).follow({ since: 1 }, enough.signal)) {
    seen.push('n' in line ? line.n : line);
    enough.abort();
  }
  assert.equal(seen, [2]);
});

test('reset and step do what they say', async ({ url, bench }) => {
  bench.twins['modbus-io'].force(0, true);
  assert.is((await run(url, 'reset')).code, 0);
  assert.not.ok(bench.outputs.coils.includes(true));
  const from = bench.elapsedMs;
  const { stdout } = await run(url, 'step', '5000');
  assert.match(stdout, /^real clock at \d+\.\d{3} s /);
  assert.ok(bench.elapsedMs >= from + 5000);
});

test('--json prints one document and nothing else', async ({ url }) => {
  for (const args of [
    ['devices'],
    ['knobs', 'pump'],
    ['knobs', 'pump', 'late_ms=1'],
    ['fault', 'pump', 'silent'],
    ['trace'],
    ['step', '1'],
    ['reset'],
  ]) {
    const { stdout, stderr } = await run(url, ...args, '--json');
    assert.is((JSON.parse(stdout) as { ok: boolean }).ok, true, args.join(' '));
    assert.is(stdout.trimEnd().split('\n').length, 1);
    assert.is(stderr, '');
  }
});

/** Arguments, and what the one sentence must name. */
const WRONG: readonly (readonly [args: readonly string[], ...named: string[]])[] = [
  [[], 'needs an action', 'devices'],
  [['devcies'], '"devcies"', 'did you mean devices'],
  [['fly'], '"fly"', 'use devices, knobs'],
  [['knobs'], '<device>'],
  [['knobs', 'pmup'], '"pmup"', 'did you mean pump'],
  [['knobs', 'pump', 'sillent=true'], '"sillent"', 'did you mean silent', 'late_ms'],
  [['knobs', 'pump', 'silent'], '"silent"', 'silent=value'],
  [['knobs', 'pump', 'silent=true', 'silent=false'], 'silent', 'second value'],
  [['knobs', 'pump', 'late_ms=-5'], 'late_ms', '>=0'],
  [['knobs', 'plant', 'leak=much'], 'leak = "much"', 'a list of four'],
  [['fault', 'pump', 'bad_crk'], '"bad_crk"', 'did you mean bad_crc'],
  [['fault', 'plant', 'nack'], 'plant', 'knobs plant'],
  [['fault', 'pump', 'silent', '--count', '0'], '"0"', '1 to 10000'],
  [['trace', 'pmup'], 'did you mean pump'],
  [['trace', '--since', 'now'], '"now"', '--since'],
  [['step', 'soon'], '"soon"', 'whole number'],
  [['devices', '--zzz'], '"--zzz"', 'svcctl bench devices --help'],
  [['devices', '--bench-url', 'host:8290'], '"host:8290"', 'http://'],
];

test('each wrong invocation exits 2 with one sentence that names value and remedy', async ({
  url,
  bench,
}) => {
  for (const [args, ...named] of WRONG) {
    const { code, stdout, error } = await run(url, ...args);
    const what = `svcctl bench ${args.join(' ')}: ${error}`;
    assert.equal([code, stdout], [2, ''], what);
    assert.is(error.split('\n').length, 1, what);
    for (const part of named) assert.ok(error.includes(part), `${what} names ${part}`);
  }
  assert.equal(bench.trace(), [], 'nothing was changed');
});

test('without a bench the exit code is 3 and the sentence names place and remedy', async () => {
  const { code, error } = await run('http://127.0.0.1:1', 'devices');
  assert.is(code, 3);
  for (const part of ['http://127.0.0.1:1', 'start svc-bench', '--bench-url', 'SVC_BENCH_URL'])
    assert.ok(error.includes(part), `${error} names ${part}`);
});

test.run();
