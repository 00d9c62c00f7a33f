import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import type { I2cBus } from '../../transports/i2c/i2c-bus.ts';
import { silent } from '../../transports/i2c/i2c-fault.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { TransportError } from '../../transports/transport-error.ts';
import type { DeviceError } from '../device-error.ts';
import { type AdcSample, Ads1115 } from './driver.ts';
import { ads1115InMemory } from './in-memory.ts';
import { type Ads1115Knobs, ads1115KnobsSchema } from './knobs.ts';
import { type AdcInput, DEFAULT_ADDRESS, startConfig, wordBytes } from './protocol.ts';

const test = suite('ads1115');

const failure = (promise: Promise<unknown>): Promise<DeviceError | undefined> =>
  promise.then(
    () => undefined,
    (error: DeviceError) => error,
  );

/** Runs `work` on a bus with a script of (written, read) pairs, none of which may be left over. */
async function scripted<T>(script: [write: string, read: string][], work: (adc: Ads1115) => Promise<T>) {
  const clock = new SteppedClock();
  const rest = [...script];
  const bus: I2cBus = {
    address: 'script',
    transfer: async (device, write, readCount) => {
      assert.is(device, 0x48);
      const next = rest.shift();
      assert.is(hexOf(write), next?.[0]);
      const bytes = bytesOf(next?.[1] ?? '');
      assert.is(readCount, bytes.length);
      return bytes;
    },
    close: async () => {},
  };
  const end = await stepUntil(clock, work(new Ads1115(bus, { clock })));
  assert.equal(rest, []);
  assert.is(clock.pending, 0);
  return end;
}

/** One conversion as it goes over the bus: idle, start, done with our config, value, still our config. */
const conversion = (idle: string, config: string, value: string): [string, string][] => [
  ['01', idle],
  [`01 ${config}`, ''],
  ['01', config],
  ['00', value],
  ['01', config],
];

/** The same at the wider gain. */
const wide = (config: string): string => config.replace('3 83', '1 83');

/** The first reading of an input: one conversion for the multiplexer, one for the value. */
const reading = (config: string, value: string): [string, string][] => [
  ...conversion('85 83', wide(config), '00 01'),
  ...conversion(wide(config), config, value),
];

const sequences: [AdcInput, config: string, value: string, volts: number, saturated: boolean][] = [
  [0, 'C3 83', '13 D8', 0.635, false],
  [1, 'D3 83', '17 98', 0.755, false],
  [2, 'E3 83', '1B A8', 0.885, false],
  [3, 'F3 83', '00 00', 0, false],
  [3, 'F3 83', 'FF FE', -0.00025, false],
  [0, 'C3 83', '7F FE', 4.09575, false],
  [0, 'C3 83', '7F FF', 4.095875, true],
  [0, 'C3 83', '80 00', -4.096, true],
];
for (const [input, config, value, volts, saturated] of sequences) {
  test(`DEV-027 AIN${input}: write 01 ${config}, poll, read 00 = ${value}: ${volts} V${saturated ? ', saturated' : ''}`, async () => {
    const sample = await scripted(reading(config, value), (adc) => adc.read(input));
    assert.equal([sample.input, sample.volts, sample.saturated], [input, volts, saturated]);
  });
}

test('DEV-027 bit 15 is polled until the conversion is done', async () => {
  const script = reading('C3 83', '13 D8');
  script.splice(7, 0, ['01', '43 83'], ['01', '43 83']);
  assert.is((await scripted(script, (adc) => adc.read(0))).volts, 0.635);
});

/** Config words that are not ours, and the read that shows them: the poll, or the look behind the value. */
const foreign: [what: string, config: string][] = [
  ['another input', 'D3 83'],
  ['an input against another', '83 83'],
  ['another gain', 'C5 83'],
  ['the widest gain', 'C1 83'],
  ['another rate', 'C3 E3'],
  ['continuous mode', '42 83'],
  ['the comparator', 'C3 80'],
  ['a chip that was reset', '85 83'],
  ['bytes in the order of a little-endian helper', '83 C3'],
  ['a floating bus', 'FF FF'],
  ['a bus held low', '00 00'],
];
for (const [what, config] of foreign) {
  test(`DEV-027 ${what} (${config}) in the config is an error, not a reading`, async () => {
    const early = reading('C3 83', '13 D8').slice(0, 7);
    const late = reading('C3 83', '13 D8').slice(0, 9);
    for (const script of [early, late]) {
      const error = await scripted([...script, ['01', config]], (adc) => failure(adc.read(0)));
      assert.is(error?.code, 'adc_foreign_config');
      assert.match(error?.message ?? '', /sensor-adc 0x48 on script: config reads .*; stop that program/);
    }
  });
}

test('DEV-027 a conversion that began behind ours takes our value away', async () => {
  const script = reading('C3 83', '13 D8');
  script[9] = ['01', '43 83'];
  const error = await scripted(script, (adc) => failure(adc.read(0)));
  assert.is(error?.code, 'adc_foreign_config');
});

test('DEV-027 a helper that reads words little-endian gives no reading of any input', async () => {
  const { bus, clock, step } = ads1115InMemory();
  const swapping: I2cBus = {
    ...bus,
    transfer: async (...args) => (await bus.transfer(...args)).reverse(),
  };
  const adc = new Ads1115(swapping, { clock });
  for (const input of [0, 1, 2, 3] as const)
    assert.is((await step(failure(adc.read(input))))?.code, 'adc_foreign_config');
});

test('the first reading of an input takes two conversions and is dated at the end of the second; then it takes one', async () => {
  const { adc, step, seen, clock, twin } = ads1115InMemory();
  const startedAt = clock.now();
  const sample = await step(adc.read(0));
  assert.equal(sample, { input: 0, raw: 5080, volts: 0.635, saturated: false, observedAt: startedAt + 16 });
  assert.is(seen.length, 10);
  twin.knobs.patch({ ain0_v: 0.636 });
  assert.is((await step(adc.read(0))).raw, 5088);
  assert.is(seen.length, 15);
  assert.is(clock.pending, 0);
});

test('a frozen conversion register is an error at each reading of each input, and it recovers', async () => {
  for (const volts of [0.635, 3.3, -0.2, 0.003]) {
    const { adc, step, twin } = ads1115InMemory((input) => volts + input / 1000);
    assert.is((await step(adc.read(1))).raw, Math.round((volts + 0.001) * 8000));
    twin.knobs.patch({ freeze: true });
    for (const input of [1, 1, 0, 1, 3, 3] as const) {
      const error = await step(failure(adc.read(input)));
      assert.equal([error?.code, error?.reason], ['corrupt_response', 'frozen'], `${volts} V, AIN${input}`);
      assert.match(error?.message ?? '', /at two gains, so the conversion register is frozen; disconnect/);
    }
    twin.knobs.patch({ freeze: false });
    assert.is((await step(adc.read(1))).raw, Math.round((volts + 0.001) * 8000));
  }
});

test('a register that freezes in any conversion of a reading gives the right value or an error', async () => {
  for (let afterMs = 0; afterMs <= 34; afterMs++) {
    const { adc, step, twin, clock } = ads1115InMemory((input) => 0.5 + input / 2);
    await step(adc.read(0));
    const reading = adc.read(2).then(
      ({ volts }) => volts,
      ({ reason }: DeviceError) => reason,
    );
    await clock.advance(afterMs);
    twin.knobs.patch({ freeze: true });
    assert.ok([1.5, 'frozen'].includes((await step(reading)) ?? ''), `after ${afterMs} ms: ${await reading}`);
    assert.is((await step(failure(adc.read(2))))?.reason, 'frozen');
  }
});

test('a steady voltage is never called frozen: 0 V, a few counts, any voltage, both ends, with and without noise', async () => {
  const random = seededRandom(7);
  for (const noiseV of [0, 0.00006, 0.0002, 0.005])
    for (const steady of [0, 0.000125, -0.0025, 0.0031, 0.635, 1.5, 3.3, 4.0959, 5, 7, -0.3]) {
      const { adc, step } = ads1115InMemory(() => steady + noiseV * (random() + random() - 1));
      for (let round = 0; round < 50; round++) {
        const { volts } = await step(adc.read((round % 7 === 0 ? 1 : 0) as AdcInput));
        assert.ok(Math.abs(volts - Math.min(steady, 4.095875)) <= noiseV + 0.0001, `${volts} of ${steady} V`);
      }
    }
});

test('a multiplexer that is late gives no input the voltage of another', async () => {
  const { adc, step, twin } = ads1115InMemory((input) => 1 + input / 2);
  twin.knobs.patch({ late_mux: true });
  for (const input of [0, 1, 1, 3, 0, 2, 2, 1] as const)
    assert.is((await step(adc.read(input))).volts, 1 + input / 2, `AIN${input}`);
});

test('DEV-027 another program that switches a late multiplexer between two readings changes none', async () => {
  const { adc, step, twin, bus, clock } = ads1115InMemory((input) => 1 + input / 2);
  twin.knobs.patch({ late_mux: true });
  assert.is((await step(adc.read(0))).volts, 1);
  await bus.transfer(DEFAULT_ADDRESS, Uint8Array.from([1, ...wordBytes(startConfig(3))]), 0);
  await clock.advance(20);
  assert.is((await step(adc.read(0))).volts, 1);
});

test('DEV-027 a proof that loses a transfer leaves nothing that a frozen register is hidden by', async () => {
  for (let before = 5; before < 11; before++) {
    const { adc, step, twin } = ads1115InMemory(() => 1.5);
    await step(adc.read(0));
    twin.faultOnce(...new Array<object>(before).fill({}), { nack: true });
    await step(adc.read(0).catch(() => {}));
    twin.knobs.patch({ freeze: true });
    const end = await step(
      adc.read(0).then(
        ({ volts }) => volts,
        ({ reason }: DeviceError) => reason,
      ),
    );
    assert.ok(end === 1.5 || typeof end === 'string', `a fault after ${before} transfers: ${end}`);
  }
});

test('each input gives its own voltage', async () => {
  const { adc, step } = ads1115InMemory((input) => [0.635, 0.755, 0.885, 0][input] ?? 0);
  for (const [input, volts] of [0.635, 0.755, 0.885, 0].entries()) {
    assert.is((await step(adc.read(input as AdcInput))).volts, volts);
  }
});

test('DEV-045 ain0_v to ain3_v set what is read; above the range it is marked saturated', async () => {
  const { adc, step, twin } = ads1115InMemory();
  twin.knobs.patch({ ain0_v: 0.1, ain1_v: 0.2, ain2_v: 5, ain3_v: 4 });
  const samples: AdcSample[] = [];
  for (const input of [0, 1, 2, 3] as const) samples.push(await step(adc.read(input)));
  assert.equal(
    samples.map(({ raw, saturated }) => [raw, saturated]),
    [
      [800, false],
      [1600, false],
      [0x7fff, true],
      [32_000, false],
    ],
  );
});

test('DEV-045 the twin has every documented knob', () => {
  const listed = [
    'ain0_v',
    'ain1_v',
    'ain2_v',
    'ain3_v',
    'nack',
    'permission_denied',
    'slow',
    'foreign_config',
    'freeze',
    'late_mux',
  ];
  for (const knob of listed) assert.ok(knob in ads1115KnobsSchema.shape, knob);
});

const faults: [patch: Partial<Ads1115Knobs>, code: string, reason: string | undefined, says: RegExp][] = [
  [{ nack: true }, 'device_unavailable', 'i2c_nack', /no device answers at 0x48 .*check wiring, power/],
  [{ permission_denied: true }, 'device_unavailable', 'port_permission', /add this user to the group i2c/],
  [{ unplugged: true }, 'device_unavailable', 'port_gone', /was unplugged/],
  [{ slow: true }, 'device_timeout', 'no_conversion', /no conversion within 50 ms; check the chip's supply/],
  [{ foreign_config: true }, 'adc_foreign_config', undefined, /another program uses the chip/],
];
for (const [patch, code, reason, says] of faults) {
  test(`DEV-042 DEV-043 DEV-045 ${JSON.stringify(patch)} is ${code}, names the place, and it recovers`, async () => {
    const { adc, step, twin, clock } = ads1115InMemory();
    twin.knobs.patch(patch);
    const error = await step(failure(adc.read(1)));
    assert.equal([error?.code, error?.reason], [code, reason]);
    assert.match(error?.message ?? '', says);
    assert.match(error?.message ?? '', /^sensor-adc 0x48 on memory: /);
    assert.equal([error?.device, error?.endpoint], ['sensor-adc', 'memory']);
    assert.is(clock.pending, 0);
    twin.knobs.reset();
    assert.is((await step(adc.read(1))).volts, 0.635);
  });
}

test('DEV-043 a conversion that does not end closes the bus, so that it is opened anew', async () => {
  const { adc, step, twin, closes } = ads1115InMemory();
  twin.knobs.patch({ slow: true });
  await step(failure(adc.read(1)));
  assert.is(closes(), 1);
});

test('DEV-043 a bus without an answer is a time-out', async () => {
  const clock = new SteppedClock();
  const bus: I2cBus = {
    address: 'memory',
    transfer: () => Promise.reject(silent('memory', 0x48, 1000)),
    close: async () => {},
  };
  const error = await stepUntil(clock, failure(new Ads1115(bus, { clock }).read(0)));
  assert.equal([error?.code, error?.reason], ['device_timeout', 'i2c_timeout']);
});

test('DEV-042 it is read again at once after the chip came back from being unplugged in the middle', async () => {
  const { adc, step, twin, clock } = ads1115InMemory();
  const reading = failure(adc.read(2));
  await clock.advance(4);
  twin.knobs.patch({ unplugged: true });
  await clock.advance(100);
  assert.is((await reading)?.reason, 'port_gone');
  twin.reset();
  assert.is((await step(adc.read(2))).volts, 0.635);
});

test('DEV-019 callers at the same time each get their own input', async () => {
  const { adc, step } = ads1115InMemory((input) => 1 + input / 2);
  const samples = await step(Promise.all(([3, 0, 2, 1, 3] as const).map((input) => adc.read(input))));
  assert.equal(
    samples.map(({ input, volts }) => [input, volts]),
    [
      [3, 2.5],
      [0, 1],
      [2, 2],
      [1, 1.5],
      [3, 2.5],
    ],
  );
});

test('a read that is given up in its conversion leaves its value to nobody', async () => {
  const { adc, step, clock } = ads1115InMemory((input) => 1 + input / 2);
  for (const afterMs of [0, 1, 5, 7, 8]) {
    const cancel = new AbortController();
    const first = failure(adc.read(0, { signal: cancel.signal }));
    await clock.advance(afterMs);
    cancel.abort();
    assert.is((await step(adc.read(3))).volts, 2.5, `given up after ${afterMs} ms`);
    await first;
  }
});

test('DEV-044 a safe read goes ahead and ends a running one at once, also one that hangs in a transfer', async () => {
  const { adc, bus, clock, step } = ads1115InMemory();
  const order: string[] = [];
  const named = (name: string, work: Promise<unknown>) =>
    failure(work).then((error) => order.push(`${name} ${error?.code ?? 'done'}`));
  const all = [
    named('running', adc.read(0)),
    named('waiting', adc.read(1)),
    clock.advance(3).then(() => named('safe', adc.read(2, { priority: 'safe' }))),
  ];
  await step(Promise.all(all));
  assert.equal(order, ['running superseded', 'safe done', 'waiting done']);

  const hanging = new Ads1115({ ...bus, transfer: () => new Promise(() => {}) }, { clock });
  const error = await step(failure(hanging.read(0, { deadlineMs: 100 })));
  assert.equal([error?.code, error?.reason, error?.device], ['device_timeout', 'deadline', 'sensor-adc']);
  assert.is(clock.pending, 0);
});

test('a chip that another program left in continuous mode is taken over', async () => {
  const { adc, step, twin } = ads1115InMemory((input) => 1 + input / 2);
  twin.transfer(bytesOf('01 72 83'), 0);
  assert.is((await step(adc.read(0))).volts, 1);
});

test('DEV-027 beside a program that reads another input at random times no value is of the wrong input', async () => {
  const { adc, step, twin, clock } = ads1115InMemory((input) => 1 + input / 2);
  const random = seededRandom(20_250_115);
  const ends = { good: 0, refused: 0 };
  for (let round = 0; round < 400; round += 1) {
    const other = Math.floor(4 * random());
    const config = 0x8383 | ((0b100 | other) << 12);
    const cancel = clock.after(30 * random(), () => twin.transfer(Uint8Array.of(1, ...wordBytes(config)), 0));
    const input = Math.floor(4 * random()) as AdcInput;
    await step(
      adc.read(input).then(
        ({ volts }) => {
          assert.is(volts, 1 + input / 2);
          ends.good += 1;
        },
        (error: DeviceError) => {
          assert.is(error.code, 'adc_foreign_config');
          ends.refused += 1;
        },
      ),
    );
    cancel();
  }
  assert.ok(ends.good > 100 && ends.refused > 20, JSON.stringify(ends));
});

test('the presence check reads one byte and names an absent chip', async () => {
  await scripted([['01', '85']], (adc) => adc.probe());
  const { bus, clock, step } = ads1115InMemory();
  const error = await step(failure(new Ads1115(bus, { address: 0x49, clock }).probe()));
  assert.is(error?.code, 'device_unavailable');
  assert.match(error?.message ?? '', /0x49 on memory: no device answers at 0x49/);
});

for (const fault of ['nack', 'brown_out'] as const) {
  test(`DEV-057 ${fault} at any transfer of a reading is an error or the right value, and the next reading is right`, async () => {
    const ends: string[] = [];
    for (let before = 0; before < 10; before += 1) {
      const { adc, step, twin } = ads1115InMemory((input) => 1 + input / 2);
      twin.faultOnce(...new Array<object>(before).fill({}), { [fault]: true });
      const end = await step(
        adc.read(1).then(
          ({ volts }) => String(volts),
          (error: DeviceError) => error.code,
        ),
      );
      ends.push(end);
      assert.is((await step(adc.read(1))).volts, 1.5);
    }
    const none = fault === 'nack' ? 'device_unavailable' : 'adc_foreign_config';
    const harmless = fault === 'nack' ? [none, none] : ['1.5', '1.5'];
    const ofConversion = [...harmless, none, none, none];
    assert.equal(ends, [...ofConversion, ...ofConversion]);
  });
}

test('a bus that gives too few bytes gives no reading', async () => {
  const { bus, clock, step } = ads1115InMemory();
  const short: I2cBus = {
    ...bus,
    transfer: async (...args) => (await bus.transfer(...args)).slice(0, 1),
  };
  const error = await step(failure(new Ads1115(short, { clock }).read(0)));
  assert.equal([error?.code, error?.reason], ['corrupt_response', 'short']);
});

test('an error of the bus that has no code of ours is still an error with one', async () => {
  const { bus, clock, step } = ads1115InMemory();
  const broken = (fault: unknown): I2cBus => ({ ...bus, transfer: () => Promise.reject(fault) });
  const ask = (fault: unknown) => step(failure(new Ads1115(broken(fault), { clock }).read(0)));
  const gone = await ask(new TransportError('port_failed', 'memory', 'EIO'));
  assert.equal([gone?.code, gone?.reason], ['device_unavailable', 'port_failed']);
  const odd = await ask(new Error('odd'));
  assert.equal([odd?.code, odd?.reason], ['device_unavailable', 'port_failed']);
});

test.run();
