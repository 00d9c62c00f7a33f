import * as assert from 'uvu/assert';
import { systemClock as clock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { Guest } from './host/guest.ts';
import { GuestBench } from './host/guest-bench.ts';
import { until } from './host/until.ts';
import { guestImage, guestMissing } from './prepare/guest-image.ts';

const test = suite('the twins as devices of a machine in QEMU, over usb-redir');
const missing = guestMissing();
const inGuest = test.needs(missing === undefined, missing ?? '');

/** A guest without KVM beside other work is slow. */
const SLOW = { timeoutMs: 240_000 };
const SOON_MS = 60_000;
const DEVICES = ['usbhid', 'tic', 'modbus-io', 'pump', 'ads1115'] as const;
/** Of the ADC chip, volts. */
const VREF = 3.3;

let bench: GuestBench;
let guest: Guest;

test.before(async () => {
  if (missing !== undefined) return;
  bench = await GuestBench.start();
  const sockets = DEVICES.map((device) => bench.socketOf(device));
  guest = await Guest.boot(guestImage(), clock, sockets);
}, SLOW);

test.after(async () => {
  await guest?.end();
  await bench?.end();
});

const soon = <T>(what: string, look: () => Promise<T>, isWanted: (seen: T) => boolean) =>
  until(clock, what, SOON_MS, look, isWanted);

const nodes = () => guest.ask('names', '/dev');
/** hidraw of a keyboard, which is no twin, and of the ADC chip. */
const NODES = ['hidraw0', 'hidraw1', 'i2c-0', 'ttyACM0', 'ttyACM1', 'ttyACM2'];
const own = (names: string[]) => names.filter((name) => /^(hidraw|i2c-|ttyACM)/.test(name));

/** The adapter by its serial number: the kernel numbers ports in the order in which it finds them. */
async function portOf(serial: string): Promise<string> {
  const [name] = (
    await guest.ask('run', 'sh', '-c', `grep -l ${serial} /sys/bus/usb/devices/*/serial`)
  ).match(/\/sys\/bus\/usb\/devices\/[^/]+/) ?? [''];
  const [tty = ''] = await guest.ask('names', `${name}/${name.split('/').at(-1)}:1.0/tty`);
  assert.match(tty, /^ttyACM\d$/);
  return `/dev/${tty}`;
}

inGuest(
  'DEV-045 an unmodified kernel makes hidraw, serial ports, an I2C bus and a USB device of the twins',
  async () => {
    await soon('all nodes are there', nodes, (names) => NODES.every((node) => names.includes(node)));
    assert.is((await guest.ask('findUsb', 0x1ffb, 0x00c9)).length, 1);
    const chips = (await guest.ask('serialPorts')).flatMap(({ chip }) => chip ?? []);
    assert.equal(chips.sort(), ['CH343', 'CH343', 'MCP2221A']);
    assert.is(await guest.ask('isBench', 'hid:04d8:00dd'), false, 'nothing marks it as a twin');
  },
  SLOW,
);

inGuest(
  'DEV-005 over hidraw each reading has the voltage that the bench was told',
  async () => {
    const volts = [0, 512, 1022].map((word) => ((word + 0.5) * VREF) / 1024);
    await bench.turn('usbhid', { g1_v: volts[0], g2_v: volts[1], g3_v: volts[2] });
    assert.is((await guest.ask('openAdc')).endpoint?.backend, 'hidraw');
    for (const row of await guest.ask('readAdc', 20))
      assert.equal(
        row.map(({ raw }) => raw),
        [0, 512, 1022],
      );
  },
  SLOW,
);

inGuest(
  'DEV-021 DEV-045 the Tic moves as ordered, and a STALL is a refusal',
  async () => {
    assert.is((await guest.ask('openTic')).report.firmware, '1.06');
    const from = (await bench.outputs()).lung.position;
    const end = await guest.ask('moveTic', { direction: 'forward', steps: 150, speed: 2_000_000 });
    assert.equal([end.reason, end.position], ['arrived', from + 150]);
    assert.is((await bench.outputs()).lung.position, from + 150);
    const refused = await guest.ask('askTic', { request: 0x77, value: 0, index: 0 }, 2).then(
      () => 'accepted',
      ({ code }) => code,
    );
    assert.is(refused, 'usb_stall');
  },
  SLOW,
);

inGuest(
  'DEV-045 the valve module answers on its adapter, at the rate of its line alone',
  async () => {
    const port = await portOf('VALVES');
    await bench.turn('modbus-io', { coil_stuck: [] });
    assert.equal(await guest.ask('readCoils', port, 19_200), new Array(8).fill(false));
    const refused = await guest.ask('readCoils', port, 9600).then(
      () => 'accepted',
      ({ code }) => code,
    );
    assert.is(refused, 'device_timeout');
  },
  SLOW,
);

inGuest(
  'DEV-057 the sensor service reads each input of the converter on the I2C adapter',
  async () => {
    await bench.turn('ads1115', { ain0_v: 0.635, ain1_v: 0.755, ain2_v: 0.885, ain3_v: 0 });
    await guest.ask('startSensors', { SVC_I2C_BUS: '0' });
    for (const [index, raw] of [5080, 6040, 7080, 0].entries()) {
      // An exchange of this guest may miss its deadline; it then has no value.
      const { status, body } = await soon(
        `ai0${index + 1} is read in time`,
        () => guest.ask('getSensors', `/api/v1/hardware/sensor/ai0${index + 1}`),
        (answer) => answer.status !== 504,
      );
      assert.equal([status, body.raw], [200, raw], JSON.stringify(body));
    }
    await bench.turn('ads1115', { nack: true });
    const { status, body } = await guest.ask('getSensors', '/api/v1/hardware/sensor/ai01');
    assert.equal([status >= 500, body.ok, body.value], [true, false, undefined], JSON.stringify(body));
    await bench.turn('ads1115', { nack: false });
    assert.is(await guest.ask('stopSensors'), 0);
  },
  SLOW,
);

inGuest(
  'DEV-042 a device that is unplugged loses its nodes, and has them again when it is plugged in',
  async () => {
    await guest.ask('closeAdc');
    await guest.ask('closeTic');
    for (const [device, knob] of [
      ['usbhid', 'unplug'],
      ['modbus-io', 'unplugged'],
      ['pump', 'unplugged'],
      ['ads1115', 'unplugged'],
    ] as const) {
      await soon('all nodes are there', nodes, (names) => own(names).length === NODES.length);
      await bench.turn(device, { [knob]: true });
      await soon(`${device} is gone`, nodes, (names) => own(names).length < NODES.length);
      await bench.turn(device, { [knob]: false });
    }
    await soon('all nodes are there again', nodes, (names) => own(names).length === NODES.length);
    await bench.turn('tic', { unplug: true });
    const tics = () => guest.ask('findUsb', 0x1ffb, 0x00c9);
    await soon('the Tic is gone', tics, (found) => found.length === 0);
    await bench.turn('tic', { unplug: false });
    await soon('the Tic is back', tics, (found) => found.length === 1);
  },
  SLOW,
);

test.run();
