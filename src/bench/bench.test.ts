import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Ads1115 } from '../devices/ads1115/driver.ts';
import type { DeviceError } from '../devices/device-error.ts';
import { Dri0050 } from '../devices/dri0050/driver.ts';
import { ModbusIo } from '../devices/modbus-io/driver.ts';
import { RtuLine } from '../devices/modbus-rtu/line.ts';
import type { RtuTraceEvent } from '../devices/modbus-rtu/trace.ts';
import { systemClock } from '../lib/clock/clock.ts';
import { isBench } from '../transports/is-bench.ts';
import { openByteTransport, openI2cBus } from '../transports/open.ts';
import type { TransportError } from '../transports/transport-error.ts';
import { Bench } from './bench.ts';
import type { TraceEntry } from './trace/trace-log.ts';

interface Context {
  folder: string;
  bench: Bench;
  lines: RtuLine[];
}

const test = suite<Context>('bench over real pseudo-terminals');

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: DeviceError) => error.code,
  );

/** Waits for something that happens on its own. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await systemClock.sleep(10);
}

async function connect(
  context: Context,
  device: 'modbus-io' | 'pump',
  trace: RtuTraceEvent[] = [],
): Promise<RtuLine> {
  const baud = device === 'pump' ? 9600 : 19200;
  const transport = openByteTransport(context.bench.addresses[device], { baud });
  const line = new RtuLine({ transport, baud, trace: (event) => trace.push(event) });
  context.lines.push(line);
  await line.open();
  return line;
}

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'svc-bench-test-'));
  context.bench = new Bench({ folder: context.folder, tracePath: join(context.folder, 'trace.ndjson') });
  context.lines = [];
  await context.bench.open();
});

test.after.each(async (context) => {
  for (const line of context.lines) await line.close();
  await context.bench.close();
  rmSync(context.folder, { recursive: true, force: true });
});

test('DEV-045 the drivers of the rig work the twins through serialport and a bench socket', async (context) => {
  const { bench } = context;
  const io = new ModbusIo(await connect(context, 'modbus-io'));
  const pump = new Dri0050(await connect(context, 'pump'));
  const bus = openI2cBus(bench.addresses.ads1115);
  const adc = new Ads1115(bus);
  await io.start();
  await pump.start();
  await adc.probe();
  assert.is((await adc.read(0)).volts, 0.635);
  await io.setOutput(0, true);
  await pump.setPower(100);
  assert.equal(bench.outputs.coils, [true, false, false, false, false, false, false, false]);
  assert.is(bench.outputs.pump.fraction, 1);
  await until(() => bench.plant.volts(0) > 1);
  assert.ok((await adc.read(0)).volts > 1);
  assert.is((await adc.read(1)).volts, 0.755);
  await pump.stop({ priority: 'safe' });
  await io.allOff({ priority: 'safe' });
  assert.is(bench.outputs.pump.fraction, 0);
  assert.not.ok(bench.outputs.coils.includes(true));
  await bus.close();
});

test('DEV-001 coil 0 to 3 and AIN0 to AIN3 belong together: valve-1 to valve-4 and ai01 to ai04', async (context) => {
  const { bench } = context;
  const io = new ModbusIo(await connect(context, 'modbus-io'));
  const bus = openI2cBus(bench.addresses.ads1115);
  const adc = new Ads1115(bus);
  const inputs = [0, 1, 2, 3] as const;
  await bench.setKnobs('plant', { tau_s: 0.001 });
  bench.plant.setDuty(1);
  for (const coil of inputs) {
    await io.setOutput(coil, true);
    const risen: number[] = [];
    for (const input of inputs) {
      const { volts } = await adc.read(input);
      if (volts - (bench.plant.parameters.rest_v[input] ?? 0) > 0.5) risen.push(input);
    }
    assert.equal(risen, [coil]);
    await io.setOutput(coil, false);
  }
  await bus.close();
});

test('DEV-046 its addresses are known as a bench, and the links lead to /dev/pts', ({ bench }) => {
  for (const address of Object.values(bench.addresses)) assert.is(isBench(address), true, address);
  assert.match(realpathSync(bench.addresses['modbus-io']), /^\/dev\/pts\/\d+$/);
});

test('DEV-030 a late reply on a real terminal is thrown away', async (context) => {
  const trace: RtuTraceEvent[] = [];
  const line = await connect(context, 'modbus-io', trace);
  const io = new ModbusIo(line);
  await io.setOutput(0, true);
  await context.bench.setKnobs('modbus-io', { once: [{ late_ms: 650 }] });
  assert.is((await io.readOutputs())[0], true);
  assert.is(line.statistics.lateFrames, 1);
  assert.ok(trace.some(({ note }) => note === 'late reply thrown away'));
  assert.is(context.bench.modbusIo.slave.collisions, 0);
});

test('DEV-042 unplugging and plugging in recovers without a restart', async (context) => {
  const line = await connect(context, 'modbus-io');
  const io = new ModbusIo(line);
  await io.setOutput(2, true);
  await context.bench.setKnobs('modbus-io', { unplugged: true });
  await until(() => line.state === 'absent');
  assert.is(await codeOf(io.readOutputs()), 'device_unavailable');
  assert.not.ok(existsSync(context.bench.addresses['modbus-io']));
  await context.bench.setKnobs('modbus-io', { unplugged: false });
  await until(() => line.state === 'open');
  assert.is((await io.readOutputs())[2], true);
});

test('a second opener of a port is told that it is busy', async (context) => {
  await connect(context, 'modbus-io');
  const second = openByteTransport(context.bench.addresses['modbus-io'], { baud: 19200 });
  await second.open().then(
    () => assert.unreachable(),
    (error: TransportError) => {
      assert.is(error.code, 'port_busy');
      assert.match(error.message, /another program holds it/);
    },
  );
});

test('DEV-045 with the knob port_held the port is busy, without it free again', async (context) => {
  await context.bench.setKnobs('modbus-io', { port_held: true });
  const error = await connect(context, 'modbus-io').then(
    () => undefined,
    (thrown: DeviceError) => thrown,
  );
  assert.equal([error?.code, error?.reason], ['device_unavailable', 'port_busy']);
  await context.bench.setKnobs('modbus-io', { port_held: false });
  const io = new ModbusIo(await connect(context, 'modbus-io'));
  await io.probe();
});

test('the terminal survives its clients', async (context) => {
  for (let client = 0; client < 5; client++) {
    const line = await connect(context, 'modbus-io');
    const io = new ModbusIo(line);
    await io.setOutput(client, true);
    assert.is((await io.readOutputs()).filter(Boolean).length, client + 1);
    await line.close();
  }
});

test('a stale answer in the terminal is not taken by the client that opens next', async (context) => {
  const first = await connect(context, 'modbus-io');
  await new ModbusIo(first).setOutput(0, true);
  await context.bench.setKnobs('modbus-io', { once: [{ late_ms: 100 }] });
  const reading = codeOf(new ModbusIo(first).readOutputs({ deadlineMs: 50 }));
  assert.is(await reading, 'device_timeout');
  await first.close();
  await systemClock.sleep(100);
  context.bench.modbusIo.force(0, false);
  const io = new ModbusIo(await connect(context, 'modbus-io'));
  assert.is((await io.readOutputs())[0], false);
});

test('at line rate the same drivers work', async ({ folder }) => {
  const bench = new Bench({ folder: join(folder, 'paced'), lineRate: true });
  const context: Context = { folder, bench, lines: [] };
  await bench.open();
  try {
    const io = new ModbusIo(await connect(context, 'modbus-io'));
    const pump = new Dri0050(await connect(context, 'pump'));
    await io.setOutput(3, true);
    assert.is((await pump.setPower(20)).duty, 51);
    await io.allOff();
    assert.is(context.lines[0]?.statistics.corrupt, 0);
    assert.is(context.lines[1]?.statistics.corrupt, 0);
  } finally {
    for (const line of context.lines) await line.close();
    await bench.close();
  }
});

test('the trace on disk has every frame and every move at once, in order', async (context) => {
  const io = new ModbusIo(await connect(context, 'modbus-io'));
  await io.setOutput(1, true);
  const text = readFileSync(join(context.folder, 'trace.ndjson'), 'utf8');
  const entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEntry);
  assert.equal(
    entries.map(({ n }) => n),
    entries.map((_, index) => index + 1),
  );
  assert.equal(entries, context.bench.trace());
  const seen = entries.slice(-5).map(({ kind, bytes, coil, on }) => [kind, bytes ?? `${coil} ${on}`]);
  assert.equal(seen, [
    ['in', '01 05 00 01 FF 00 DD FA'],
    ['coil', '1 true'],
    ['out', '01 05 00 01 FF 00 DD FA'],
    ['in', '01 01 00 00 00 08 3D CC'],
    ['out', '01 01 01 02 D0 49'],
  ]);
});

test('reset puts outputs, knobs, faults and plant at rest', async (context) => {
  const io = new ModbusIo(await connect(context, 'modbus-io'));
  await io.setOutput(1, true);
  await context.bench.setKnobs('modbus-io', { silent: true, once: [{ late_ms: 100 }] });
  await context.bench.setKnobs('ads1115', { ain0_v: 2 });
  await context.bench.setKnobs('plant', { leak: 0.1 });
  await context.bench.reset();
  assert.equal(await io.readOutputs(), new Array<boolean>(8).fill(false));
  assert.is(context.bench.plant.parameters.leak, null);
  const bus = openI2cBus(context.bench.addresses.ads1115);
  assert.is((await new Ads1115(bus).read(0)).volts, 0.635);
  await bus.close();
});

test('knobs that do not exist or are out of range are refused by name', async ({ bench }) => {
  const message = (patch: unknown, device: 'modbus-io' | 'plant' = 'modbus-io') =>
    bench.setKnobs(device, patch).then(
      () => '',
      (error: Error) => error.message,
    );
  assert.match(await message({ slient: true }), /unknown: slient/);
  assert.match(await message({ once: [{ late: 1 }] }), /faults of modbus-io.*late.*known: .*late_ms/);
  assert.match(await message({ tau_s: -1 }, 'plant'), /tau_s/);
  assert.match(await message('on'), /an object of knobs is wanted/);
});

test.run();
