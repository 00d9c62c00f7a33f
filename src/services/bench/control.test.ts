import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Bench } from '../../bench/bench.ts';
import { benchClock } from '../../bench/clock/bench-clock.ts';
import type { TraceEntry } from '../../bench/trace/trace-entry.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { BenchControl } from './control.ts';

interface Context {
  folder: string;
  bench: Bench;
  control: BenchControl;
  url: string;
  logged: string[];
}

const test = suite<Context>('control port of the bench');

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'svc-control-'));
  context.logged = [];
  context.bench = new Bench({ folder: context.folder, clock: benchClock('stepped') });
  context.control = new BenchControl({
    bench: context.bench,
    clock: systemClock,
    log: (line) => context.logged.push(line),
  });
  context.url = (await context.control.listen(0)).url;
  await context.bench.open();
});

test.after.each(async (context) => {
  context.control.close();
  await context.bench.close();
  rmSync(context.folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  type: string;
  body: Record<string, unknown>;
}

async function ask({ url }: Context, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, body: (await response.json()) as Record<string, unknown> };
}

test('it says that it lives and is a bench, on 127.0.0.1 only', async (context) => {
  const { body } = await ask(context, 'GET', '/health');
  assert.equal([body.ok, body.service, body.bench, body.clock], [true, 'svc-bench', true, 'stepped']);
  assert.ok((body.plugged as string[]).includes('pump'));
  assert.is(new URL(context.url).hostname, '127.0.0.1');
  const described = await ask(context, 'GET', '/openapi.json');
  assert.ok(Object.keys(described.body.paths as object).includes('/bench/v1/{device}/knobs'));
  const metrics = await fetch(`${context.url}/metrics`);
  assert.match(await metrics.text(), /svc_http_requests_total/);
});

test('knobs and faults that are refused are problems that name value and remedy', async (context) => {
  const cases: readonly (readonly [string, string, unknown, number, string, RegExp])[] = [
    ['PATCH', '/bench/v1/pump/knobs', { sillent: true }, 422, 'knob_invalid', /sillent.*known.*silent/],
    ['PATCH', '/bench/v1/pump/knobs', { late_ms: -1 }, 422, 'knob_invalid', /late_ms/],
    ['PATCH', '/bench/v1/plant/knobs', { leek: 0 }, 422, 'knob_invalid', /leek = 0: unknown key.*leak/],
    ['PATCH', '/bench/v1/fan/knobs', {}, 404, 'device_unknown', /no device "fan".*pump/],
    ['POST', '/bench/v1/pump/faults', { faults: [{ late: 1 }] }, 422, 'knob_invalid', /late = 1.*late_ms/],
    ['POST', '/bench/v1/bank/faults', { faults: [{}] }, 422, 'knob_invalid', /takes no faults/],
    ['POST', '/bench/v1/clock', { advance_ms: -1 }, 422, 'step_invalid', /-1 ms.*86400000/],
  ];
  for (const [method, path, sent, status, reason, says] of cases) {
    const { body, type, ...answer } = await ask(context, method, path, sent);
    assert.equal([answer.status, body.reason], [status, reason], path);
    assert.is(type, 'application/problem+json');
    assert.match(String(body.detail), says);
  }
  const unknown = await ask(context, 'GET', '/bench/v1/fan/trace');
  assert.is(unknown.status, 422);
  assert.equal(context.logged, [], 'none of them is a defect');
  assert.equal(context.bench.trace(), [], 'and nothing was changed');
});

test('faults spoil the next answers, as the knob once does', async (context) => {
  const { body } = await ask(context, 'POST', '/bench/v1/pump/faults', {
    faults: [{ bad_crc: true }, { silent: true }],
  });
  assert.equal(body, { ok: true, device: 'pump', faults: 2 });
  const sent: number[] = [];
  const { slave } = context.bench.twins.pump;
  slave.connect((bytes) => sent.push(bytes.length));
  const frame = Uint8Array.of(0x32, 0x03, 0x00, 0x00, 0x00, 0x01, 0x81, 0xc9);
  // The twin takes the time of its line for each answer; the second one is silent.
  for (const answers of [1, 1, 2]) {
    slave.receive(frame);
    while (sent.length < answers) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(sent, [7, 7]);
  const notes = context.bench.trace('pump').map(({ kind, note }) => note ?? kind);
  assert.equal(notes, ['knobs', 'in', 'bad_crc', 'in', 'silent: no answer', 'in', 'out']);
});

test('a stepped clock stands still until it is stepped', async (context) => {
  const state = async () => (await ask(context, 'GET', '/bench/v1/clock')).body;
  assert.equal(await state(), {
    ok: true,
    clock: 'stepped',
    elapsed_ms: 0,
    now: '2025-01-01T00:00:00.000Z',
  });
  context.bench.plant.setDuty(1);
  context.bench.plant.setCoil(0, true);
  await systemClock.sleep(30);
  assert.is(context.bench.plant.volts(0), 0.635);
  const stepped = await ask(context, 'POST', '/bench/v1/clock', { advance_ms: 400 });
  assert.is(stepped.body.elapsed_ms, 400);
  assert.ok(Math.abs(context.bench.plant.volts(0) - 0.635 - (1 - Math.exp(-1))) < 1e-12);
});

test('outputs report coils, pump, lung, plant and clients', async (context) => {
  const { body } = await ask(context, 'GET', '/bench/v1/outputs');
  assert.equal(body.coils, new Array<boolean>(8).fill(false));
  assert.is((body.pump as { fraction: number }).fraction, 0);
  assert.equal(body.lung, { position: 0, velocity: 0, energized: true });
  assert.is((body.plant as { supply_v: number }).supply_v, 23.4, '24 V less what the held motor takes');
  assert.is((body.clients as Record<string, number>).ads1115, 0);
});

test('the trace is read in pages, and a reader can wait for what comes', async (context) => {
  const page = async (path: string) => (await ask(context, 'GET', path)).body;
  const waiting = page('/bench/v1/trace?since=0&wait_ms=20000');
  await ask(context, 'PATCH', '/bench/v1/pump/knobs', { late_ms: 1 });
  const first = await waiting;
  assert.equal(
    (first.trace as TraceEntry[]).map(({ n }) => n),
    [1],
  );
  await ask(context, 'PATCH', '/bench/v1/plant/knobs', { leak: 0 });
  await ask(context, 'PATCH', '/bench/v1/pump/knobs', { late_ms: 2 });
  const rest = await page(`/bench/v1/trace?since=${first.next}&limit=1`);
  assert.equal([(rest.trace as TraceEntry[]).map(({ n }) => n), rest.next], [[2], 2]);
  const pump = await page('/bench/v1/pump/trace?since=2');
  assert.equal([(pump.trace as TraceEntry[]).map(({ n }) => n), pump.next], [[3], 3]);
  assert.equal((await page('/bench/v1/pump/trace?since=3&wait_ms=1')).trace, []);
  const lines = await (await fetch(`${context.url}/bench/v1/pump/trace.ndjson`)).text();
  assert.equal(
    lines
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as TraceEntry).n),
    [1, 3],
  );
});

/** Reads a followed trace up to an entry that holds. */
async function readUntil(response: Response, holds: (text: string) => boolean) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && !holds(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended after ${text}`);
    text += value;
  }
  return { text, reader };
}

const linesIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEntry);

test('the trace is followed as it happens, of all devices or of one, and ends with the bench', async (context) => {
  const { bench, url, control } = context;
  bench.twins['modbus-io'].force(0, true);
  bench.twins['modbus-io'].force(1, true);
  const [all, one] = await Promise.all([
    fetch(`${url}/bench/v1/trace.ndjson?follow=true&since=1`),
    fetch(`${url}/bench/v1/pump/trace.ndjson?follow=true`),
  ]);
  assert.is(all.headers.get('content-type'), 'application/x-ndjson');
  await ask(context, 'PATCH', '/bench/v1/pump/knobs', { late_ms: 1 });
  bench.twins['modbus-io'].force(2, true);
  const everything = await readUntil(all, (text) => text.includes('"coil":2'));
  assert.equal(
    linesIn(everything.text).map(({ n, device }) => [n, device]),
    [
      [2, 'modbus-io'],
      [3, 'pump'],
      [4, 'modbus-io'],
    ],
  );
  const pump = await readUntil(one, (text) => text.includes('late_ms'));
  assert.equal(
    linesIn(pump.text).map(({ n }) => n),
    [3],
  );
  await control.end();
  for (const { reader } of [everything, pump]) assert.is((await reader?.read())?.done, true);
});

test('a follower is told what the memory of the bench no longer has', async ({ bench, url }) => {
  for (let i = 0; i < 5003; i++) bench.twins['modbus-io'].force(0, i % 2 === 0);
  const response = await fetch(`${url}/bench/v1/trace.ndjson?follow=true`);
  const { text, reader } = await readUntil(response, (got) => got.includes('"n":5003,'));
  const [first, second] = linesIn(text);
  assert.equal([first, second?.n], [{ lost: 3 }, 4]);
  await reader?.cancel();
});

test('a reader that waits does not keep the bench from ending', async (context) => {
  const waiting = fetch(`${context.url}/bench/v1/trace?wait_ms=30000`).then(
    () => 'answered',
    () => 'hung up on',
  );
  await systemClock.sleep(50);
  context.control.close();
  assert.is(await waiting, 'hung up on');
});

test.run();
