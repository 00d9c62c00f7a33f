import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { HidPipe } from '../../transports/memory/hid-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import { Mcp2221a } from './driver.ts';
import { hidFaultSchema } from './fault.ts';
import { mcp2221aKnobsSchema } from './knobs.ts';
import { Mcp2221aTwin } from './twin.ts';

const test = suite('mcp2221a twin');

function twinAlone(seed = 1) {
  const clock = new SteppedClock();
  const notes: string[] = [];
  const twin = new Mcp2221aTwin({
    clock,
    random: seededRandom(seed),
    volts: (input) => [0.635, 0.755, 0.885][input - 1] ?? 0,
    listener: (event) => notes.push(event.kind),
  });
  const answers: Uint8Array[] = [];
  twin.connect((report) => answers.push(report));
  /** @returns the answer to `hex`, from 0 on as many bytes as asked for; empty when there is none */
  const ask = async (hex: string, bytes = 64) => {
    const report = new Uint8Array(64);
    report.set(bytesOf(hex));
    answers.length = 0;
    twin.receive(report);
    await clock.advance(10);
    return hexOf(answers[0]?.subarray(0, bytes) ?? new Uint8Array());
  };
  const adc = async () => (await ask('10')).split(' ').slice(50, 56).join(' ');
  return { clock, twin, ask, adc, answers, notes };
}

test('DEV-045 unknown commands end with result 01, reset answers nothing and re-enumerates', async () => {
  const { ask, notes } = twinAlone();
  for (const code of ['00', '11', '20', '62', '70', '70 AB CD', 'B1 00', 'B2', 'FF'])
    assert.is(await ask(code, 2), `${code.slice(0, 2)} 01`);
  assert.is(await ask('70 AB CD EF'), '');
  assert.ok(notes.includes('reenumerate'));
});

test('after power-up the settings are those of the flash, and not what a reading needs', async () => {
  const { ask, adc } = twinAlone();
  assert.is(
    await ask('61', 26),
    '61 00 12 04 7C 12 88 6F D8 04 DD 00 80 32 00 00 00 00 00 00 00 00 02 03 01 01',
  );
  assert.is(await adc(), 'FB 03 00 00 FA 03');
});

test('ADC words follow a pin only when it is an ADC pin, and the reference that is loaded', async () => {
  const { ask, adc, twin } = twinAlone();
  await ask('60 00 00 00 00 80 00 80 02 02 01 02');
  assert.is(await adc(), 'C5 00 00 00 12 01');
  await ask('60 00 00 00 00 80 00 80 02 02 02 02');
  assert.is(await adc(), 'C5 00 EA 00 12 01');
  twin.knobs.patch({ vref: 5, g1_v: 2.5, g3_v: 6 });
  assert.is(await adc(), '00 02 9A 00 FF 03');
  await ask('60 00 00 00 00 85');
  twin.knobs.patch({ g1_v: 1.024 });
  assert.is((await adc()).slice(0, 5), '00 02');
});

test('quirk (a): a write of pin functions turns Vrm off, also in the command that loads it', async () => {
  const { ask, adc } = twinAlone();
  await ask('60 00 00 00 00 85 00 80 02 02 02 02');
  assert.is((await ask('61', 8)).slice(-2), '67');
  assert.is(await adc(), 'FF 03 FF 03 FF 03');
  await ask('60 00 00 00 00 85');
  assert.is((await ask('61', 8)).slice(-2), '77');
  assert.is(await adc(), '3D 01 79 01 BA 01');
});

test('quirk (b): the Vrm choice of the flash has no effect after power-up', async () => {
  const { ask, adc, twin } = twinAlone();
  await ask('60 00 00 00 00 00 00 80 02 02 02 02');
  twin.powerUp();
  assert.is((await ask('61', 8)).slice(-2), '6F');
  assert.is(await adc(), 'FB 03 00 00 FA 03');
});

test('60 changes only what its load bits say', async () => {
  const { ask } = twinAlone();
  const before = await ask('61', 26);
  await ask('60 00 7F 7F 7F 7F 7F 7F 1F 1F 1F 1F');
  assert.is(await ask('61', 26), before);
  await ask('60 00 85 00 00 00 00 00');
  assert.is((await ask('61', 6)).slice(-2), '05');
});

test('positions that an answer does not define keep what the buffer held, or chance with stale_bytes', async () => {
  const { ask, twin } = twinAlone();
  await ask('B0 02');
  const stale = (await ask('51')).split(' ').slice(10, 52).join(' ');
  assert.is(stale, (await ask('B0 02')).split(' ').slice(10, 52).join(' '));
  twin.knobs.patch({ stale_bytes: true });
  const [first, second] = [await ask('51'), await ask('51')];
  assert.is(first.slice(0, 29), second.slice(0, 29));
  assert.not.equal(first.slice(30), second.slice(30));
});

test('GPIO get and set, EE and EF for other functions', async () => {
  const { ask } = twinAlone();
  assert.is(await ask('51', 10), '51 00 EE EF EE EF EE EF EE EF');
  await ask('60 00 00 00 00 00 00 80 02 08 10 00');
  assert.is(await ask('51', 10), '51 00 EE EF 00 01 01 00 00 00');
  assert.is(
    await ask('50 00 01 01 01 01 01 01 01 00 01 00 00 00 00 00 01 01', 18),
    '50 00 EE EE EE EE 01 01 01 00 01 00 00 00 00 00 01 01',
  );
  assert.is(await ask('51', 10), '51 00 EE EF 01 00 00 00 00 01');
});

test('flash pages are as documented', async () => {
  const { ask } = twinAlone();
  assert.is(await ask('B0 00', 14), 'B0 00 0A 00 7C 12 88 6F D8 04 DD 00 80 32');
  assert.is(await ask('B0 01', 8), 'B0 00 04 00 02 03 01 01');
  assert.is(await ask('B0 02', 6), 'B0 00 34 03 4D 00');
  assert.is(await ask('B0 03', 6), 'B0 00 36 03 4D 00');
  assert.is(await ask('B0 04', 6), 'B0 00 16 03 30 00');
  assert.is(await ask('B0 05', 12), 'B0 00 08 00 30 31 32 33 34 35 36 37');
  assert.is(await ask('B0 06', 2), 'B0 01');
});

test('DEV-011 the I2C engine: present, absent, cancelled, busy', async () => {
  const { ask, twin } = twinAlone();
  twin.knobs.patch({ i2c_map: [0x48] });
  assert.is(await ask('10 00 00 20 76', 5), '10 00 00 20 76');
  assert.is(await ask('91 01 00 91', 2), '91 00');
  assert.is(await ask('10 00 00 20 76', 4), '10 00 00 21');
  assert.is(await ask('40', 5), '40 00 55 01 48');
  assert.is(await ask('91 01 00 93', 2), '91 00');
  assert.is(await ask('40', 4), '40 41 25 7F');
  assert.is(await ask('91 01 00 91', 3), '91 01 25');
  assert.is((await ask('10')).split(' ')[20], '40');
  assert.is(await ask('10 00 10', 3), '10 00 10');
  assert.is(await ask('10 00 10', 3), '10 00 11');
  assert.is((await ask('10')).split(' ')[20], '00');
});

test('DEV-011 a cancel before the engine was ever used wedges it until the next power-up', async () => {
  const { ask, twin } = twinAlone();
  twin.knobs.patch({ i2c_map: [0x48] });
  assert.is((await ask('10')).split(' ')[21], '00');
  await ask('10 00 10');
  assert.is(twin.isWedged, true);
  assert.is((await ask('10')).split(' ')[8], '62');
  assert.is(await ask('91 01 00 91', 3), '91 01 62');
  twin.powerUp();
  assert.is(await ask('91 01 00 91', 2), '91 00');
  assert.is((await ask('10')).split(' ')[21], '60');
});

test('a register is read by a write without stop and a repeated start; long data in pieces of 60', async () => {
  const { ask, twin } = twinAlone();
  twin.knobs.patch({ i2c_map: [0x48] });
  assert.is(await ask('90 03 00 90 01 C3 83', 2), '90 00');
  assert.is((await ask('10')).split(' ')[8], '00');
  await ask('94 01 00 90 01');
  assert.is((await ask('10')).split(' ')[8], '45');
  assert.is(await ask('91 02 00 91', 3), '91 01 45');
  await ask('93 02 00 91');
  assert.is(await ask('40', 6), '40 00 55 02 C3 83');
  await ask('91 40 00 91');
  assert.is(await ask('40', 4), '40 00 54 3C');
  assert.is(await ask('40', 4), '40 00 55 04');
});

test('a read of nothing never ends, a bus held low ends in a time-out', async () => {
  const { ask, twin, clock } = twinAlone();
  await ask('91 00 00 91');
  await clock.advance(10_000);
  assert.is(await ask('40', 2), '40 41');
  await ask('10 00 10');
  twin.knobs.patch({ sda_stuck: true });
  await ask('91 01 00 91');
  await clock.advance(50);
  const status = (await ask('10')).split(' ');
  assert.equal([status[8], status[22], status[23]], ['12', '01', '00']);
});

test('answers leave strictly in order, one per millisecond, also behind a late one', async () => {
  const { twin, answers, clock } = twinAlone();
  twin.faultOnce({ late_ms: 100 }, { doubled: true });
  for (const code of [0x10, 0x61, 0x51]) twin.receive(Uint8Array.of(code));
  const at: [number, number][] = [];
  for (let seen = 0; clock.monotonic() < 120; seen = answers.length) {
    await clock.advance(1);
    if (answers.length > seen) at.push([clock.monotonic(), answers.at(-1)?.[0] ?? 0]);
  }
  assert.equal(at, [
    [102, 0x10],
    [103, 0x61],
    [104, 0x61],
    [105, 0x51],
  ]);
});

test('DEV-045 the knobs are exactly the documented ones (DEV-051, DEV-052, DEV-057), and unknown ones are refused', () => {
  const { twin } = twinAlone();
  assert.equal(Object.keys(mcp2221aKnobsSchema.shape).sort(), [
    'cancel_wedges',
    'factory_serial',
    'freeze',
    'g1_v',
    'g2_v',
    'g3_v',
    'i2c_map',
    'ignore_sram_set',
    'nack',
    'reply_delay_ms',
    'result_byte',
    'scl_stuck',
    'sda_stuck',
    'silent',
    'stale_bytes',
    'unplug',
    'usb_serial',
    'vref',
  ]);
  for (const patch of [{ vref: 0 }, { g1_v: 7 }, { i2c_map: [0x78] }, { result_byte: 256 }, { nonsense: 1 }])
    assert.throws(
      () => twin.knobs.patch(patch),
      (error: DeviceError) => error.code === 'knob_invalid',
    );
  assert.throws(() => hidFaultSchema.parse({ late_ms: -1 }));
  assert.throws(() => hidFaultSchema.parse({ other: true }));
});

const KNOBS: [knob: string, patch: Record<string, unknown>, end: number | string][] = [
  ['vref', { vref: 5 }, 130],
  ['g1_v', { g1_v: 1.65 }, 512],
  ['stale_bytes', { stale_bytes: true }, 197],
  ['reply_delay_ms', { reply_delay_ms: 200 }, 197],
  ['reply_delay_ms', { reply_delay_ms: 600 }, 'device_timeout'],
  ['result_byte', { result_byte: 1 }, 'device_error'],
  ['ignore_sram_set', { ignore_sram_set: true }, 'adc_config_not_applied'],
  ['ignore_sram_set', { ignore_sram_set: [1] }, 'adc_config_not_applied'],
  ['ignore_sram_set', { ignore_sram_set: [3] }, 197],
  ['nack', { nack: true }, 197],
  ['sda_stuck', { sda_stuck: true }, 197],
  ['scl_stuck', { scl_stuck: true }, 197],
];
for (const [knob, patch, end] of KNOBS) {
  test(`DEV-045 with ${knob} ${JSON.stringify(patch[knob])} a reading of G1 is ${end}`, async () => {
    const { twin, clock } = twinAlone();
    const pipe = new HidPipe();
    twin.connect((report) => pipe.send(report));
    pipe.onWritten((report) => twin.receive(report));
    const adc = new Mcp2221a(pipe, { clock });
    twin.knobs.patch(patch);
    const reading = adc.open().then(() => adc.read(1));
    const seen = await stepUntil(
      clock,
      reading.then(
        ({ raw10bit }) => raw10bit,
        ({ code }: DeviceError) => code,
      ),
    );
    assert.is(seen, end);
    await adc.close();
  });
}

test('DEV-047 the same seed gives the same chance', async () => {
  const bytes = async (seed: number) => {
    const { ask, twin } = twinAlone(seed);
    twin.knobs.patch({ stale_bytes: true });
    twin.faultEach(() => ({ foreign: true, corrupt: 'echo' }));
    return [await ask('10'), await ask('61'), await ask('51')];
  };
  assert.equal(await bytes(5), await bytes(5));
  assert.not.equal(await bytes(5), await bytes(6));
});

test('reset puts knobs and faults at rest and forgets answers that have not left', async () => {
  const { twin, clock, answers } = twinAlone();
  twin.knobs.patch({ g1_v: 1 });
  twin.faultOnce({ silent: true });
  twin.receive(Uint8Array.of(0x61));
  twin.receive(Uint8Array.of(0x10));
  twin.reset();
  await clock.advance(100);
  assert.equal([answers.length, clock.pending, twin.knobs.value.g1_v], [0, 0, null]);
});

test.run();
