import * as assert from 'uvu/assert';
import { type AdcInput, Ads1115 } from '../../devices/ads1115/driver.ts';
import { codeOf, type Effects, near, provesKnobs } from '../../test-kit/bench/on-bench.ts';
import { openI2cBus } from '../../transports/open.ts';
import type { Bench } from '../bench.ts';

async function connect(bench: Bench) {
  const bus = openI2cBus(bench.addresses.ads1115);
  return { client: new Ads1115(bus), close: () => bus.close() };
}

/** Each pin's knob moves its own input and no other. */
const pins: Effects<Ads1115> = Object.fromEntries(
  ([0, 1, 2, 3] as const).map((pin) => [
    `ain${pin}_v`,
    [
      `puts a voltage on AIN${pin} alone`,
      async (adc: Ads1115, turn: (knobs: Record<string, unknown>) => Promise<unknown>) => {
        const read = async () => {
          const volts: number[] = [];
          for (const input of [0, 1, 2, 3] as AdcInput[]) volts.push((await adc.read(input)).volts);
          return volts;
        };
        const before = await read();
        await turn({ [`ain${pin}_v`]: 2.5 });
        (await read()).forEach((volts, input) => {
          near(volts, input === pin ? 2.5 : (before[input] ?? 0), 0.0002);
        });
      },
    ],
  ]),
);

const test = provesKnobs({
  device: 'ads1115',
  listed: ['ain0_v', 'ain1_v', 'ain2_v', 'ain3_v', 'nack', 'permission_denied', 'slow', 'foreign_config'],
  connect,
  effects: {
    ...pins,
    nack: [
      'nothing acknowledges',
      async (adc, turn) => {
        await turn({ nack: true });
        assert.is(await codeOf(adc.probe()), 'device_unavailable');
        assert.is(await codeOf(adc.read(0)), 'device_unavailable');
      },
    ],
    permission_denied: [
      'the bus is forbidden, which is distinguished from an absent chip',
      async (adc, turn) => {
        await turn({ permission_denied: true });
        const error = await adc.probe().catch((thrown: Error) => thrown);
        assert.match((error as Error).message, /permission|group|may not/i);
      },
    ],
    slow: [
      'a conversion that does not end is not a reading',
      async (adc, turn) => {
        await turn({ slow: true });
        assert.is(await codeOf(adc.read(0)), 'device_timeout');
      },
    ],
    foreign_config: [
      'another program at the chip is seen',
      async (adc, turn) => {
        await turn({ foreign_config: true });
        assert.is(await codeOf(adc.read(0)), 'adc_foreign_config');
      },
    ],
    unplugged: [
      'the bus is gone, and is used again when it returns',
      async (adc, turn) => {
        await adc.read(0);
        await turn({ unplugged: true });
        assert.is(await codeOf(adc.read(0)), 'device_unavailable');
        await turn({ unplugged: false });
        near((await adc.read(0)).volts, 0.635, 0.0002);
      },
    ],
  },
});

test.run();
