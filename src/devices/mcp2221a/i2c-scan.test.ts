import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { failure } from '../failure.ts';
import { opened } from './in-memory.ts';

const test = suite('mcp2221a I2C scan');

test('DEV-011 the scan finds the devices that are there, and readings go on afterwards', async () => {
  const { adc, step, twin, clock } = await opened();
  twin.knobs.patch({ i2c_map: [0x08, 0x48, 0x50, 0x77] });
  const startedAt = clock.monotonic();
  const result = await step(adc.scanI2c());
  assert.equal(result.addresses, [0x08, 0x48, 0x50, 0x77]);
  assert.is(result.speedHz, 100_000);
  assert.ok(clock.monotonic() - startedAt < 5000);
  assert.is(twin.isWedged, false);
  assert.is((await step(adc.read(1))).raw10bit, 197);
  twin.knobs.patch({ nack: true });
  assert.equal((await step(adc.scanI2c())).addresses, []);
});

test('DEV-011 a bus held low is i2c_bus_stuck, the engine is never wedged, and it recovers', async () => {
  for (const knob of ['sda_stuck', 'scl_stuck']) {
    const { adc, step, twin, events } = await opened();
    twin.knobs.patch({ [knob]: true, i2c_map: [0x48] });
    assert.is((await step(failure(adc.scanI2c()))).code, 'i2c_bus_stuck');
    assert.not.ok(events.some((event) => event.kind === 'in' && hexOf(event.bytes).startsWith('10 00 10')));
    twin.knobs.patch({ [knob]: false });
    assert.equal((await step(adc.scanI2c())).addresses, [0x48]);
    assert.is(twin.isWedged, false);
  }
});

test('DEV-011 a bus that gets stuck in the middle of a scan ends it, and the next scan works', async () => {
  const { adc, step, twin, clock } = await opened();
  twin.knobs.patch({ i2c_map: [0x70] });
  const scan = failure(adc.scanI2c());
  await clock.advance(300);
  twin.knobs.patch({ sda_stuck: true });
  assert.is((await step(scan)).code, 'i2c_bus_stuck');
  twin.knobs.patch({ sda_stuck: false });
  assert.equal((await step(adc.scanI2c())).addresses, [0x70]);
  assert.is(twin.isWedged, false);
});

test('DEV-011 a scan that takes longer than 5 s is given up', async () => {
  const { adc, step, twin, clock } = await opened();
  twin.knobs.patch({ reply_delay_ms: 50 });
  const startedAt = clock.monotonic();
  const error = await step(failure(adc.scanI2c()));
  assert.equal([error.code, error.reason], ['device_timeout', 'deadline']);
  assert.ok(clock.monotonic() - startedAt <= 5010);
  twin.knobs.patch({ reply_delay_ms: 0, i2c_map: [0x48] });
  assert.equal((await step(adc.scanI2c())).addresses, [0x48]);
});

test('DEV-011 a scan that is cut off anywhere leaves an engine that the next scan can use', async () => {
  for (let afterMs = 1; afterMs < 60; afterMs += 1) {
    const { adc, step, twin, clock } = await opened();
    twin.knobs.patch({ i2c_map: [0x09, 0x48] });
    const controller = new AbortController();
    const cut = failure(adc.scanI2c({ signal: controller.signal }));
    await clock.advance(afterMs);
    controller.abort();
    await step(cut);
    assert.equal((await step(adc.scanI2c())).addresses, [0x09, 0x48], `cut after ${afterMs} ms`);
    assert.is(twin.isWedged, false);
  }
});

test.run();
