import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Ads1115 } from '../devices/ads1115/driver.ts';
import { BankAdc } from '../devices/bank/driver.ts';
import type { DeviceError } from '../devices/device-error.ts';
import { Dfr1184 } from '../devices/dfr1184/driver.ts';
import { Dri0050 } from '../devices/dri0050/driver.ts';
import { Mcp2221a } from '../devices/mcp2221a/driver.ts';
import { ModbusIo } from '../devices/modbus-io/driver.ts';
import { RtuLine } from '../devices/modbus-rtu/line.ts';
import type { RtuTraceEvent } from '../devices/modbus-rtu/trace.ts';
import { TicT249 } from '../devices/tic/driver.ts';
import { systemClock } from '../lib/clock/clock.ts';
import { suite } from '../test-kit/suite.ts';
import { isBench } from '../transports/is-bench.ts';
import { openByteTransport, openHidTransport, openI2cBus, openUsbControl } from '../transports/open.ts';
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
  const { bank, 'modbus-tcp': tcp, ...local } = bench.addresses;
  assert.equal(Object.keys(local).sort(), ['ads1115', 'modbus-io', 'pump', 'tic', 'uart', 'usbhid']);
  for (const address of Object.values(local)) assert.is(isBench(address), true, address);
  for (const line of ['modbus-io', 'pump', 'uart'] as const)
    assert.match(realpathSync(bench.addresses[line]), /^\/dev\/pts\/\d+$/);
  assert.match(bank, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.match(tcp, /^127\.0\.0\.1:\d+$/);
});

test('DEV-046 the bank says itself that it is a bench', async ({ bench }) => {
  const [sample] = await new BankAdc({ url: bench.addresses.bank }).read([0]);
  assert.is(sample?.status === 'fulfilled' && sample.value.bench, true);
});

test('DEV-001 the devices and their inputs are those of the name map', async (context) => {
  const { bench } = context;
  assert.equal(
    bench.devices().map(({ device }) => device),
    ['usbhid', 'uart', 'tic', 'modbus-io', 'pump', 'ads1115', 'bank', 'plant'],
  );
  // A voltage of its own for each place, so that an input that is taken for another shows.
  await bench.setKnobs('plant', { rest_v: [0.5, 1, 1.5, 2] });
  const hid = new Mcp2221a(openHidTransport(bench.addresses.usbhid));
  await hid.open();
  const uart = new Dfr1184(openByteTransport(bench.addresses.uart, { baud: 9600 }));
  await uart.open();
  const bank = await new BankAdc({ url: bench.addresses.bank }).read([0, 1, 2]);
  const bus = openI2cBus(bench.addresses.ads1115);
  const adc = new Ads1115(bus);
  const seen: Record<string, number> = {};
  for (const outcome of await hid.readAll())
    if (outcome.ok) seen[outcome.sample.physicalInput] = outcome.sample.volts;
  for (const input of [1, 2] as const) seen[`DFR1184.AIN${input}`] = (await uart.read(input)).volts;
  for (const input of [0, 1, 2, 3] as const) seen[`ADS1115.AIN${input}`] = (await adc.read(input)).volts;
  bank.forEach((one, channel) => {
    if (one.status === 'fulfilled') seen[`bank-0/ch${channel}`] = one.value.volts;
  });
  await hid.close();
  await uart.close();
  await bus.close();
  const rounded = Object.entries(seen).map(([input, volts]) => [input, Math.round(volts * 100) / 100]);
  assert.equal(Object.fromEntries(rounded), {
    'MCP2221A.G1': 0.5,
    'MCP2221A.G2': 1,
    'MCP2221A.G3': 1.5,
    'DFR1184.AIN1': 1,
    'DFR1184.AIN2': 1.5,
    'ADS1115.AIN0': 0.5,
    'ADS1115.AIN1': 1,
    'ADS1115.AIN2': 1.5,
    'ADS1115.AIN3': 2,
    'bank-0/ch0': 0.5,
    'bank-0/ch1': 1,
    'bank-0/ch2': 1.5,
  });
});

test('DEV-045 the lung of the plant moves with the motor, and the motor feels the load of the rig', async (context) => {
  const { bench } = context;
  const tic = new TicT249(openUsbControl(bench.addresses.tic));
  await tic.open();
  assert.is((await tic.status()).vinMv, 24_000);
  bench.plant.setDuty(1);
  assert.is((await tic.status()).vinMv, 23_700);
  const motion = await tic.move({ direction: 'forward', steps: 200, speed: 10_000_000 });
  assert.is((await motion.ended).reason, 'arrived');
  const { lung, plant } = bench.outputs;
  assert.equal([lung.position, lung.energized], [200, false]);
  assert.ok(Math.abs(plant.lung_volume_l - 1.8) < 1e-9, String(plant.lung_volume_l));
  await bench.setKnobs('plant', { supply_v: 5 });
  assert.is((await tic.status()).lowVin, true);
  await tic.close();
});

test('DEV-045 a motor whose supply fails loses its current, without being asked', async ({ bench }) => {
  // At rest and in order: nothing else is due that would make it look at its supply.
  await bench.setKnobs('tic', { command_timeout_ms: 0, safe_start: false });
  const usb = openUsbControl(bench.addresses.tic);
  await usb.open();
  for (const request of [0x85, 0x89]) await usb.controlOut({ request, value: 0, index: 0 });
  await usb.close();
  assert.is(bench.outputs.lung.energized, true);
  const since = bench.tracePage({}).next;
  await bench.setKnobs('plant', { supply_v: 3 });
  await until(() => bench.tracePage({ device: 'tic', since }).trace.at(-1)?.energized === false);
});

test('DEV-042 a chip that resets itself is away for its time, and comes back', async (context) => {
  const { bench } = context;
  const away = () => bench.devices().find(({ device }) => device === 'usbhid')?.path === null;
  const reset = Uint8Array.from({ length: 64 }, (_, index) => [0x70, 0xab, 0xcd, 0xef][index] ?? 0);
  bench.twins.usbhid.receive(reset);
  await until(away);
  await until(() => !away());
  const { trace } = bench.tracePage({ device: 'usbhid' });
  assert.is(trace.at(-1)?.away_ms, 500);
});

test('DEV-042 a chip that lives on the power of its port has forgotten its settings when it returns', async (context) => {
  const { bench } = context;
  const hid = openHidTransport(bench.addresses.usbhid);
  const ask = async (...command: number[]): Promise<Uint8Array> => {
    await hid.open();
    const answer = new Promise<Uint8Array>((resolve) => {
      const end = hid.onReport((report) => {
        end();
        resolve(report);
      });
    });
    await hid.write(Uint8Array.from({ length: 65 }, (_, index) => command[index - 1] ?? 0));
    return answer;
  };
  const functions = async () => [...(await ask(0x61)).subarray(23, 26)].map((pin) => pin & 7);
  const ADC_PINS = [2, 2, 2];
  await ask(0x60, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 2, 2, 2);
  assert.equal(await functions(), ADC_PINS);
  const gone = new Promise<void>((resolve) => hid.onClosed(() => resolve()));
  await bench.setKnobs('usbhid', { unplug: true });
  await gone;
  await bench.setKnobs('usbhid', { unplug: false });
  assert.not.equal(await functions(), ADC_PINS);
  await hid.close();
});

test('DEV-042 a device that is pulled out is gone on every way to it', async (context) => {
  const folder = join(context.folder, 'usbip');
  const bench = new Bench({ folder, only: ['usbhid', 'tic'], usbipPort: 0 });
  await bench.open();
  try {
    const paths = () => bench.devices().map(({ ports }) => ports.map(({ path }) => path !== null));
    assert.equal(paths(), [[true, true], [true, true], []]);
    await bench.setKnobs('tic', { unplug: true });
    assert.equal(paths(), [[true, true], [false, false], []]);
    await bench.reset();
    assert.equal(paths(), [[true, true], [true, true], []]);
  } finally {
    await bench.close();
  }
});

test('a bench has the devices that were asked for and no others', async (context) => {
  const folder = join(context.folder, 'only');
  const bench = new Bench({ folder, only: ['pump'] });
  await bench.open();
  try {
    assert.equal(
      bench.devices().map(({ device }) => device),
      ['pump', 'plant'],
    );
    assert.equal(readdirSync(folder), ['pump']);
    assert.throws(() => bench.faultOnce('tic', [{}]), /no device "tic" on this bench; it has pump, plant/);
  } finally {
    await bench.close();
  }
  assert.equal(readdirSync(folder), []);
});

test('a bench that cannot be opened as a whole leaves nothing behind', async (context) => {
  const port = Number(new URL(context.bench.addresses.bank).port);
  const folder = join(context.folder, 'half');
  const bench = new Bench({ folder, bankPort: port });
  const error = await bench.open().catch((thrown: Error) => thrown);
  assert.match((error as Error).message, new RegExp(`127.0.0.1:${port} for the ADC bank.*--bank-port`));
  assert.equal(readdirSync(folder), []);
});

test('DEV-045 Modbus TCP reaches the same coils', async ({ bench }) => {
  const [host = '', port = ''] = bench.addresses['modbus-tcp'].split(':');
  const socket = connectTcp(Number(port), host);
  const answer = once(socket, 'data') as Promise<[Uint8Array]>;
  socket.write(Uint8Array.of(0, 7, 0, 0, 0, 6, 1, 5, 0, 2, 0xff, 0));
  assert.equal([...(await answer)[0]], [0, 7, 0, 0, 0, 6, 1, 5, 0, 2, 0xff, 0]);
  assert.is(bench.outputs.coils[2], true);
  assert.is(bench.outputs.clients['modbus-tcp'], 1);
  socket.destroy();
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
  assert.is(context.bench.twins['modbus-io'].slave.collisions, 0);
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

test('DEV-045 a twin understands only a host at its own bit rate', async ({ bench, lines }) => {
  const ask = async (device: 'modbus-io' | 'pump', baud: number) => {
    const transport = openByteTransport(bench.addresses[device], { baud });
    const line = new RtuLine({ transport, baud, replyTimeoutMs: 150, attempts: 1 });
    lines.push(line);
    await line.open();
    const result = await codeOf(
      device === 'pump' ? new Dri0050(line).readState() : new ModbusIo(line).probe(),
    );
    await line.close();
    return result;
  };
  assert.is(await ask('modbus-io', 9600), 'device_timeout');
  assert.is(await ask('modbus-io', 19_200), 'resolved');
  assert.is(await ask('pump', 19_200), 'device_timeout');
  assert.is(await ask('pump', 9600), 'resolved');
  await bench.setKnobs('modbus-io', { baud: 115_200 });
  assert.is(await ask('modbus-io', 19_200), 'device_timeout');
  assert.is(await ask('modbus-io', 115_200), 'resolved');
});

test('a second opener of a port is refused as busy', async (context) => {
  await connect(context, 'modbus-io');
  const second = openByteTransport(context.bench.addresses['modbus-io'], { baud: 19200 });
  await second.open().then(
    () => assert.unreachable(),
    (error: TransportError) => {
      assert.is(error.code, 'port_busy');
      assert.match(error.message, /held by|another program/);
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
  context.bench.twins['modbus-io'].force(0, false);
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
  const told = context.bench.trace().filter(({ kind }) => kind === 'knobs');
  assert.equal(
    told.slice(-3).map(({ knobs }) => knobs),
    [{ silent: false }, { ain0_v: null }, { leak: null }],
    'only what was turned back is reported',
  );
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
