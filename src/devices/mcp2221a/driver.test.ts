import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import { Mcp2221a, type Mcp2221aOptions } from './driver.ts';
import { ScriptedHid } from './scripted-hid.ts';

const test = suite('mcp2221a driver, frame by frame');

const STATUS = '10';
/** G1 0.635 V (raw 197), G2 0, G3 full scale at 3.3 V; HW A6, FW 12; engine never used, lines high. */
const IDLE = statusAnswer({});
const GET_SRAM = '61';
/** As after power-up: GP0 02, GP1 03, GP2 01, GP3 01, reference Vrm 1.024 V. */
const SRAM_BEFORE = sramAnswer('6F', '02 03 01 01');
const SRAM_VDD = sramAnswer('60', '02 02 02 02');
const SET_VDD = '60 00 00 00 00 80 00 80 02 02 02 02';
const DONE = '60 00';

const OPEN_VDD: [string, string][] = [
  [STATUS, IDLE],
  [GET_SRAM, SRAM_BEFORE],
  [SET_VDD, DONE],
  [GET_SRAM, SRAM_VDD],
  [STATUS, IDLE],
];
const CHECK: [string, string] = [GET_SRAM, SRAM_VDD];

function statusAnswer(changes: {
  state?: string;
  used?: string;
  nack?: string;
  head?: string;
  lines?: string;
}) {
  const { state = '00', used = '00', nack = '00', head = '10 00 00 00 00', lines = '01 01' } = changes;
  return (
    `${head} 00 00 00 ${state} 00 00 00 00 00 76 00 00 00 00 00 ${nack} ${used} ${lines} 00 00 ` +
    `${'00 '.repeat(20)} 41 36 31 32 C5 00 00 00 FF 03`
  );
}

function sramAnswer(interruptAdc: string, pins: string) {
  return `61 00 12 04 7C 12 88 ${interruptAdc} D8 04 DD 00 80 32 00 00 00 00 00 00 00 00 ${pins}`;
}

/** Runs `work` behind the open sequence. @returns its result, or the error */
async function scripted<T>(
  script: [string, string][],
  work: (adc: Mcp2221a) => Promise<T>,
  options: Mcp2221aOptions = {},
): Promise<T | DeviceError> {
  const clock = new SteppedClock();
  const port = new ScriptedHid(clock, script);
  const adc = new Mcp2221a(port, { clock, ...options });
  const result = await stepUntil(
    clock,
    adc
      .open()
      .then(() => work(adc))
      .catch((error: DeviceError) => error),
  );
  await adc.close();
  assert.equal(port.deviations, []);
  assert.is(clock.pending, 0);
  return result;
}

test('DEV-006 DEV-007 the open sequence with VDD: status, settings, set-up with GP0 kept, read-back, one status thrown away', async () => {
  await scripted(OPEN_VDD, async (adc) => {
    assert.is(adc.state, 'open');
    assert.equal(adc.revisions, { hardwareRevision: 'A6', firmwareRevision: '12' });
  });
});

test('DEV-006 GP0 is written back as it was found, whatever it is', async () => {
  for (const gp0 of ['00', '08', '18', '12', '02']) {
    await scripted(
      [
        [STATUS, IDLE],
        [GET_SRAM, sramAnswer('6F', `${gp0} 03 01 01`)],
        [`60 00 00 00 00 80 00 80 ${gp0} 02 02 02`, DONE],
        [GET_SRAM, sramAnswer('60', `${gp0} 02 02 02`)],
        [STATUS, IDLE],
      ],
      async () => {},
    );
  }
});

for (const [source, load, shown] of [
  ['1.024', '83', '6C'],
  ['2.048', '85', '74'],
  ['4.096', '87', '7C'],
] as const) {
  test(`DEV-009 with ${source} V a second 60 loads only [5]`, async () => {
    const sample = await scripted(
      [
        [STATUS, IDLE],
        [GET_SRAM, SRAM_BEFORE],
        [`60 00 00 00 00 ${load} 00 80 02 02 02 02`, DONE],
        // A 60 right after a 60: the sync request between them.
        [GET_SRAM, sramAnswer('64', '02 02 02 02')],
        [`60 00 00 00 00 ${load}`, DONE],
        [GET_SRAM, sramAnswer(shown, '02 02 02 02')],
        [STATUS, IDLE],
        [GET_SRAM, sramAnswer(shown, '02 02 02 02')],
        [STATUS, IDLE],
      ],
      (adc) => adc.read(1),
      { referenceSource: source, referenceVolts: 3.3 },
    );
    assert.ok(!(sample instanceof Error));
    assert.is(sample.referenceVolts, Number(source));
    assert.is(sample.volts, (197 * Number(source)) / 1024);
  });
}

test('DEV-005 a reading is a read-back of the settings and one status', async () => {
  const outcomes = await scripted([...OPEN_VDD, CHECK, [STATUS, IDLE]], (adc) => adc.readAll());
  assert.ok(Array.isArray(outcomes));
  const [g1, g2, g3] = outcomes.map((outcome) => (outcome.ok ? outcome.sample : undefined));
  assert.equal(g1, {
    channel: 1,
    inputName: 'G1',
    physicalInput: 'MCP2221A.G1',
    raw10bit: 197,
    volts: (197 * 3.3) / 1024,
    referenceVolts: 3.3,
    saturated: false,
    verified: true,
    observedAt: g1?.observedAt,
  });
  assert.equal([g2?.volts, g2?.saturated], [0, false]);
  assert.equal([g3?.raw10bit, g3?.saturated], [1023, true]);
  assert.is(Math.round((g1?.volts ?? 0) * 1e6) / 1e6, 0.634863);
});

test('many readings in a row cost one exchange each', async () => {
  const rows = await scripted(
    [...OPEN_VDD, CHECK, [STATUS, IDLE], [STATUS, IDLE], [STATUS, IDLE], [STATUS, IDLE]],
    (adc) => adc.readMany(4),
  );
  assert.is(Array.isArray(rows) && rows.length, 4);
});

test('DEV-007 each health check repeats the read-back; two in a row have a sync request between them', async () => {
  const health = await scripted([...OPEN_VDD, CHECK, [STATUS, IDLE], CHECK], async (adc) => [
    await adc.verify(),
    await adc.verify(),
  ]);
  assert.ok(Array.isArray(health));
  assert.equal(
    health.map(({ verified, faults }) => [verified, faults]),
    [
      [true, []],
      [true, []],
    ],
  );
});

test('DEV-008 a reference that did not take is an open failure', async () => {
  const error = await scripted(
    [
      [STATUS, IDLE],
      [GET_SRAM, SRAM_BEFORE],
      [SET_VDD, DONE],
      [GET_SRAM, sramAnswer('6F', '02 02 02 02')],
      [STATUS, IDLE],
    ],
    async () => 'open',
  );
  assert.ok(error instanceof Error);
  assert.is(error.code, 'adc_config_not_applied');
  assert.match(
    error.message,
    /usb-adc-usbhid on script: the ADC reference reads 03 where 00 \(vdd\) was set/,
  );
});

test('DEV-008 one wrong pin fails its own channel, and is set up anew before the next reading', async () => {
  const wrong = sramAnswer('60', '02 02 03 02');
  const result = await scripted(
    [
      [STATUS, IDLE],
      [GET_SRAM, SRAM_BEFORE],
      [SET_VDD, DONE],
      [GET_SRAM, wrong],
      [STATUS, IDLE],
      [GET_SRAM, wrong],
      [SET_VDD, DONE],
      [GET_SRAM, wrong],
      [STATUS, IDLE],
      // A status right after a status: the sync request between them.
      [GET_SRAM, wrong],
      [STATUS, IDLE],
      [GET_SRAM, wrong],
      [SET_VDD, DONE],
      [GET_SRAM, SRAM_VDD],
      [STATUS, IDLE],
      [GET_SRAM, SRAM_VDD],
      [STATUS, IDLE],
    ],
    async (adc) => [await adc.readAll(), await adc.readAll()],
  );
  assert.ok(Array.isArray(result));
  assert.equal(
    result[0]?.map((outcome) => (outcome.ok ? outcome.sample.raw10bit : outcome.error.code)),
    [197, 'adc_config_not_applied', 1023],
  );
  assert.equal(
    result[1]?.map(({ ok }) => ok),
    [true, true, true],
  );
});

test('DEV-008 settings changed since the opening: the reading at hand fails, no status is even asked for', async () => {
  const error = await scripted([...OPEN_VDD, [GET_SRAM, sramAnswer('60', '02 00 00 00')]], (adc) =>
    adc.read(1),
  );
  assert.ok(error instanceof Error);
  assert.is(error.code, 'adc_config_not_applied');
  assert.match(error.message, /GP1 has function 0 where 2 was set/);
});

test('the identity comes from flash and status, B0 after B0 with a sync request between', async () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('hex');
  const identity = await scripted(
    [
      ...OPEN_VDD,
      ['B0 02', `B0 00 34 03 ${utf16('Microchip Technology Inc.')}`],
      CHECK,
      ['B0 03', `B0 00 36 03 ${utf16('MCP2221 USB-I2C/UART Combo')}`],
      CHECK,
      ['B0 05', 'B0 00 08 00 30 31 32 33 34 35 36 37'],
      CHECK,
      ['B0 04', `B0 00 16 03 ${utf16('0003466530')}`],
      [STATUS, IDLE],
    ],
    (adc) => adc.identify(),
  );
  assert.ok(!(identity instanceof Error));
  assert.equal(
    { ...identity, observedAt: 0 },
    {
      manufacturer: 'Microchip Technology Inc.',
      product: 'MCP2221 USB-I2C/UART Combo',
      factorySerial: '01234567',
      usbSerial: '0003466530',
      hardwareRevision: 'A6',
      firmwareRevision: '12',
      observedAt: 0,
    },
  );
});

test('DEV-011 the scan of an empty bus: one byte of each address, a cancel after each refusal', async () => {
  const script: [string, string][] = [
    ...OPEN_VDD,
    CHECK,
    [STATUS, IDLE],
    CHECK,
    ['10 00 00 20 76', statusAnswer({ head: '10 00 00 20 76' })],
  ];
  for (let address = 0x08; address <= 0x77; address++) {
    const eightBit = ((address << 1) | 1).toString(16).padStart(2, '0');
    script.push(
      [`91 01 00 ${eightBit}`, '91 00'],
      ['40', '40 41 25 7F'],
      [STATUS, statusAnswer({ state: '25', used: '60', nack: '40' })],
      CHECK,
      ['10 00 10', statusAnswer({ head: '10 00 10 00 00', used: '60' })],
    );
  }
  const result = await scripted(script, (adc) => adc.scanI2c());
  assert.ok(!(result instanceof Error));
  assert.equal([result.addresses, result.speedHz], [[], 100_000]);
});

test('DEV-011 a bus held low is refused before anything is sent to it', async () => {
  for (const [lines, name] of [
    ['00 01', 'SCL'],
    ['01 00', 'SDA'],
    ['00 00', 'SCL and SDA'],
  ]) {
    const error = await scripted(
      [...OPEN_VDD, CHECK, [STATUS, statusAnswer({ lines: lines ?? '' })]],
      (adc) => adc.scanI2c(),
    );
    assert.ok(error instanceof Error);
    assert.is(error.code, 'i2c_bus_stuck');
    assert.match(error.message, new RegExp(`: ${name} held low`));
  }
});

test('DEV-011 an engine that is stuck but was never used is not cancelled', async () => {
  const error = await scripted([...OPEN_VDD, CHECK, [STATUS, statusAnswer({ state: '62' })]], (adc) =>
    adc.scanI2c(),
  );
  assert.ok(error instanceof Error);
  assert.is(error.code, 'i2c_bus_stuck');
});

test('DEV-011 an engine that is busy does not take the speed: nothing is sent to the bus', async () => {
  const error = await scripted(
    [...OPEN_VDD, CHECK, [STATUS, IDLE], CHECK, ['10 00 00 20 76', statusAnswer({ head: '10 00 00 21 76' })]],
    (adc) => adc.scanI2c(),
  );
  assert.ok(error instanceof Error);
  assert.equal([error.code, error.reason], ['device_error', 'i2c_speed']);
});

test('DEV-011 a refused address with an engine that is idle again needs no cancel, and gets none', async () => {
  const script: [string, string][] = [
    ...OPEN_VDD,
    CHECK,
    [STATUS, IDLE],
    CHECK,
    ['10 00 00 20 76', statusAnswer({ head: '10 00 00 20 76' })],
  ];
  for (let address = 0x08; address <= 0x77; address++) {
    const eightBit = ((address << 1) | 1).toString(16).padStart(2, '0');
    script.push(
      [`91 01 00 ${eightBit}`, '91 00'],
      ['40', '40 41 00 7F'],
      [STATUS, statusAnswer({ state: '00', used: '60', nack: '40' })],
    );
  }
  const result = await scripted(script, (adc) => adc.scanI2c());
  assert.ok(!(result instanceof Error));
  assert.equal(result.addresses, []);
});

test('DEV-010 the reference is 1.0 to 5.5 V, and only the known sources are taken', () => {
  const clock = new SteppedClock();
  const make = (options: Mcp2221aOptions) => () => new Mcp2221a(new ScriptedHid(clock, []), options);
  for (const referenceVolts of [1.0, 3.3, 5.5]) make({ referenceVolts })();
  for (const referenceVolts of [0.999, 5.501, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(make({ referenceVolts }), (error: DeviceError) => error.code === 'setting_refused');
  for (const referenceSource of ['', 'VDD', '3.3', '1.0240'])
    assert.throws(make({ referenceSource }), (error: DeviceError) => error.code === 'setting_refused');
});

test('a channel other than 1 to 3 and a row other than 1 to 100 are refused, nothing is sent', async () => {
  await scripted(OPEN_VDD, async (adc) => {
    for (const channel of [0, 4, 1.5]) {
      const error = await adc.read(channel as 1).catch((refused: DeviceError) => refused);
      assert.is((error as DeviceError).code, 'value_out_of_range');
    }
    for (const count of [0, 101, 1.5, -1]) {
      const error = await adc.readMany(count).catch((refused: DeviceError) => refused);
      assert.is((error as DeviceError).code, 'value_out_of_range');
    }
  });
});

test.run();
