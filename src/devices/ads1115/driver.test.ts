import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import type { I2cBus } from '../../transports/i2c/i2c-bus.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { TransportError } from '../../transports/transport-error.ts';
import type { DeviceError } from '../device-error.ts';
import { Ads1115 } from './driver.ts';
import { type AdcInput, signedOf, startConfig, voltsOf } from './protocol.ts';
import { Ads1115Twin } from './twin.ts';

const test = suite('ads1115');

function inMemory(volts: (input: AdcInput) => number = () => 0.635) {
  const clock = new SteppedClock();
  const twin = new Ads1115Twin({ clock, volts });
  const seen: [string, string][] = [];
  const bus: I2cBus = {
    address: 'memory',
    transfer: async (device, write, readCount) => {
      if (device !== 0x48) throw new TransportError('i2c_nack', 'memory', 'no device');
      const answer = twin.transfer(write, readCount);
      if (!answer.ok)
        throw new TransportError(
          answer.error === 'nack' ? 'i2c_nack' : 'port_permission',
          'memory',
          answer.error,
        );
      seen.push([hexOf(write), hexOf(answer.bytes)]);
      return answer.bytes;
    },
    close: async () => {},
  };
  const adc = new Ads1115(bus, { clock });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  const code = (promise: Promise<unknown>) =>
    step(
      promise.then(
        () => 'resolved',
        (error: DeviceError) => error.code,
      ),
    );
  return { clock, twin, adc, bus, seen, step, code };
}

test('DEV-027 config words are those of the specification', () => {
  assert.equal(([0, 1, 2, 3] as const).map(startConfig), [0xc383, 0xd383, 0xe383, 0xf383]);
});

test('DEV-027 words are big-endian and signed, 125 uV each', () => {
  assert.is(signedOf(bytesOf('13 D8')), 5080);
  assert.is(voltsOf(5080), 0.635);
  assert.is(signedOf(bytesOf('FF FE')), -2);
  assert.is(signedOf(bytesOf('7F FF')), 32_767);
});

test('DEV-027 a reading is: start, poll, config read back, pointer to 00, two bytes', async () => {
  const { adc, step, seen, clock } = inMemory();
  const sample = await step(adc.read(0));
  assert.equal(seen, [
    ['01 C3 83', ''],
    ['01', 'C3 83'],
    ['00', '13 D8'],
  ]);
  assert.equal(sample, {
    input: 0,
    raw: 5080,
    volts: 0.635,
    saturated: false,
    observedAt: clock.now() - (clock.monotonic() - 8),
  });
  assert.is(clock.pending, 0);
});

test('each input gives its own voltage', async () => {
  const { adc, step } = inMemory((input) => [0.635, 0.755, 0.885, 0][input] ?? 0);
  for (const [input, volts] of [0.635, 0.755, 0.885, 0].entries()) {
    assert.is((await step(adc.read(input as AdcInput))).volts, volts);
  }
});

test('above the range a reading is marked saturated', async () => {
  const { adc, step, twin } = inMemory();
  twin.knobs.patch({ ain2_v: 5 });
  const sample = await step(adc.read(2));
  assert.equal([sample.raw, sample.saturated], [0x7fff, true]);
});

test('DEV-019 callers at the same time each get their own input', async () => {
  const { adc, step } = inMemory((input) => 1 + input);
  const samples = await step(Promise.all(([3, 0, 2, 1, 3] as const).map((input) => adc.read(input))));
  assert.equal(
    samples.map(({ input, volts }) => [input, volts]),
    [
      [3, 4],
      [0, 1],
      [2, 3],
      [1, 2],
      [3, 4],
    ],
  );
});

test('DEV-027 another program on the chip is an error, not a reading of the wrong input', async () => {
  const { adc, code, twin } = inMemory();
  twin.knobs.patch({ foreign_config: true });
  assert.is(await code(adc.read(0)), 'adc_foreign_config');
});

test('DEV-045 nack, permission_denied and slow are errors, and it recovers', async () => {
  const { adc, code, twin } = inMemory();
  const rows = [
    [{ nack: true }, 'device_unavailable'],
    [{ permission_denied: true }, 'device_unavailable'],
    [{ slow: true }, 'device_timeout'],
  ] as const;
  for (const [patch, wanted] of rows) {
    twin.knobs.patch(patch);
    assert.is(await code(adc.read(1)), wanted);
    twin.knobs.reset();
    assert.is(await code(adc.read(1)), 'resolved');
  }
});

test('the probe reads one byte', async () => {
  const { adc, code, seen, bus, clock } = inMemory();
  assert.is(await code(adc.probe()), 'resolved');
  assert.equal(seen, [['', '00']]);
  assert.is(await code(new Ads1115(bus, { address: 0x49, clock }).probe()), 'device_unavailable');
});

test.run();
