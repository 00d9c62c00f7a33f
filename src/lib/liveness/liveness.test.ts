import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import { SteppedClock } from '../clock/stepped-clock.ts';
import { abstractAddress } from './abstract-address.ts';
import { HeartbeatMonitor } from './heartbeat-monitor.ts';
import { HeartbeatServer, type HeartbeatServerOptions } from './heartbeat-server.ts';
import type { JsonLine } from './json-lines.ts';
import { jsonLines } from './json-lines.ts';
import { guardAddress, liveAddress, rigKey, stateDirOf } from './live-address.ts';

const test = suite('life line');
let count = 0;
const address = () => abstractAddress(`svc-live/test-${process.pid}-${count++}`);

function lineAt(at: string, more: Partial<HeartbeatServerOptions> = {}): HeartbeatServer {
  const line = new HeartbeatServer({
    address: at,
    clock: systemClock,
    hello: () => ({ service: 'svc-test', pid: process.pid }),
    log: () => {},
    ...more,
  });
  line.open();
  return line;
}

interface Heard {
  watch: HeartbeatMonitor;
  hellos: JsonLine[];
  lines: JsonLine[];
  gone: number;
}

function watchAt(at: string, clock: Clock = systemClock): Heard {
  const heard: Heard = {
    hellos: [],
    lines: [],
    gone: 0,
    watch: new HeartbeatMonitor({
      address: at,
      clock,
      name: 'svc-guard',
      onHello: (hello) => heard.hellos.push(hello),
      onLine: (line) => heard.lines.push(line),
      onGone: () => {
        heard.gone += 1;
      },
    }),
  };
  heard.watch.start();
  return heard;
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await systemClock.sleep(5);
}

test('IMG-019 services that began at any moment beat at the same ones, every 100 ms, so that a watcher of all wakes once', async () => {
  const clock = new SteppedClock(37);
  const lines: HeartbeatServer[] = [];
  const watches: Heard[] = [];
  for (let n = 0; n < 2; n++) {
    const at = address();
    lines.push(lineAt(at, { clock }));
    const heard = watchAt(at);
    watches.push(heard);
    await until(() => heard.hellos.length === 1);
    await clock.advance(33);
  }
  const beats: number[][] = [[], []];
  while (clock.now() < 683) {
    for (const heard of watches) heard.lines.length = 0;
    await clock.advance(10);
    for (const line of lines) line.tell({ now: clock.now() });
    await until(() => watches.every(({ lines: heard }) => heard.some(({ now }) => now === clock.now())));
    for (const [index, heard] of watches.entries())
      if (heard.lines.some(({ beat }) => beat !== undefined)) beats[index]?.push(clock.now());
  }
  assert.equal(
    beats.map((moments) => moments.filter((moment) => moment > 250)),
    [
      [303, 403, 503, 603],
      [303, 403, 503, 603],
    ],
  );
  for (const { watch } of watches) watch.stop();
  for (const line of lines) line.close();
});

test('a watcher receives the greeting, the heartbeat, what is sent, and the end', async () => {
  const at = address();
  const line = lineAt(at);
  const heard = watchAt(at);
  await until(() => heard.lines.length >= 2);
  assert.equal(heard.hellos, [{ service: 'svc-test', pid: process.pid }]);
  assert.type(heard.lines[0]?.beat, 'number');
  await until(() => line.isWatchedBy('svc-guard'));
  line.tell({ safe_state: { running: true } });
  await until(() => heard.lines.some(({ safe_state }) => safe_state !== undefined));
  assert.is(heard.gone, 0);
  line.close();
  await until(() => heard.gone === 1);
  assert.is(line.isWatchedBy('svc-guard'), false);
  heard.watch.stop();
});

test('a question is answered by an event loop that runs, and by nothing that was said before', async () => {
  const at = address();
  const line = lineAt(at);
  const heard = watchAt(at);
  await until(() => heard.lines.length >= 1);
  const first = heard.watch.ping();
  assert.is(first.isAnswered, false);
  await until(() => first.isAnswered);
  line.fallSilent(300);
  const second = heard.watch.ping();
  const startedAt = performance.now();
  await until(() => heard.watch.silentMs > 100);
  assert.equal([first.isAnswered, second.isAnswered], [true, false]);
  await until(() => performance.now() - startedAt > 400);
  assert.is(second.isAnswered, false, 'a beat is not an answer');
  const third = heard.watch.ping();
  await until(() => third.isAnswered);
  heard.watch.stop();
  line.close();
});

test('a watcher waits for a life line that is not there yet, and finds the next one', async () => {
  const at = address();
  const heard = watchAt(at);
  await until(() => heard.watch.absentMs >= 100);
  assert.equal([heard.watch.isConnected, heard.gone], [false, 0]);
  for (const round of [1, 2]) {
    const line = lineAt(at);
    await until(() => heard.hellos.length === round);
    line.close();
    await until(() => heard.gone === round);
  }
  heard.watch.stop();
});

test('an address that another process holds is taken as soon as it is free, and reported once', async () => {
  const at = address();
  const first = lineAt(at);
  const told: string[] = [];
  const second = lineAt(at, { log: (text) => told.push(text), hello: () => ({ service: 'second' }) });
  await systemClock.sleep(700);
  assert.is(told.length, 1);
  first.close();
  const heard = watchAt(at);
  await until(() => heard.hellos[0]?.service === 'second');
  heard.watch.stop();
  second.close();
});

test('a watcher that does not read is let go and holds nothing up', async () => {
  const at = address();
  const line = lineAt(at);
  const lazy = connect(at);
  await once(lazy, 'connect');
  lazy.pause();
  lazy.write('{"watch":"lazy"}\n');
  await until(() => line.isWatchedBy('lazy'));
  const heard = watchAt(at);
  await until(() => line.isWatchedBy('svc-guard'));
  for (let i = 0; i < 40 && line.isWatchedBy('lazy'); i++) {
    for (let n = 0; n < 50; n++) line.tell({ text: 'x'.repeat(1000) });
    await systemClock.sleep(5);
  }
  assert.equal([line.isWatchedBy('lazy'), line.isWatchedBy('svc-guard')], [false, true]);
  lazy.destroy();
  heard.watch.stop();
  line.close();
});

test('a process that stands still is silent, one that dies is gone', async () => {
  const at = JSON.stringify(address());
  const beat = `s.write('{"hello":{}}\\n'); setInterval(() => s.write('{"beat":1}\\n'), 20)`;
  const script = `require('net').createServer((s) => { s.on('error', () => {}); ${beat} }).listen(${at}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const heard = watchAt(JSON.parse(at) as string);
  await until(() => heard.lines.length >= 2 && heard.watch.silentMs < 300);
  child.kill('SIGSTOP');
  await until(() => heard.watch.silentMs >= 300);
  assert.equal([heard.watch.isConnected, heard.gone], [true, 0]);
  child.kill('SIGCONT');
  await until(() => heard.watch.silentMs < 100);
  child.kill('SIGKILL');
  await until(() => heard.gone === 1);
  heard.watch.stop();
});

test('what the watched says is a tick: while its beats come, no timer of the watcher rings', async () => {
  const at = address();
  const line = lineAt(at);
  const clock = new SteppedClock();
  let ticks = 0;
  const watch = new HeartbeatMonitor({
    ...{ address: at, clock, name: 'svc-guard', onHello: () => {}, onLine: () => {}, onGone: () => {} },
    onTick: () => {
      ticks += 1;
    },
  });
  watch.start();
  // The time of the watcher stands still: nothing but the beats can wake it.
  await until(() => ticks >= 4);
  line.fallSilent(60_000);
  await systemClock.sleep(150);
  const heard = ticks;
  await clock.advance(124);
  assert.equal([ticks, watch.silentMs], [heard, 0]);
  // From the first beat that does not come it looks often.
  await clock.advance(1);
  assert.equal([ticks, watch.silentMs], [heard + 1, 125]);
  await clock.advance(75);
  assert.equal([ticks, watch.silentMs], [heard + 4, 200]);
  watch.stop();
  line.close();
});

test('a watcher that was itself held up takes no process for silent', async () => {
  const at = address();
  const line = lineAt(at);
  let jumpMs = 0;
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + jumpMs };
  const heard = watchAt(at, clock);
  await until(() => heard.lines.length >= 1);
  // For the watcher ten seconds pass between two of its ticks.
  jumpMs = 10_000;
  await systemClock.sleep(60);
  assert.ok(heard.watch.silentMs < jumpMs, `${heard.watch.silentMs} ms`);
  heard.watch.stop();
  line.close();
});

test('lines are JSON objects, however they are cut; what is none is left out', () => {
  const taken: JsonLine[] = [];
  const take = jsonLines((line) => taken.push(line));
  assert.is(take('{"a":1}\nno json\n[1]\n{"b"'), true);
  assert.is(take(':2}\n'), true);
  assert.equal(taken, [{ a: 1 }, { b: 2 }]);
  assert.is(take('x'.repeat(70_000)), false);
});

test('rigs of one machine are distinguished by their state folder, however it is written', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'live-')));
  try {
    symlinkSync(folder, join(folder, 'link'));
    assert.is(rigKey(join(folder, 'link')), rigKey(folder));
    assert.is.not(rigKey(folder), rigKey(tmpdir()));
    assert.is(stateDirOf({}), '/var/lib/svc');
    assert.is(stateDirOf({ SVC_STATE_DIR: folder }), folder);
    const addresses = [liveAddress('svc-bridge', 'a'), liveAddress('svc-bridge', 'b'), guardAddress('a')];
    assert.is(new Set(addresses).size, 3);
    for (const one of addresses) assert.is(Buffer.byteLength(one), 108);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
