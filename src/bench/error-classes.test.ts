import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Ads1115 } from '../devices/ads1115/driver.ts';
import { BankAdc } from '../devices/bank/driver.ts';
import { DeviceError } from '../devices/device-error.ts';
import { Dfr1184 } from '../devices/dfr1184/driver.ts';
import { Dri0050 } from '../devices/dri0050/driver.ts';
import { Mcp2221a } from '../devices/mcp2221a/driver.ts';
import { Mcp2221aTwin } from '../devices/mcp2221a/twin.ts';
import { ModbusIo } from '../devices/modbus-io/driver.ts';
import { RtuLine } from '../devices/modbus-rtu/line.ts';
import { ModbusTcpMaster } from '../devices/modbus-tcp/tcp-master.ts';
import { TicT249 } from '../devices/tic/driver.ts';
import { systemClock } from '../lib/clock/clock.ts';
import { seededRandom } from '../lib/random/seeded-random.ts';
import { suite } from '../test-kit/suite.ts';
import { openByteTransport, openHidTransport, openI2cBus, openUsbControl } from '../transports/open.ts';
import { TcpTransport } from '../transports/tcp/tcp-transport.ts';
import { Bench, type BenchDeviceName } from './bench.ts';
import { HidSocket } from './hid/hid-socket.ts';

const test = suite('classes of errors, from the twin to the driver');

/** Short limits: how long a driver waits on a rig is proven with the driver. */
const QUICK = { replyTimeoutMs: 400, attempts: 1, turnaroundMs: 100 };

/** How a value is asked for: by the unmodified driver, over a real transport that it opens and closes. */
interface Subject {
  /** Id used in data. */
  device: string;
  place: (bench: Bench) => string;
  read: (address: string, bench: Bench) => Promise<unknown>;
}

interface Opened {
  open(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** What failed to open reports why at the first question, with the name of the device on it. */
async function asking<T>(port: Opened, ask: () => Promise<T>): Promise<T> {
  try {
    await port.open().catch(() => {});
    return await ask();
  } finally {
    await port.close();
  }
}

const rtu = (address: string, baud: number) =>
  new RtuLine({ transport: openByteTransport(address, { baud }), baud, ...QUICK });

const valves = (unit = 1, baud = 19200): Subject => ({
  device: 'modbus-io',
  place: ({ addresses }) => addresses['modbus-io'],
  read: (address) => {
    const line = rtu(address, baud);
    const io = new ModbusIo(line, { unit });
    return asking(line, () => io.start().then(() => io.readOutputs()));
  },
});
const valvesOverTcp: Subject = {
  device: 'modbus-io',
  place: ({ addresses }) => addresses['modbus-tcp'],
  read: (address) => {
    const [host = '', port] = address.split(':');
    const transport = new TcpTransport({ host, port: Number(port) });
    const master = new ModbusTcpMaster({ transport, ...QUICK });
    const io = new ModbusIo(master);
    return asking(master, () => io.start().then(() => io.readOutputs()));
  },
};
const pump = (unit = 0x32, baud = 9600): Subject => ({
  device: 'pump-motor',
  place: ({ addresses }) => addresses.pump,
  read: (address) => {
    const line = rtu(address, baud);
    return asking(line, () => new Dri0050(line, { unit }).readState());
  },
});
const usbAdc: Subject = {
  device: 'usb-adc-usbhid',
  place: ({ addresses }) => addresses.usbhid,
  read: (address) => {
    const adc = new Mcp2221a(openHidTransport(address));
    return asking({ open: () => adc.open(), close: () => adc.close() }, () =>
      adc.open().then(() => adc.read(1)),
    );
  },
};
const uartAdc: Subject = {
  device: 'usb-adc-uart',
  place: ({ addresses }) => addresses.uart,
  read: (address) => {
    const adc = new Dfr1184(openByteTransport(address, { baud: 9600 }));
    return asking(adc, () => adc.read(1, { deadlineMs: 1500 }));
  },
};
const lung: Subject = {
  device: 'lung-motor',
  place: ({ addresses }) => addresses.tic,
  read: async (address) => {
    const tic = new TicT249(openUsbControl(address));
    try {
      return await tic.open();
    } finally {
      // What could not be proven safe is reported again at the end; the first error is the one that counts here.
      await tic.close().catch(() => {});
    }
  },
};
const sensors: Subject = {
  device: 'sensor-adc',
  place: ({ addresses }) => addresses.ads1115,
  read: (address) => {
    const bus = openI2cBus(address);
    return asking({ open: async () => {}, close: () => bus.close() }, () => new Ads1115(bus).read(0));
  },
};
const bank = (bankId?: string): Subject => ({
  device: 'bank',
  place: ({ addresses }) => addresses.bank,
  read: async (address) => {
    const adc = new BankAdc({ url: address, ...(bankId === undefined ? {} : { bankId }) });
    const [result] = await adc.read([1]);
    adc.close();
    if (result?.status === 'fulfilled') return result.value;
    throw result?.reason;
  },
});

/** @returns its address, and how it is taken away again */
type Instead = (bench: Bench) => Promise<{ address: string; remove: () => Promise<void> }>;

interface Row {
  ids?: string;
  subject: Subject;
  fault: string;
  /** The twin that is spoilt, and how. */
  turn?: [BenchDeviceName, Record<string, unknown>];
  /** Something else in its place. */
  instead?: Instead;
  code: DeviceError['code'];
  reason?: string;
  /** What the message says beside the place: who holds it, who it is, and what to do next. */
  says: RegExp[];
}

const PLUG_IN = /plug (the device|it|the twin) in/;
const START_BENCH = /start svc-bench/;
const HELD = [/is held by .*\(pid \d+\)/, /stop that program/];
const MODBUS_SILENT = [/check supply, wiring \(A\/B\), unit id and bit rate/];

const elsewhere =
  (device: 'pump' | 'modbus-io'): Instead =>
  async ({ addresses }) => ({ address: addresses[device], remove: async () => {} });

/** A chip of another kind behind the same interface. */
const anotherChip: Instead = async () => {
  const twin = new Mcp2221aTwin({ clock: systemClock, random: seededRandom(1), productId: 0x00de });
  const socket = new HidSocket({ path: join(folder, 'another.sock'), twin, clock: systemClock });
  await socket.open();
  return { address: `bench:${socket.path}`, remove: () => socket.close() };
};

const rows: Row[] = [
  {
    subject: valves(),
    fault: 'absent',
    turn: ['modbus-io', { unplugged: true }],
    code: 'device_unavailable',
    reason: 'port_absent',
    says: [PLUG_IN],
  },
  {
    subject: valves(),
    fault: 'busy',
    turn: ['modbus-io', { port_held: true }],
    code: 'device_unavailable',
    reason: 'port_busy',
    says: HELD,
  },
  {
    subject: valves(0x32, 9600),
    fault: 'the pump at its port',
    instead: elsewhere('pump'),
    code: 'wrong_device',
    says: [/exception 1/, /not an IO 8CH board; check that the address is the port of the valves/],
  },
  {
    ids: 'DEV-043',
    subject: valves(),
    fault: 'silent',
    turn: ['modbus-io', { deaf: true }],
    code: 'device_timeout',
    reason: 'no_reply',
    says: MODBUS_SILENT,
  },
  {
    subject: valvesOverTcp,
    fault: 'absent',
    turn: ['modbus-io', { unplugged: true }],
    code: 'device_unavailable',
    reason: 'port_absent',
    says: [/check|start|correct/],
  },
  {
    subject: valvesOverTcp,
    fault: 'a server without coils',
    turn: ['modbus-io', { exception: 1 }],
    code: 'wrong_device',
    says: [/exception 1/, /not an IO 8CH board/],
  },
  {
    ids: 'DEV-043',
    subject: valvesOverTcp,
    fault: 'silent',
    turn: ['modbus-io', { deaf: true }],
    code: 'device_timeout',
    reason: 'no_reply',
    says: [/check supply, network and unit id/],
  },
  {
    subject: pump(),
    fault: 'absent',
    turn: ['pump', { unplugged: true }],
    code: 'device_unavailable',
    reason: 'port_absent',
    says: [PLUG_IN],
  },
  {
    subject: pump(),
    fault: 'busy',
    turn: ['pump', { port_held: true }],
    code: 'device_unavailable',
    reason: 'port_busy',
    says: HELD,
  },
  {
    ids: 'DEV-034',
    subject: pump(),
    fault: 'another PID',
    turn: ['pump', { wrong_pid: true }],
    code: 'wrong_device',
    says: [/PID C031/, /check that the address is the port of the pump/],
  },
  {
    ids: 'DEV-034',
    subject: pump(1, 19200),
    fault: 'the valve board at its port',
    instead: elsewhere('modbus-io'),
    code: 'wrong_device',
    says: [/exception 2/, /check that the address is the port of the pump/],
  },
  {
    ids: 'DEV-043',
    subject: pump(),
    fault: 'silent',
    turn: ['pump', { silent: true }],
    code: 'device_timeout',
    reason: 'no_reply',
    says: MODBUS_SILENT,
  },
  {
    subject: usbAdc,
    fault: 'absent',
    turn: ['usbhid', { unplug: true }],
    code: 'device_unavailable',
    reason: 'port_absent',
    says: [START_BENCH],
  },
  {
    subject: usbAdc,
    fault: 'another chip',
    instead: anotherChip,
    code: 'wrong_device',
    reason: 'ids',
    says: [/04d8:00de/, /check the address/],
  },
  {
    ids: 'DEV-043',
    subject: usbAdc,
    fault: 'silent',
    turn: ['usbhid', { reply_delay_ms: 60_000 }],
    code: 'device_timeout',
    reason: 'no_reply',
    says: [/unplug the chip and plug it in again/],
  },
  {
    subject: uartAdc,
    fault: 'absent',
    turn: ['uart', { unplugged: true }],
    code: 'device_unavailable',
    reason: 'port_absent',
    says: [PLUG_IN],
  },
  {
    subject: uartAdc,
    fault: 'busy',
    turn: ['uart', { port_held: true }],
    code: 'device_unavailable',
    reason: 'port_busy',
    says: HELD,
  },
  {
    subject: uartAdc,
    fault: 'something that answers AT with ERROR',
    turn: ['uart', { at_error: true }],
    code: 'corrupt_response',
    reason: 'extra',
    says: [/where exactly 4 are right/, /check that this port is the ADC module's/],
  },
  {
    ids: 'DEV-043',
    subject: uartAdc,
    fault: 'silent',
    turn: ['uart', { silent: true }],
    code: 'device_timeout',
    reason: 'no_reply',
    says: [/wiring and supply/, /DIP switch stands on UART/],
  },
  {
    ids: 'DEV-015',
    subject: uartAdc,
    fault: 'an answer cut short',
    turn: ['uart', { truncate: 2 }],
    code: 'corrupt_response',
    reason: 'short',
    says: [/2 bytes/],
  },
  {
    subject: lung,
    fault: 'absent',
    turn: ['tic', { unplug: true }],
    code: 'device_unavailable',
    reason: 'port_absent',
    says: [START_BENCH],
  },
  {
    subject: lung,
    fault: 'another Tic',
    turn: ['tic', { product_id: 0x00b3 }],
    code: 'wrong_device',
    reason: 'Tic T825',
    says: [/not the Tic T249/, /check the address/],
  },
  {
    ids: 'DEV-043',
    subject: lung,
    fault: 'silent',
    turn: ['tic', { once: [{ silent: true }] }],
    code: 'device_timeout',
    reason: 'no_reply',
    says: [/check cable/],
  },
  {
    subject: sensors,
    fault: 'absent: off the bus',
    turn: ['ads1115', { nack: true }],
    code: 'device_unavailable',
    reason: 'i2c_nack',
    says: [/0x48/, /check wiring, power and the address pins/],
  },
  {
    subject: sensors,
    fault: 'no permission',
    turn: ['ads1115', { permission_denied: true }],
    code: 'device_unavailable',
    reason: 'port_permission',
    says: [/add this user to the group i2c/],
  },
  {
    subject: sensors,
    fault: 'another chip, or another program at it',
    turn: ['ads1115', { foreign_config: true }],
    code: 'adc_foreign_config',
    says: [/stop that program .* or check the wiring/],
  },
  {
    ids: 'DEV-043',
    subject: sensors,
    fault: 'silent: no conversion ends',
    turn: ['ads1115', { slow: true }],
    code: 'device_timeout',
    reason: 'no_conversion',
    says: [/check the chip's supply/],
  },
  {
    subject: bank(),
    fault: 'absent',
    turn: ['bank', { unplugged: true }],
    code: 'bank_unreachable',
    reason: 'unreachable',
    says: [/check that the unit has power and network/],
  },
  {
    subject: bank('bank-7'),
    fault: 'another bank',
    code: 'bank_identity_mismatch',
    says: [/bank-0/, /check BANK_ADC_URL, BANK_ADC_ID and the channel map/],
  },
  {
    ids: 'DEV-043',
    subject: bank(),
    fault: 'silent',
    turn: ['bank', { delay_ms: 5000 }],
    code: 'bank_unreachable',
    reason: 'timeout',
    says: [/check the network/],
  },
];

let folder = '';
let bench: Bench;
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-error-classes-'));
  bench = new Bench({ folder });
  await bench.open();
});
test.after(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const { ids, subject, fault, turn, instead, code, reason, says } of rows) {
  const title = [ids, 'DEV-045', subject.device, `${fault}:`, code].filter(Boolean).join(' ');
  test(`${title}; reported with device, place and remedy, and no value`, async () => {
    await bench.reset();
    if (turn) await bench.setKnobs(...turn);
    const other = await instead?.(bench);
    const address = other?.address ?? subject.place(bench);
    const end = await subject.read(address, bench).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await other?.remove();
    assert.ok('error' in end, `a value came: ${JSON.stringify(end)}`);
    assert.instance(end.error, DeviceError, String(end.error));
    const error = end.error as DeviceError;
    assert.equal([error.code, error.reason], [code, reason], error.message);
    assert.is(error.device, subject.device);
    assert.match(String(error.endpoint), address);
    for (const part of [subject.device, address, ...says]) assert.match(error.message, part);
  });
}

for (const [name, subject] of Object.entries({
  valves: valves(),
  'valves over TCP': valvesOverTcp,
  pump: pump(),
  'USB ADC': usbAdc,
  'UART ADC': uartAdc,
  lung,
  sensors,
  bank: bank('bank-0'),
}))
  test(`DEV-045 ${name}: without a fault a value comes the same way`, async () => {
    await bench.reset();
    assert.ok(await subject.read(subject.place(bench), bench));
  });

test.run();
