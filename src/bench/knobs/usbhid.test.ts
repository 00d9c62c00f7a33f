import * as assert from 'uvu/assert';
import { Mcp2221a } from '../../devices/mcp2221a/driver.ts';
import { codeOf, type Effects, near, provesKnobs, until } from '../../test-kit/bench/on-bench.ts';
import { openHidTransport } from '../../transports/open.ts';
import type { Bench } from '../bench.ts';

async function connect(bench: Bench) {
  const adc = new Mcp2221a(openHidTransport(bench.addresses.usbhid));
  await adc.open();
  return { client: adc, close: () => adc.close() };
}

const RESOLUTION = 3.3 / 1024;

/** Each pin's knob moves its own input and no other. */
const pins: Effects<Mcp2221a> = Object.fromEntries(
  ([1, 2, 3] as const).map((pin) => [
    `g${pin}_v`,
    [
      `puts a voltage on G${pin} alone`,
      async (adc: Mcp2221a, turn: (knobs: Record<string, unknown>) => Promise<unknown>) => {
        const rest = [0.635, 0.755, 0.885];
        await turn({ [`g${pin}_v`]: 2.5 });
        for (const channel of [1, 2, 3] as const) {
          const { volts } = await adc.read(channel);
          near(volts, channel === pin ? 2.5 : (rest[channel - 1] ?? 0), RESOLUTION);
        }
      },
    ],
  ]),
);

const test = provesKnobs({
  device: 'usbhid',
  listed: [
    'vref',
    'g1_v',
    'g2_v',
    'g3_v',
    'i2c_map',
    'nack',
    'sda_stuck',
    'scl_stuck',
    'cancel_wedges',
    'unplug',
    'silent',
    'factory_serial',
    'usb_serial',
    'reply_delay_ms',
    'result_byte',
    'stale_bytes',
    'ignore_sram_set',
  ],
  connect,
  effects: {
    ...pins,
    vref: [
      'a supply that is not what the driver was told shifts every reading',
      async (adc, turn) => {
        await turn({ vref: 1.65, g1_v: 0.8 });
        near((await adc.read(1)).volts, 1.6, RESOLUTION);
      },
    ],
    i2c_map: [
      'the scan finds what is on the bus, twins and rows of registers',
      async (adc, turn) => {
        assert.equal((await adc.scanI2c()).addresses, []);
        await turn({ i2c_map: [0x20, 0x48] });
        assert.equal((await adc.scanI2c()).addresses, [0x20, 0x48]);
      },
    ],
    nack: [
      'nothing on the bus acknowledges',
      async (adc, turn) => {
        await turn({ i2c_map: [0x48], nack: true });
        assert.equal((await adc.scanI2c()).addresses, []);
      },
    ],
    sda_stuck: [
      'a bus that is held low refuses the scan',
      async (adc, turn) => {
        await turn({ sda_stuck: true });
        assert.is(await codeOf(adc.scanI2c()), 'i2c_bus_stuck');
      },
    ],
    scl_stuck: [
      'a bus that is held low refuses the scan',
      async (adc, turn) => {
        await turn({ scl_stuck: true });
        assert.is(await codeOf(adc.scanI2c()), 'i2c_bus_stuck');
      },
    ],
    cancel_wedges: [
      'a chip that takes a cancel before its first transfer can be scanned afterwards, another cannot',
      async (adc, turn, bench) => {
        for (const [cancel_wedges, scan] of [
          [false, 'resolved'],
          [true, 'i2c_bus_stuck'],
        ]) {
          bench.twins.usbhid.powerUp();
          await turn({ cancel_wedges });
          bench.twins.usbhid.receive(Uint8Array.of(0x10, 0, 0x10));
          assert.is(await codeOf(adc.scanI2c()), scan);
        }
      },
    ],
    unplug: [
      'the chip is gone; when it returns it has forgotten its settings and is set up anew',
      async (adc, turn, bench) => {
        await turn({ unplug: true });
        await until(() => adc.state === 'absent');
        assert.is(await codeOf(adc.read(1)), 'device_unavailable');
        assert.is(bench.devices()[0]?.path, null);
        await turn({ unplug: false });
        await until(() => adc.state === 'open');
        near((await adc.read(1)).volts, 0.635, RESOLUTION);
        const { trace } = bench.tracePage({ device: 'usbhid' });
        const back = trace.findLastIndex(({ knobs }) => knobs?.unplug === false);
        const setUps = trace.slice(back).filter(({ kind, bytes = '' }) => kind === 'in' && /^60/.test(bytes));
        assert.ok(setUps.length > 0, 'configured again');
      },
    ],
    silent: [
      'no command is answered; when it answers again it is open again by itself (DEV-051)',
      async (adc, turn) => {
        await turn({ silent: true });
        assert.is(await codeOf(adc.read(1)), 'device_timeout');
        await until(() => adc.state === 'absent');
        assert.is(await codeOf(adc.read(1)), 'device_unavailable');
        await turn({ silent: false });
        await until(() => adc.state === 'open');
        near((await adc.read(1)).volts, 0.635, RESOLUTION);
      },
    ],
    factory_serial: [
      'the flash has another factory serial number',
      async (adc, turn) => {
        assert.is((await adc.identify()).factorySerial, '01234567');
        await turn({ factory_serial: '76543210' });
        assert.is((await adc.identify()).factorySerial, '76543210');
      },
    ],
    usb_serial: [
      'the flash has another USB serial number',
      async (adc, turn) => {
        await turn({ usb_serial: '0003466530' });
        assert.is((await adc.identify()).usbSerial, '0003466530');
      },
    ],
    reply_delay_ms: [
      'an answer that is too late is none, and what follows is right again',
      async (adc, turn) => {
        await turn({ reply_delay_ms: 1200 });
        assert.is(await codeOf(adc.read(1)), 'device_timeout');
        await turn({ reply_delay_ms: 0 });
        await until(() => adc.state === 'open');
        near((await adc.read(1)).volts, 0.635, RESOLUTION);
      },
    ],
    result_byte: [
      'a result that is not 0 is an error',
      async (adc, turn) => {
        await turn({ result_byte: 1 });
        assert.is(await codeOf(adc.read(1)), 'device_error');
      },
    ],
    stale_bytes: [
      'what a command does not define is not looked at',
      async (adc, turn) => {
        await turn({ stale_bytes: true });
        for (let reading = 0; reading < 20; reading++) near((await adc.read(3)).volts, 0.885, RESOLUTION);
      },
    ],
    ignore_sram_set: [
      'a configuration that was not taken gives no reading',
      async (adc, turn, bench) => {
        await turn({ ignore_sram_set: true });
        await adc.close();
        await turn({ unplug: true });
        await turn({ unplug: false });
        const anew = new Mcp2221a(openHidTransport(bench.addresses.usbhid));
        assert.is(await codeOf(anew.open()), 'adc_config_not_applied');
        await anew.close();
      },
    ],
  },
});

test.run();
