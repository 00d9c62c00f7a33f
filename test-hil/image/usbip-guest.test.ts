import * as assert from 'uvu/assert';
import { systemClock as clock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { HidCandidate } from '../../src/transports/index.ts';
import { Guest, type GuestError } from './host/guest.ts';
import { GuestBench } from './host/guest-bench.ts';
import { until } from './host/until.ts';
import { guestImage, guestMissing } from './prepare/guest-image.ts';

const test = suite('the twins as USB devices of a guest kernel');
const missing = guestMissing();
const inGuest = test.needs(missing === undefined, missing ?? '');

/** A guest without KVM beside other work is slow. */
const BOOT = { timeoutMs: 240_000 };
const SLOW = { timeoutMs: 120_000 };
const PLUG_MS = 20_000;

const ADC = [0x04d8, 0x00dd] as const;
const TIC = [0x1ffb, 0x00c9] as const;
const KEYBOARD = [0x0627, 0x0001] as const;
const BUS_ID = { usbhid: '1-1', tic: '1-2' } as const;

const VREF = 3.3;

let bench: GuestBench;
let guest: Guest;

test.before(async () => {
  if (missing !== undefined) return;
  bench = await GuestBench.overUsbip();
  guest = await Guest.boot(guestImage(), clock);
}, BOOT);

test.after(async () => {
  await guest?.end();
  await bench?.end();
});

const soon = <T>(what: string, look: () => Promise<T>, isWanted: (seen: T) => boolean) =>
  until(clock, what, PLUG_MS, look, isWanted);

const attach = (twin: keyof typeof BUS_ID) =>
  guest.ask('run', 'usbip', '--tcp-port', String(bench.port), 'attach', '-r', '10.0.2.2', '-b', BUS_ID[twin]);

const adcs = () => guest.ask('findHid', ...ADC);
const tics = () => guest.ask('findUsb', ...TIC);
const ticState = () => guest.ask('ticState');
const adcState = () => guest.ask('adcState');

const refusal = (asked: Promise<unknown>): Promise<GuestError> =>
  asked.then(
    (value) => assert.unreachable(`it was not refused: ${JSON.stringify(value)}`),
    (error) => error,
  );

/** The interface once the guest's kernel has made of it what is wanted. */
async function adcOnce(what: string, isWanted: (adc: HidCandidate) => boolean): Promise<HidCandidate> {
  const look = async () => (await adcs())[0];
  const seen = await soon(what, look, (adc) => adc !== undefined && isWanted(adc));
  if (!seen) throw new Error(what);
  return seen;
}

/** Tells the bench voltages in the middle of three steps of the converter, and compares each reading with them. */
async function compare(words: readonly [number, number, number], count = 1): Promise<void> {
  const volts = words.map((word) => ((word + 0.5) * VREF) / 1024);
  await bench.turn('usbhid', { g1_v: volts[0], g2_v: volts[1], g3_v: volts[2] });
  const rows = await guest.ask('readAdc', count);
  assert.is(rows.length, count);
  for (const row of rows)
    assert.equal(
      row,
      words.map((raw, index) => ({
        input: `MCP2221A.G${index + 1}`,
        raw,
        volts: (raw * VREF) / 1024,
        verified: true,
      })),
    );
}

inGuest(
  'DEV-045 an unmodified kernel takes both twins for real: hidraw, tty and usbfs nodes, without any udev',
  async () => {
    assert.equal(await adcs(), []);
    const before = await guest.ask('names', '/dev');
    await attach('usbhid');
    await attach('tic');
    const adc = await adcOnce('the ADC gets a hidraw node', ({ hidraw }) => hidraw !== null);
    assert.is(adc.kernelDriver, 'hid-generic');
    const { product } = await guest.ask('usbStrings', adc.usb.directory);
    assert.is(product, 'MCP2221 USB-I2C/UART Combo');
    assert.ok(adc.interfaceName.endsWith(':1.2'), adc.interfaceName);
    const [tic] = await soon('the Tic is there', tics, (found) => found.length === 1);
    assert.is(tic?.bcdDevice, 0x0106);
    const added = (await guest.ask('names', '/dev')).filter((name) => !before.includes(name));
    assert.equal(added, [`${adc.hidraw?.replace('/dev/', '')}`, 'ttyACM0', 'usb']);
    for (const { node } of [adc.usb, tic ?? adc.usb])
      assert.match(await guest.ask('run', 'ls', '-l', node), /^crw/);
    assert.equal([await guest.ask('names', '/run/udev'), await guest.ask('names', '/dev/serial')], [[], []]);
    assert.not.match(await guest.ask('run', 'ps'), /udev/);
  },
  SLOW,
);

inGuest(
  'DEV-046 both are bench because they hang on vhci_hcd; a device of another controller is not',
  async () => {
    assert.is(await guest.ask('isBench', 'hid:04d8:00dd'), true);
    assert.is(await guest.ask('isBench', 'usb:1ffb:00c9'), true);
    assert.is((await guest.ask('findHid', ...KEYBOARD)).length, 1);
    assert.is(await guest.ask('isBench', 'hid:0627:0001'), false);
  },
);

inGuest(
  'DEV-005 DEV-007 DEV-038 over hidraw each reading has the voltages that the bench was told',
  async () => {
    const { endpoint, passedOver } = await guest.ask('openAdc');
    const adc = await adcOnce('it is open', () => true);
    assert.equal([endpoint?.backend, endpoint?.path], ['hidraw', adc.hidraw]);
    assert.equal(passedOver, []);
    const identity = await guest.ask('adcIdentity');
    assert.equal(
      [identity.manufacturer, identity.product, identity.factorySerial, identity.hardwareRevision],
      ['Microchip Technology Inc.', 'MCP2221 USB-I2C/UART Combo', '01234567', 'A6'],
    );
    await compare([0, 512, 1022]);
    await compare([1022, 0, 512]);
    await compare([197, 234, 274], 100);
  },
  SLOW,
);

inGuest('DEV-039 the tty of the chip is refused, by its name and behind a link', async () => {
  const [port] = (await guest.ask('serialPorts')).filter(({ chip }) => chip === 'MCP2221A');
  assert.equal([port?.device, port?.kind], ['/dev/ttyACM0', 'usb-adc']);
  await guest.ask('run', 'ln', '-s', '/dev/ttyACM0', '/tmp/valves');
  for (const path of ['/dev/ttyACM0', '/tmp/valves', 'serial:/tmp/valves']) {
    const error = await refusal(guest.ask('openPort', path));
    assert.is(error.code, 'port_forbidden', error.message);
    assert.match(error.message, /04d8:00dd/);
  }
  // A port of the guest's own is not forbidden.
  await guest.ask('openPort', '/dev/ttyS0');
});

inGuest(
  'DEV-021 DEV-022 over the package usb the Tic says who it is, moves as ordered, is kept alive and made safe',
  async () => {
    const { report, identity } = await guest.ask('openTic');
    assert.equal([report.product, report.firmware], ['Tic T249', '1.06']);
    assert.equal([identity?.vendorId, identity?.productId], [...TIC]);
    assert.match(String(identity?.path), /^\d+-2$/);
    const from = (await bench.outputs()).lung.position;
    const end = await guest.ask('moveTic', { direction: 'forward', steps: 150, speed: 2_000_000 });
    assert.equal([end.reason, end.position], ['arrived', from + 150]);
    assert.equal((await bench.outputs()).lung, { position: from + 150, velocity: 0, energized: false });

    await guest.ask('runTic', { direction: 'reverse', speed: 1_000_000, acceleration: 1_000_000 });
    // The device's own command timeout is 1000 ms: what still moves after two of them was kept alive.
    await clock.sleep(2_500);
    const running = (await bench.outputs()).lung;
    assert.equal([running.velocity, running.energized], [-100, true]);
    const seen = await guest.ask('ticStatus');
    assert.equal([seen.velocity, seen.moving], [-1_000_000, true]);

    const safe = await guest.ask('stopTic');
    const truth = (await bench.outputs()).lung;
    assert.equal([safe.energized, safe.velocity, safe.position], [false, 0, truth.position]);
    assert.equal([truth.energized, truth.velocity], [false, 0]);
  },
  SLOW,
);

inGuest('DEV-045 a STALL reaches the program as a refusal, and the next request is answered', async () => {
  const unknown = await refusal(guest.ask('askTic', { request: 0x77, value: 0, index: 0 }, 2));
  assert.is(unknown.code, 'usb_stall', unknown.message);
  const vin = await guest.ask('askTic', { request: 0xa1, value: 0, index: 0x33 }, 2);
  assert.equal(vin, [24_000 & 0xff, 24_000 >> 8]);
  // One refused reading is repeated; a device that goes on refusing is an error.
  await bench.spoil('tic', [{ stall: true }]);
  assert.is((await guest.ask('ticStatus')).vinMv, 24_000);
  await bench.spoil('tic', [{ stall: true }, { stall: true }, { stall: true }]);
  const refused = await refusal(guest.ask('ticStatus'));
  assert.equal([refused.code, refused.reason], ['device_error', 'usb_stall']);
  assert.is((await guest.ask('ticStatus')).vinMv, 24_000);
});

inGuest(
  'DEV-042 a pulled ADC has no nodes and no readings; plugged in and attached again it works without a restart',
  async () => {
    const before = await adcOnce('it is there', () => true);
    await bench.turn('usbhid', { unplug: true });
    await soon(
      'the nodes vanish',
      () => guest.ask('names', '/dev'),
      (names) => names.every((name) => !/^ttyACM/.test(name) && `/dev/${name}` !== before.hidraw),
    );
    assert.equal(await adcs(), []);
    await soon('the driver notices', adcState, (state) => state === 'absent');
    const error = await refusal(guest.ask('readAdc', 1));
    assert.is(error.code, 'device_unavailable', error.message);

    await bench.turn('usbhid', { unplug: false });
    await attach('usbhid');
    await soon('it is open again', adcState, (state) => state === 'open');
    await compare([700, 300, 100], 10);
  },
  SLOW,
);

inGuest(
  'DEV-051 an ADC that is enumerated and silent leaves the program running, and is open again by itself when it answers',
  async () => {
    await bench.turn('usbhid', { silent: true });
    const timeout = await refusal(guest.ask('readAdc', 1));
    assert.is(timeout.code, 'device_timeout', timeout.message);
    await soon('the driver says that it is absent', adcState, (state) => state === 'absent');
    // Long enough for several openings of the handle, and for answers owed to every command that could distinguish them.
    for (let look = 0; look < 16; look++) {
      await clock.sleep(1000);
      const error = await refusal(guest.ask('readAdc', 1));
      assert.is(error.code, 'device_unavailable', error.message);
    }
    await adcOnce('it is enumerated', ({ hidraw }) => hidraw !== null);
    await bench.turn('usbhid', { silent: false });
    await soon('it is open again', adcState, (state) => state === 'open');
    await compare([111, 222, 333], 10);
  },
  SLOW,
);

inGuest(
  'DEV-051 a handle of the kernel that is closed in the turn in which it was opened ends no program',
  async () => {
    await guest.ask('closeAdc');
    for (let round = 0; round < 10; round++) await guest.ask('openAndCloseHid');
    await guest.ask('openAdc');
    await compare([10, 20, 30]);
  },
  SLOW,
);

inGuest(
  'DEV-042 a Tic that is pulled while it moves is made safe as soon as it is back',
  async () => {
    await guest.ask('runTic', { direction: 'forward', speed: 1_000_000, acceleration: 1_000_000 });
    await bench.turn('tic', { unplug: true });
    await soon('the node vanishes', tics, (found) => found.length === 0);
    await soon('the driver notices', ticState, (state) => state === 'absent');
    const error = await refusal(guest.ask('ticStatus'));
    assert.is(error.code, 'device_unavailable', error.message);
    // Without commands the device itself halts, and holds.
    const held = await soon(
      'it halts',
      async () => (await bench.outputs()).lung,
      ({ velocity }) => velocity === 0,
    );
    assert.is(held.energized, true);

    await bench.turn('tic', { unplug: false });
    await attach('tic');
    await soon('it is open again', ticState, (state) => state === 'open');
    assert.equal((await bench.outputs()).lung, { ...held, velocity: 0, energized: false });
    assert.is((await guest.ask('ticStatus')).position, held.position);
    await guest.ask('closeTic');
  },
  SLOW,
);

inGuest(
  'DEV-038 where hid_mcp2221 owns the chip libusb is taken and says why; the kernel has it back at the close',
  async () => {
    await guest.ask('closeAdc');
    // It asks the chip six questions before it listens, and waits 4 s for each answer: here, and when it gets the chip back.
    const taking = guest.ask('run', 'insmod', '/modules/hid_mcp2221.ko');
    await clock.sleep(2000);
    const startedAt = clock.monotonic();
    await tics();
    await adcs();
    assert.ok(clock.monotonic() - startedAt < 5000, 'looking for a device waited for the probe of the ADC');
    await taking;
    const owned = await adcOnce('hid_mcp2221 takes it', ({ kernelDriver }) => kernelDriver === 'mcp2221');
    assert.is(owned.hidraw, null);

    const { endpoint, passedOver } = await guest.ask('openAdc');
    assert.equal(endpoint, { backend: 'libusb', path: owned.interfaceName, kernelDriver: 'mcp2221' });
    assert.equal(
      passedOver.map(({ backend }) => backend),
      ['hidraw'],
    );
    assert.match(String(passedOver[0]?.reason), /no hidraw node \(mcp2221 owns.*blacklist hid_mcp2221/);
    assert.is((await adcOnce('it is open', () => true)).kernelDriver, 'usbfs');
    await compare([5, 600, 900]);
    await compare([197, 234, 274], 100);
    await guest.ask('closeAdc');
    await adcOnce('the kernel has it back', ({ kernelDriver }) => kernelDriver === 'mcp2221');

    await guest.ask('run', 'rmmod', 'hid_mcp2221');
    await adcOnce('hidraw is back', ({ hidraw }) => hidraw !== null);
    assert.is((await guest.ask('openAdc')).endpoint?.backend, 'hidraw');
    await compare([321, 123, 231]);
    await guest.ask('closeAdc');
  },
  SLOW,
);

test.run();
