import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import { lineLimit } from '../../lab/device-benchmarks/line-limit.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { openByteTransport } from '../../transports/open.ts';
import { LineRate, type LineRateOptions } from './line-rate.ts';
import { SerialSocket } from './serial-socket.ts';

const test = suite('line rate');

const CHARACTER_MS = 10_000 / 19_200;
const GAP_MS = 3.5 * CHARACTER_MS;
const REQUEST = new Uint8Array(8);
const REPLY = new Uint8Array(6);

function near(value: number | undefined, wanted: number, what = ''): void {
  assert.ok(value !== undefined && Math.abs(value - wanted) < 1e-6, `${what} ${value}, wanted ${wanted}`);
}

/** A line on a stepped clock, and what came out of it when. */
function bench(options: Partial<LineRateOptions> = {}) {
  const clock = new SteppedClock();
  const atDevice: { atMs: number; count: number }[] = [];
  const atHost: { atMs: number; count: number }[] = [];
  const line = new LineRate({
    clock,
    baud: 19_200,
    discipline: 'rs485',
    toDevice: (bytes) => atDevice.push({ atMs: clock.monotonic(), count: bytes.length }),
    toHost: (bytes) => atHost.push({ atMs: clock.monotonic(), count: bytes.length }),
    ...options,
  });
  return { clock, line, atDevice, atHost };
}

test('a frame is handed to the device whole, 3.5 characters after its last bit', async () => {
  const { clock, line, atDevice } = bench();
  line.fromHost(REQUEST);
  await clock.advance(50);
  assert.is(atDevice.length, 1);
  assert.is(atDevice[0]?.count, 8);
  near(atDevice[0]?.atMs, 8 * CHARACTER_MS + GAP_MS);
});

test('the bytes of a reply reach the host one after the other, the last one with its last bit', async () => {
  const { clock, line, atHost } = bench();
  line.fromDevice(REPLY);
  await clock.advance(50);
  assert.is(
    atHost.reduce((sum, { count }) => sum + count, 0),
    6,
  );
  assert.ok(atHost.length >= 3, 'in lumps of about 1 ms');
  near(atHost.at(-1)?.atMs, 6 * CHARACTER_MS);
});

test('whoever did not speak last waits until 3.5 characters were silent', async () => {
  const { clock, line, atDevice } = bench();
  line.fromDevice(REPLY);
  line.fromHost(REQUEST);
  await clock.advance(50);
  near(atDevice[0]?.atMs, 6 * CHARACTER_MS + GAP_MS + 8 * CHARACTER_MS + GAP_MS);
});

test('a frame that comes in two pieces is still one', async () => {
  const { clock, line, atDevice } = bench();
  line.fromHost(REQUEST.subarray(0, 5));
  await clock.advance(5 * CHARACTER_MS + 1);
  line.fromHost(REQUEST.subarray(5));
  await clock.advance(50);
  assert.equal(
    atDevice.map(({ count }) => count),
    [8],
  );
});

for (const operation of ['read', 'write'] as const) {
  test(`a master and a device without any delay reach the limit of the line: ${operation}`, async () => {
    const reply = new Uint8Array(operation === 'read' ? 6 : 8);
    let left = 50;
    let got = 0;
    let endedAtMs = 0;
    const clock = new SteppedClock();
    const line: LineRate = new LineRate({
      clock,
      baud: 19_200,
      discipline: 'rs485',
      toDevice: () => line.fromDevice(reply),
      toHost: (bytes) => {
        got += bytes.length;
        if (got < reply.length) return;
        got = 0;
        left -= 1;
        endedAtMs = clock.monotonic();
        if (left > 0) line.fromHost(REQUEST);
      },
    });
    line.fromHost(REQUEST);
    await clock.advance(1000);
    assert.is(left, 0);
    // The silence before the first request was over before it began.
    near((50 * 1000) / (endedAtMs + GAP_MS), lineLimit(operation, { baud: 19_200 }), 'rate');
  });
}

test('the limits are met: 91.4 reads and 83.5 writes, 89.97 reads with 2 ms', () => {
  assert.is(lineLimit('read', { baud: 19_200 }).toFixed(1), '91.4');
  assert.is(lineLimit('write', { baud: 19_200 }).toFixed(1), '83.5');
  assert.is(lineLimit('read', { baud: 19_200, silenceMs: 2 }).toFixed(2), '89.97');
});

test('a character with parity takes 11 bits', async () => {
  const { clock, line, atDevice } = bench({ bits: 11 });
  line.fromHost(REQUEST);
  await clock.advance(50);
  near(atDevice[0]?.atMs, (11.5 * 11_000) / 19_200);
});

test('a UART has a wire for each direction and no pauses', async () => {
  const { clock, line, atDevice, atHost } = bench({ discipline: 'uart' });
  line.fromHost(REQUEST);
  line.fromDevice(REPLY);
  await clock.advance(50);
  near(atDevice.at(-1)?.atMs, 8 * CHARACTER_MS);
  near(atHost.at(-1)?.atMs, 6 * CHARACTER_MS);
});

test('a USB adapter hands over every 16 ms what has come until then', async () => {
  const { clock, line, atHost } = bench({ latencyMs: 16 });
  await clock.advance(14);
  line.fromDevice(REPLY);
  await clock.advance(50);
  assert.equal(atHost, [
    { atMs: 16, count: 3 },
    { atMs: 32, count: 3 },
  ]);
});

test('after stop nothing arrives and no timer is left', async () => {
  const { clock, line, atDevice, atHost } = bench();
  line.fromHost(REQUEST);
  line.fromDevice(REPLY);
  await clock.advance(1);
  line.stop();
  await clock.advance(50);
  assert.is(atDevice.length, 0);
  assert.ok(atHost.length <= 1);
  assert.is(clock.pending, 0);
});

test('on the machine’s clock no reply ends before its last bit', async () => {
  const lateness: number[] = [];
  for (let round = 0; round < 15; round++) {
    const startedAtMs = systemClock.monotonic();
    await new Promise<void>((resolve) => {
      let got = 0;
      const line = new LineRate({
        clock: systemClock,
        baud: 19_200,
        discipline: 'rs485',
        toDevice: () => {},
        toHost: (bytes) => {
          got += bytes.length;
          if (got === REPLY.length) resolve();
        },
      });
      line.fromDevice(REPLY);
    });
    lateness.push(systemClock.monotonic() - startedAtMs - 6 * CHARACTER_MS);
  }
  assert.ok(
    lateness.every((lateMs) => lateMs >= 0),
    `early: ${Math.min(...lateness)}`,
  );
});

test('DEV-045 the driver works the twin over a terminal at line rate, and no faster than the line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-line-rate-'));
  const clock = systemClock;
  const twin = new ModbusIoTwin({ clock, random: seededRandom(1) });
  const link = join(folder, 'modbus-io');
  const socket = new SerialSocket({ link, slave: twin.slave, clock, baud: 19_200, atLineRate: true });
  await socket.want({ plugged: true });
  const line = new RtuLine({ transport: openByteTransport(link, { baud: 19_200 }), baud: 19_200 });
  try {
    await line.open();
    const io = new ModbusIo(line);
    await io.setOutput(6, true);
    const startedAtMs = clock.monotonic();
    for (let count = 0; count < 20; count++) assert.is((await io.readOutputs())[6], true);
    const perSecond = 20_000 / (clock.monotonic() - startedAtMs);
    assert.ok(perSecond <= lineLimit('read', { baud: 19_200, silenceMs: 2 }), `${perSecond}`);
  } finally {
    await line.close();
    await socket.want({ plugged: false });
    twin.slave.reset();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
