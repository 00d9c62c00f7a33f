import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { TransportError } from '../../transports/transport-error.ts';
import type { DeviceError } from '../device-error.ts';
import { type IioSource, Mcp2221aIio } from './iio.ts';

const test = suite('mcp2221a by the kernel’s IIO device');

/** What the kernel shows in sysfs: three numbers, or fewer. */
class IioFolder implements IioSource {
  readonly address = 'hid:04d8:00dd';
  readonly path = '/sys/bus/iio/devices/iio:device0';
  raws: (number | undefined)[] = [197, 234, 1023];
  isThere = true;

  async open(): Promise<void> {
    if (!this.isThere) throw new TransportError('port_absent', this.address, 'no IIO device');
  }

  async close(): Promise<void> {}

  async usbSerial(): Promise<string | null> {
    return null;
  }

  async read(channel: 0 | 1 | 2): Promise<number> {
    const raw = this.isThere ? this.raws[channel] : undefined;
    if (raw === undefined) throw new TransportError('port_gone', this.address, `no in_voltage${channel}_raw`);
    return raw;
  }
}

function inMemory() {
  const clock = new SteppedClock();
  const folder = new IioFolder();
  const adc = new Mcp2221aIio(folder, { clock });
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  const failure = (promise: Promise<unknown>) =>
    step(
      promise.then(
        () => {
          throw new Error('it resolved');
        },
        (error: DeviceError) => error,
      ),
    );
  return { clock, folder, adc, step, failure };
}

test('DEV-038 readings through IIO are the same samples, and never verified', async () => {
  const { adc, step } = inMemory();
  await step(adc.open());
  const sample = await step(adc.read(1));
  assert.equal(
    { ...sample, observedAt: 0 },
    {
      channel: 1,
      inputName: 'G1',
      physicalInput: 'MCP2221A.G1',
      raw10bit: 197,
      volts: (197 * 3.3) / 1024,
      referenceVolts: 3.3,
      saturated: false,
      verified: false,
      observedAt: 0,
    },
  );
  const rows = await step(adc.readMany(3));
  assert.equal(
    rows.map((row) => row.map((outcome) => outcome.ok && outcome.sample.raw10bit)),
    [
      [197, 234, 1023],
      [197, 234, 1023],
      [197, 234, 1023],
    ],
  );
  const health = await step(adc.verify());
  assert.is(health.verified, false);
  assert.match(health.faults.join(), /cannot be read back/);
});

test('with fewer than three voltages it is unknown which pin is which: refused', async () => {
  for (const raws of [[197], [197, 234], [undefined, 197, 234], []]) {
    const { adc, folder, failure } = inMemory();
    folder.raws = raws;
    const error = await failure(adc.open());
    assert.is(error.code, 'adc_config_not_applied');
    assert.match(error.message, /so they cannot be assigned/);
  }
});

test('words that ten bits cannot hold are corrupt', async () => {
  for (const raw of [1024, -1, 1.5, Number.NaN]) {
    const { adc, folder, step, failure } = inMemory();
    await step(adc.open());
    folder.raws = [raw, 1, 1];
    assert.is((await failure(adc.read(1))).code, 'corrupt_response');
  }
});

test('DEV-042 a chip that went away is absent, and found again within 5 s', async () => {
  const { adc, folder, step, failure, clock } = inMemory();
  await step(adc.open());
  folder.isThere = false;
  assert.is((await failure(adc.readAll())).code, 'device_unavailable');
  await clock.advance(30_000);
  assert.is(adc.state, 'absent');
  folder.isThere = true;
  await clock.advance(5000);
  assert.is((await step(adc.read(2))).raw10bit, 234);
  await adc.close();
  assert.is(clock.pending, 0);
});

test('DEV-010 the reference is checked here too', () => {
  const make = (options: { referenceVolts?: number; referenceSource?: string }) => () =>
    new Mcp2221aIio(new IioFolder(), options);
  assert.throws(make({ referenceVolts: 0.9 }), (error: DeviceError) => error.code === 'setting_refused');
  assert.throws(make({ referenceSource: '5' }), (error: DeviceError) => error.code === 'setting_refused');
  assert.is(make({ referenceSource: '2.048' })().referenceVolts, 2.048);
});

test.run();
