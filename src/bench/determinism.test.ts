import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../lib/clock/stepped-clock.ts';
import { suite } from '../test-kit/suite.ts';
import { openByteTransport, openI2cBus, openUsbControl } from '../transports/open.ts';
import { Bench, type BenchDeviceName } from './bench.ts';
import type { TraceEntry } from './trace/trace-entry.ts';

const test = suite('the same seed, the same requests, the same steps');
let folder = '';

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-determinism-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

interface Session {
  bench: Bench;
  /** Writes to a serial line and waits until the twin has said so many more things. */
  say(device: 'modbus-io' | 'pump' | 'uart', hex: string, entries: number): Promise<void>;
}

/** A bench on a stepped clock, used by `work`. @returns the bytes of its trace file */
async function traceOf(seed: number, work: (session: Session) => Promise<void>): Promise<string> {
  const dir = mkdtempSync(join(folder, 'bench-'));
  const tracePath = join(dir, 'trace.ndjson');
  const bench = new Bench({ folder: dir, seed, clock: new SteppedClock(), tracePath });
  await bench.open();
  const opened: { close(): Promise<void> }[] = [];
  try {
    await work({
      bench,
      say: async (device, hex, entries) => {
        const port = openByteTransport(bench.addresses[device], {
          baud: device === 'modbus-io' ? 19200 : 9600,
        });
        opened.push(port);
        await port.open();
        const since = bench.tracePage({}).next;
        await port.write(Uint8Array.from(Buffer.from(hex, 'hex')));
        await told(bench, device, since, entries);
        await port.close();
      },
    });
  } finally {
    for (const port of opened) await port.close();
    await bench.close();
  }
  return readFileSync(tracePath, 'utf8');
}

/** Waits for what the twin has to say by itself. */
async function told(bench: Bench, device: BenchDeviceName, since: number, entries: number): Promise<void> {
  const signal = AbortSignal.timeout(5000);
  for (;;) {
    const { trace } = bench.tracePage({ device, since });
    if (trace.length >= entries) return;
    const last = trace.at(-1)?.n ?? since;
    await bench.traceArrival({ device, since: last }, signal);
    signal.throwIfAborted();
  }
}

const READ_COILS = '0101000000083dcc';
const COIL_0_ON = '01050000ff008c3a';

async function scene({ bench, say }: Session): Promise<void> {
  await bench.setKnobs('plant', { noise_v: 0.01, leak: 0.1 });
  bench.faultOnce('modbus-io', [{ bad_crc: true }, { foreign: true }, { late_ms: 100 }]);
  await say('modbus-io', COIL_0_ON, 3);
  await bench.advance(120);
  await say('modbus-io', READ_COILS, 2);
  await say('modbus-io', READ_COILS, 1);
  await bench.advance(250);
  await say('uart', 'cc200101bb3103', 2);
  await bench.advance(20);
  const bus = openI2cBus(bench.addresses.ads1115);
  for (const mux of [0xc3, 0xd3]) {
    await bus.transfer(0x48, Uint8Array.of(0x01, mux, 0x83), 0);
    await bench.advance(10);
    await bus.transfer(0x48, Uint8Array.of(0x00), 2);
  }
  await bus.close();
  const usb = openUsbControl(bench.addresses.tic);
  await usb.open();
  await usb.controlOut({ request: 0x85, value: 0, index: 0 });
  await usb.controlOut({ request: 0x83, value: 0, index: 0 });
  await usb.controlOut({ request: 0xe3, value: 0x9680, index: 0x98 });
  await bench.advance(300);
  await usb.controlIn({ request: 0xa1, value: 0, index: 0 }, 0x5a);
  await bench.advance(2000);
  await usb.close();
}

test('DEV-047 give a trace that is the same byte for byte, noise and faults included', async () => {
  const [first, again] = [await traceOf(7, scene), await traceOf(7, scene)];
  assert.ok(first.length > 3000, 'the scene leaves a trace');
  assert.is(first, again);
});

test('DEV-047 another seed gives other chance', async () => {
  assert.is.not(await traceOf(7, scene), await traceOf(8, scene));
});

const outOf = (trace: string, device: BenchDeviceName): string[] =>
  trace
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEntry)
    .filter((entry) => entry.device === device && entry.kind === 'out')
    .map(({ bytes = '' }) => bytes);

test('DEV-047 what is asked of one device does not change the chance of another', async () => {
  const faults = Array.from({ length: 6 }, () => ({ bad_crc: true }));
  const alone = await traceOf(3, async ({ bench, say }) => {
    bench.faultOnce('modbus-io', faults);
    for (let n = 0; n < 6; n++) await say('modbus-io', READ_COILS, 2);
  });
  const inCompany = await traceOf(3, async ({ bench, say }) => {
    await bench.setKnobs('plant', { noise_v: 0.01 });
    bench.faultOnce('modbus-io', faults);
    bench.faultOnce('pump', faults);
    for (let n = 0; n < 6; n++) {
      await say('pump', '32030000000181c9', 2);
      bench.plant.volts(0);
      await say('modbus-io', READ_COILS, 2);
    }
  });
  assert.is(outOf(alone, 'modbus-io').length, 6);
  assert.equal(outOf(alone, 'modbus-io'), outOf(inCompany, 'modbus-io'));
});

test('DEV-047 an ADC sees the same noise whatever another ADC reads', async () => {
  const read = async (bench: Bench) => {
    const bus = openI2cBus(bench.addresses.ads1115);
    await bus.transfer(0x48, Uint8Array.of(0x01, 0xc3, 0x83), 0);
    await bench.advance(10);
    await bus.transfer(0x48, Uint8Array.of(0x00), 2);
    await bus.close();
  };
  const alone = await traceOf(3, async ({ bench }) => {
    await bench.setKnobs('plant', { noise_v: 0.01 });
    for (let n = 0; n < 4; n++) await read(bench);
  });
  const inCompany = await traceOf(3, async ({ bench, say }) => {
    await bench.setKnobs('plant', { noise_v: 0.01 });
    for (let n = 0; n < 4; n++) {
      await say('uart', 'cc200101bb3103', 2);
      await bench.advance(20);
      await read(bench);
    }
  });
  assert.is(new Set(outOf(alone, 'ads1115')).size, 4);
  assert.equal(outOf(alone, 'ads1115'), outOf(inCompany, 'ads1115'));
});

test('frames without lateness are answered at once although the clock stands still', async () => {
  const trace = await traceOf(1, async ({ say }) => {
    await say('modbus-io', COIL_0_ON, 3);
    await say('pump', '320600080001cc0b', 2);
  });
  const entries = trace
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEntry);
  assert.equal(
    entries.map(({ device, kind, at_ms }) => [device, kind, at_ms]),
    [
      ['modbus-io', 'in', 0],
      ['modbus-io', 'coil', 0],
      ['modbus-io', 'out', 0],
      ['pump', 'in', 0],
      ['pump', 'drive', 0],
      ['pump', 'out', 0],
    ],
  );
});

test.run();
