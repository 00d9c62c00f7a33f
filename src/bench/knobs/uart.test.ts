import * as assert from 'uvu/assert';
import { Dfr1184 } from '../../devices/dfr1184/driver.ts';
import { codeOf, near, provesKnobs, until } from '../../test-kit/bench/on-bench.ts';
import { openByteTransport } from '../../transports/open.ts';
import type { Bench } from '../bench.ts';

async function connect(bench: Bench) {
  const adc = new Dfr1184(openByteTransport(bench.addresses.uart, { baud: 9600 }));
  await adc.open();
  return { client: adc, close: () => adc.close() };
}

/** What was asked since the knob was turned: `AT` shows that a resync was tried. */
const texts = (bench: Bench, knob: string): string[] => {
  const trace = bench.trace('uart');
  const since = trace.findLastIndex(
    ({ knobs }) => knobs !== undefined && knob in knobs && knobs[knob] !== null,
  );
  return trace.slice(since).flatMap(({ kind, bytes }) => (kind === 'in' && bytes ? [bytes] : []));
};
const AT = '41 54 0D 0A';

const test = provesKnobs({
  device: 'uart',
  listed: [
    'ain1_v',
    'ain2_v',
    'silent',
    'late_ms',
    'truncate',
    'stale_byte',
    'extra_byte',
    'raw_override',
    'at_error',
  ],
  connect,
  effects: {
    ain1_v: [
      'puts a voltage on AIN1 alone',
      async (adc, turn) => {
        await turn({ ain1_v: 2.5 });
        near((await adc.read(1)).volts, 2.5, 1e-4);
        near((await adc.read(2)).volts, 0.885, 1e-4);
      },
    ],
    ain2_v: [
      'puts a voltage on AIN2 alone',
      async (adc, turn) => {
        await turn({ ain2_v: 3.3 });
        near((await adc.read(1)).volts, 0.755, 1e-4);
        near((await adc.read(2)).volts, 3.3, 1e-4);
      },
    ],
    silent: [
      'silence is a time-out',
      async (adc, turn) => {
        await turn({ silent: true });
        assert.is(await codeOf(adc.read(1, { deadlineMs: 800 })), 'device_timeout');
      },
    ],
    late_ms: [
      'an answer behind the deadline is none, and is not taken for the next one',
      async (adc, turn, bench) => {
        await turn({ late_ms: 1100, ain1_v: 5 });
        assert.is(await codeOf(adc.read(1, { deadlineMs: 1500 })), 'device_timeout');
        await turn({ late_ms: 0, ain1_v: 1 });
        await until(() => adc.state === 'open');
        near((await adc.read(1)).volts, 1, 1e-4);
        assert.ok(texts(bench, 'late_ms').includes(AT), 'a resync came before it');
      },
    ],
    truncate: [
      'a short sample is an error, never 0 V',
      async (adc, turn) => {
        await turn({ truncate: 2 });
        assert.is.not(await codeOf(adc.read(1, { deadlineMs: 800 })), 'resolved');
      },
    ],
    stale_byte: [
      'a byte that was not requested spoils the sample and is reported',
      async (adc, turn, bench) => {
        await turn({ stale_byte: 0x00 });
        assert.is(await codeOf(adc.read(1)), 'corrupt_response');
        assert.ok(texts(bench, 'stale_byte').includes(AT));
      },
    ],
    extra_byte: [
      'a fourth byte is an error',
      async (adc, turn) => {
        await turn({ extra_byte: 0x55 });
        assert.is(await codeOf(adc.read(1)), 'corrupt_response');
      },
    ],
    raw_override: [
      '11 V is the last that is valid',
      async (adc, turn) => {
        await turn({ raw_override: 1_100_000 });
        near((await adc.read(1)).volts, 11, 1e-9);
        await turn({ raw_override: 1_100_001 });
        assert.is(await codeOf(adc.read(1)), 'corrupt_response');
      },
    ],
    at_error: [
      'a module that does not answer OK is not believed',
      async (adc, turn) => {
        await turn({ at_error: true });
        assert.is(await codeOf(adc.probe()), 'corrupt_response');
      },
    ],
    lost_select: [
      'an input that was not selected gives no voltage (DEV-055)',
      async (adc, turn) => {
        await adc.read(1);
        await turn({ lost_select: 1 });
        assert.is(await codeOf(adc.read(2)), 'corrupt_response');
        near((await adc.read(1)).volts, 0.755, 1e-4);
      },
    ],
    select_readback: [
      'a register that cannot be read makes the driver use the text form (DEV-055)',
      async (adc, turn) => {
        await turn({ select_readback: 'silent' });
        near((await adc.read(2)).volts, 0.885, 1e-4);
        assert.is(adc.selectionProof, 'text');
      },
    ],
    text_form: [
      'without register and text form a value is marked as not proven (DEV-055)',
      async (adc, turn) => {
        await turn({ select_readback: 'zero', text_form: false });
        const { volts, isProven } = await adc.read(2);
        near(volts, 0.885, 1e-4);
        assert.is(isProven, false);
      },
    ],
    dip_i2c: [
      'a module on I2C is silent, and the message names the switch',
      async (adc, turn) => {
        await turn({ dip_i2c: true });
        const error = await adc.probe({ deadlineMs: 4000 }).catch((thrown: Error) => thrown);
        assert.match((error as Error).message, /DIP switch/);
      },
    ],
    port_held: [
      'another program has the port',
      async (adc, turn, bench) => {
        await adc.close();
        await turn({ port_held: true });
        const again = openByteTransport(bench.addresses.uart, { baud: 9600 });
        assert.is(await codeOf(again.open()), 'port_busy');
      },
    ],
    unplugged: [
      'the port is gone, and is used again when it returns',
      async (adc, turn) => {
        await adc.read(1);
        await turn({ unplugged: true });
        await until(() => adc.state === 'absent');
        assert.is(await codeOf(adc.read(1)), 'device_unavailable');
        await turn({ unplugged: false });
        await until(() => adc.state === 'open');
        near((await adc.read(1)).volts, 0.755, 1e-4);
      },
    ],
  },
});

test.run();
