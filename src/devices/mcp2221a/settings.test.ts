import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { failure } from '../failure.ts';
import { mcp2221aInMemory, opened } from './in-memory.ts';

const test = suite('mcp2221a driver and the settings of the chip');

test('DEV-045 the driver configures a chip as it comes and reads the voltages at its pins', async () => {
  const { adc, step, clock } = await opened();
  const outcomes = await step(adc.readAll());
  assert.equal(
    outcomes.map((outcome) => (outcome.ok ? outcome.sample.raw10bit : outcome.error.code)),
    [197, 234, 274],
  );
  const startedAt = clock.monotonic();
  const sample = await step(adc.read(2));
  assert.is(sample.volts, (234 * 3.3) / 1024);
  assert.ok(clock.monotonic() - startedAt <= 10);
  await adc.close();
  assert.is(clock.pending, 0);
});

for (const [source, raw] of [
  ['vdd', 197],
  ['1.024', 635],
  ['2.048', 317],
  ['4.096', 158],
] as const) {
  test(`DEV-009 with the reference ${source} the converters really use it`, async () => {
    const { adc, step } = await opened({ referenceSource: source });
    const sample = await step(adc.read(1));
    assert.is(sample.raw10bit, raw);
    assert.ok(Math.abs(sample.volts - 0.635) < sample.referenceVolts / 1024);
  });
}

test('DEV-008 a chip that takes no settings gives no reading and says so', async () => {
  const { adc, twin, step, clock } = mcp2221aInMemory();
  twin.knobs.patch({ ignore_sram_set: true });
  const error = await step(failure(adc.open()));
  assert.is(error.code, 'adc_config_not_applied');
  assert.is(adc.state, 'closed');
  assert.is((await step(failure(adc.read(1)))).code, 'adc_config_not_applied');
  assert.is(clock.pending, 0);
  twin.knobs.reset();
  adc.keepOpen();
  assert.is((await step(adc.read(1))).raw10bit, 0);
});

test('DEV-008 one pin that does not follow fails alone', async () => {
  const { adc, twin, step } = mcp2221aInMemory({ volts: (input) => [0.635, 0.755, 0.885][input - 1] ?? 0 });
  twin.knobs.patch({ ignore_sram_set: [2] });
  await step(adc.open());
  const outcomes = await step(adc.readAll());
  assert.equal(
    outcomes.map((outcome) => (outcome.ok ? outcome.sample.raw10bit : outcome.error.code)),
    [197, 'adc_config_not_applied', 274],
  );
  assert.match((await step(failure(adc.read(2)))).message, /GP2 has function 1 where 2 was set/);
  const health = await step(adc.verify());
  assert.is(health.verified, false);
  assert.match(health.faults.join(), /GP2/);
  // It follows again: found out without a restart.
  twin.knobs.reset();
  assert.is((await step(adc.read(2))).raw10bit, 234);
  assert.is((await step(adc.verify())).verified, true);
});

test('DEV-008 settings that another program changed fail one reading and are put right before the next', async () => {
  const { adc, step, request } = await opened();
  for (const bytes of [
    [0x60, 0, 0, 0, 0, 0x83],
    [0x60, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 0],
  ]) {
    await request(bytes);
    assert.is((await step(failure(adc.readAll()))).code, 'adc_config_not_applied');
    assert.is((await step(adc.read(1))).raw10bit, 197);
  }
});

test('DEV-008 with a Vrm reference a later write of pin functions by somebody is found out', async () => {
  const { adc, step, request } = await opened({ referenceSource: '2.048' });
  await request([0x60, 0, 0, 0, 0, 0, 0, 0x80, 2, 2, 2, 2]);
  const error = await step(failure(adc.read(1)));
  assert.match(error.message, /the ADC reference reads 01 where 05/);
  assert.is((await step(adc.read(1))).raw10bit, 317);
});

test('DEV-038 the driver shows how the chip is reached, and nothing while it is not', async () => {
  const { adc, pipe } = await opened();
  assert.equal(adc.endpoint, pipe.endpoint);
  assert.is(adc.endpoint?.backend, 'memory');
  await adc.close();
  assert.is(adc.endpoint, undefined);
});

test('the identity is what the flash says', async () => {
  const { adc, step } = await opened();
  const { manufacturer, product, factorySerial, hardwareRevision, firmwareRevision } = await step(
    adc.identify(),
  );
  assert.equal(
    [manufacturer, product, factorySerial, hardwareRevision, firmwareRevision],
    ['Microchip Technology Inc.', 'MCP2221 USB-I2C/UART Combo', '01234567', 'A6', '12'],
  );
});

test('a chip that says it is another one is wrong_device, and nothing is written to it', async () => {
  const { adc, step, events, clock } = mcp2221aInMemory({ twin: { productId: 0x00de } });
  const error = await step(failure(adc.open()));
  assert.equal([error.code, error.reason, error.device], ['wrong_device', 'ids', 'usb-adc-usbhid']);
  assert.match(error.message, /on memory: .*04d8:00de.*check the address/);
  assert.ok(events.every((event) => event.kind !== 'in' || event.bytes[0] !== 0x60));
  assert.equal([adc.state, clock.pending], ['closed', 0]);
});

test.run();
