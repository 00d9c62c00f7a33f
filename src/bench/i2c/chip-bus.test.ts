import * as assert from 'uvu/assert';
import { Ads1115Twin } from '../../devices/ads1115/twin.ts';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';

const test = suite('I2C bus of the USB ADC chip');

/** The chip with the converter at 0x48 of its bus. */
function wired() {
  const clock = new SteppedClock();
  const sensor = new Ads1115Twin({ clock, volts: (input) => [0.635, 0.755, 0.885, 0][input] ?? 0 });
  const twin = new Mcp2221aTwin({ clock, random: seededRandom(1), i2c: new Map([[0x48, sensor]]) });
  let answer = new Uint8Array();
  twin.connect((report) => {
    answer = Uint8Array.from(report);
  });
  const ask = async (hex: string, bytes = 64) => {
    const report = new Uint8Array(64);
    report.set(bytesOf(hex));
    twin.receive(report);
    await clock.advance(10);
    return hexOf(answer.subarray(0, bytes));
  };
  return { clock, sensor, twin, ask };
}

test('DEV-057 a twin on the bus of the chip takes writes and gives its registers, in part and behind a repeated start', async () => {
  const { ask, twin, clock } = wired();
  twin.knobs.patch({ i2c_map: [0x48, 0x50] });
  assert.is(await ask('90 03 00 90 01 D3 83', 2), '90 00');
  await clock.advance(10);
  for (const read of ['93', '91']) {
    await ask(`${read === '93' ? '94' : '90'} 01 00 90 00`);
    await ask(`${read} 02 00 91`);
    assert.is(await ask('40', 6), '40 00 55 02 17 98');
  }
  await ask('91 01 00 91');
  assert.is(await ask('40', 5), '40 00 55 01 17');
  // An address without a twin is a row of registers, as ever.
  await ask('91 01 00 A1');
  assert.is(await ask('40', 5), '40 00 55 01 50');
});

test('DEV-057 a twin that does not acknowledge is absent to the engine, and one that is not in i2c_map too', async () => {
  const { ask, twin, sensor } = wired();
  const absent = async () => {
    assert.is(await ask('90 01 00 90 00', 2), '90 00');
    const status = (await ask('10')).split(' ');
    assert.equal([status[8], status[20]], ['25', '40']);
    await ask('10 00 10');
    await ask('91 02 00 91');
    assert.is(await ask('40', 4), '40 41 25 7F');
    await ask('10 00 10');
  };
  await absent();
  twin.knobs.patch({ i2c_map: [0x48] });
  for (const knobs of [{ nack: true }, { unplugged: true }]) {
    sensor.knobs.patch(knobs);
    await absent();
    sensor.knobs.reset();
  }
  await ask('91 02 00 91');
  assert.is(await ask('40', 4), '40 00 55 02');
});

test.run();
