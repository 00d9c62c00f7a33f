import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';
import type { TraceEntry } from '../../bench/trace/trace-log.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svc-bench as a process');

interface Ready {
  ready: boolean;
  pid: number;
  url: string;
  dir: string;
  clock: string;
  usbip?: string;
  devices: Record<string, string>;
}

const running = new Set<ChildProcess>();
let folder = '';

function start(...options: string[]): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/services/bench/main.ts', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function ready(child: ChildProcess): Promise<Ready> {
  if (!child.stdout) throw new Error('svc-bench has no standard output');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Ready;
  throw new Error('svc-bench ended without saying that it is ready');
}

async function outcome(
  child: ChildProcess,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    text.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text.stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

async function request(url: string, method = 'GET', body?: string) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, ...(body === undefined ? {} : { body, headers }) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-bench-process-'));
});

test.after.each(async () => {
  for (const child of [...running]) {
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

test('DEV-045 it says where its twins are, is worked over its control port, and leaves nothing behind', async () => {
  const child = start('--dir', folder, '--port', '0', '--seed', '5');
  const { url, devices, pid } = await ready(child);
  assert.is(pid, child.pid);
  const { bank, 'modbus-tcp': tcp, ...local } = devices;
  assert.equal(local, {
    usbhid: `bench:${join(folder, 'usbhid.sock')}`,
    uart: join(folder, 'uart'),
    tic: `bench:${join(folder, 'tic.sock')}`,
    'modbus-io': join(folder, 'modbus-io'),
    pump: join(folder, 'pump'),
    ads1115: `bench:${join(folder, 'ads1115.sock')}`,
  });
  assert.match(String(bank), /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.match(String(tcp), /^127\.0\.0\.1:\d+$/);

  const listed = await request(`${url}/bench/v1/devices`);
  assert.equal(
    (listed.body.devices as { device: string }[]).map(({ device }) => device),
    ['usbhid', 'uart', 'tic', 'modbus-io', 'pump', 'ads1115', 'bank', 'plant'],
  );
  const patched = await request(`${url}/bench/v1/pump/knobs`, 'PATCH', '{"silent":true}');
  assert.is((patched.body.knobs as { silent: boolean }).silent, true);
  assert.is((await request(`${url}/bench/v1/reset`, 'POST')).status, 200);
  const outputs = await request(`${url}/bench/v1/outputs`);
  assert.equal(outputs.body.coils, new Array<boolean>(8).fill(false));
  const trace = await request(`${url}/bench/v1/pump/trace`);
  assert.equal((trace.body.trace as TraceEntry[])[0]?.knobs, { silent: true });

  const refusals = [
    await request(`${url}/bench/v1/pump/knobs`, 'PATCH', '{"sillent":true}'),
    await request(`${url}/bench/v1/pump/knobs`, 'PATCH', '{'),
    await request(`${url}/bench/v1/fan/knobs`, 'PATCH', '{}'),
    await request(`${url}/bench/v2/devices`),
  ];
  assert.equal(
    refusals.map(({ status, body }) => [status, body.code]),
    [
      [422, 'invalid_parameter'],
      [400, 'invalid_json'],
      [404, 'not_found'],
      [404, 'not_found'],
    ],
  );

  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.is((await ended)[0], 0);
  assert.equal(readdirSync(folder), ['trace.ndjson']);
});

test('the trace on disk survives the kill -9 of a client and of the bench itself', async () => {
  const child = start('--dir', folder, '--port', '0');
  const { url } = await ready(child);
  const client = spawn('sh', [
    '-c',
    `printf '\\001\\005\\000\\000\\377\\000\\214\\072' > ${join(folder, 'modbus-io')}; exec sleep 60`,
  ]);
  running.add(client);
  const coil = async () => ((await request(`${url}/bench/v1/outputs`)).body.coils as boolean[])[0];
  while (!(await coil())) await systemClock.sleep(20);
  client.kill('SIGKILL');
  await once(client, 'exit');
  running.delete(client);
  assert.is(await coil(), true);

  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const entries = readFileSync(join(folder, 'trace.ndjson'), 'utf8').trim().split('\n');
  const kinds = entries.map((line) => (JSON.parse(line) as TraceEntry).kind);
  assert.equal(kinds, ['in', 'coil', 'out']);

  // The links of the killed one lead nowhere; the next bench puts its own in their place.
  const next = start('--dir', folder, '--port', '0');
  await ready(next);
  assert.ok(existsSync(join(folder, 'modbus-io')));
});

test('SVC-061 the bench keeps its trace and its log files small', async () => {
  const trace = join(folder, 'trace.ndjson');
  const log = join(folder, 'svc-bench.err.log');
  writeFileSync(trace, `${'x'.repeat(499_999)}\n`);
  writeFileSync(log, 'x'.repeat(10_000_000));
  process.env.RIG_LOG_FILES = log;
  const child = start('--dir', folder, '--port', '0', '--trace-max-mb', '1');
  delete process.env.RIG_LOG_FILES;
  const { url } = await ready(child);
  await request(`${url}/bench/v1/pump/knobs`, 'PATCH', '{"silent":true}');
  assert.is(statSync(`${trace}.1`).size, 500_000);
  assert.match(readFileSync(trace, 'utf8'), '"kind":"knobs"');
  while (statSync(log).size > 0) await systemClock.sleep(20);
  assert.is(statSync(`${log}.1`).size, 10_000_000);
});

test('a second bench on the same port ends with the reason and leaves the first alone', async () => {
  const first = await ready(start('--dir', folder, '--port', '0'));
  const second = await outcome(start('--dir', folder, '--port', new URL(first.url).port));
  assert.is(second.code, 1);
  assert.match(second.stderr, /cannot listen on 127.0.0.1.*stop the other bench or give --port/);
  assert.is(second.stdout, '');
  assert.ok(existsSync(join(folder, 'modbus-io')));
  assert.is((await request(`${first.url}/bench/v1/outputs`)).status, 200);
});

test('its options reach the bench: devices, plant, clock, USB/IP, usb-redir', async () => {
  const plant = join(folder, 'plant.yaml');
  writeFileSync(plant, 'leak: 0.01\n');
  const child = start(
    ...['--dir', folder, '--port', '0', '--only', 'tic,pump', '--plant', plant, '--clock', 'stepped'],
    ...['--usbip', '0', '--usbredir', join(folder, 'usb')],
  );
  const { url, devices, clock, usbip } = await ready(child);
  assert.equal(Object.keys(devices), [
    'tic',
    'tic-usbredir',
    'tic-usbip',
    'pump',
    'pump-usbredir',
    'pump-usbip',
  ]);
  assert.ok(existsSync(join(folder, 'usb/tic.sock')));
  assert.is(clock, 'stepped');
  assert.match(String(usbip), /^127\.0\.0\.1:\d+$/);
  const listed = await request(`${url}/bench/v1/devices`);
  const knobs = (listed.body.devices as { device: string; knobs: { leak?: number } }[]).at(-1)?.knobs;
  assert.is(knobs?.leak, 0.01);
});

/** Of six programs at once from their sources, also on one slow core. */
const SIX_STARTS = { timeoutMs: 120_000 };

test(
  'options that cannot be are refused with exit 2; help and version are results',
  async () => {
    const plant = join(folder, 'plant.yaml');
    writeFileSync(plant, 'gain: 1\ntau_s: 0\n');
    const [port, unknown, only, file, help, version] = await Promise.all([
      outcome(start('--port', '70000')),
      outcome(start('--colour')),
      outcome(start('--only', 'pump,fan')),
      outcome(start('--dir', folder, '--plant', plant)),
      outcome(start('--help')),
      outcome(start('--version')),
    ]);
    assert.is(port.code, 2);
    assert.match(port.stderr, /'70000' is invalid.*0 to 65535/);
    assert.is(unknown.code, 2);
    assert.is(only.code, 2);
    assert.match(only.stderr, /"fan" is not a device of the bench: use usbhid, uart, tic/);
    assert.is(file.code, 2);
    assert.match(file.stderr, /plant\.yaml: line 2, tau_s = 0: .*>0/);
    assert.is(help.code, 0);
    assert.match(help.stdout, /--line-rate/);
    assert.is(version.code, 0);
    assert.match(version.stdout, /^\d+\.\d+\.\d+/);
  },
  SIX_STARTS,
);

test.run();
