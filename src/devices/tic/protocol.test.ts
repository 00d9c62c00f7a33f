import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { errorNames, stateOf } from './errors.ts';
import * as requests from './requests.ts';
import { DEFAULT_PROFILE, decodeSettings, differences } from './settings.ts';
import { factorySettings } from './twin-memory.ts';
import { decodeVariables } from './variables.ts';

const test = suite('tic packets');

/** Reference frames; those after the tenth follow from the table of offsets. */
const packets: [string, requests.TicRequest | requests.TicRead, string][] = [
  ['energize', requests.energize(), '40 85 00 00 00 00 00 00'],
  ['exit safe start', requests.exitSafeStart(), '40 83 00 00 00 00 00 00'],
  ['target +500', requests.targetPosition(500), '40 E0 F4 01 00 00 00 00'],
  ['target -500', requests.targetPosition(-500), '40 E0 0C FE FF FF 00 00'],
  ['velocity +1000 step/s', requests.targetVelocity(10_000_000), '40 E3 80 96 98 00 00 00'],
  ['velocity -1000 step/s', requests.targetVelocity(-10_000_000), '40 E3 80 69 67 FF 00 00'],
  ['max speed 1000 step/s', requests.maxSpeed(10_000_000), '40 E6 80 96 98 00 00 00'],
  ['position := 0', requests.haltAndSetPosition(0), '40 EC 00 00 00 00 00 00'],
  ['home reverse', requests.goHome('reverse'), '40 97 00 00 00 00 00 00'],
  ['read all', requests.readVariables(0, 90), 'C0 A1 00 00 00 00 5A 00'],
  ['VIN only', requests.readVariables(0x33, 2), 'C0 A1 00 00 33 00 02 00'],
  ['home forward', requests.goHome('forward'), '40 97 01 00 00 00 00 00'],
  ['de-energize', requests.deenergize(), '40 86 00 00 00 00 00 00'],
  ['enter safe start', requests.enterSafeStart(), '40 8F 00 00 00 00 00 00'],
  ['halt and hold', requests.haltAndHold(), '40 89 00 00 00 00 00 00'],
  ['reset command timeout', requests.resetCommandTimeout(), '40 8C 00 00 00 00 00 00'],
  ['clear driver error', requests.clearDriverError(), '40 8A 00 00 00 00 00 00'],
  ['max acceleration 400 step/s2', requests.maxAcceleration(40_000), '40 EA 40 9C 00 00 00 00'],
  ['read all, clear errors', requests.readVariablesAndClearErrors(0, 90), 'C0 A2 00 00 00 00 5A 00'],
  ['settings', requests.readSettings(0, 0x69), 'C0 A8 00 00 00 00 69 00'],
  ['least target', requests.targetPosition(-0x8000_0000), '40 E0 00 00 00 80 00 00'],
  ['greatest target', requests.targetPosition(0x7fff_ffff), '40 E0 FF FF FF 7F 00 00'],
  ['greatest speed', requests.maxSpeed(500_000_000), '40 E6 00 65 CD 1D 00 00'],
];

for (const [name, request, packet] of packets) {
  test(`DEV-020 ${name} is ${packet}`, () => assert.is(hexOf(requests.setupPacket(request)), packet));
}

test('DEV-021 speed is counted in 1/10000 step/s: 1000 step/s are 10000000', () => {
  assert.is(1000 * requests.SPEED_UNITS, 10_000_000);
  assert.is(requests.MAX_SPEED, 50_000 * requests.SPEED_UNITS);
});

test('a number that the device does not have is refused before it is a packet', () => {
  const wrong = [
    () => requests.targetPosition(0x8000_0000),
    () => requests.targetPosition(1.5),
    () => requests.targetPosition(Number.NaN),
    () => requests.targetVelocity(500_000_001),
    () => requests.targetVelocity(-500_000_001),
    () => requests.maxSpeed(-1),
    () => requests.maxSpeed(500_000_001),
    () => requests.maxAcceleration(99),
    () => requests.readVariables(0, 129),
    () => requests.readVariables(0, 0),
  ];
  for (const make of wrong) assert.throws(make, RangeError);
});

test('DEV-026 no request can be formed that writes settings, reinitializes or starts the bootloader', () => {
  const codes: number[] = Object.values(requests.COMMANDS);
  for (const forbidden of [0x13, 0x10, 0xff]) assert.not.ok(codes.includes(forbidden));
  for (const [, { request }] of packets) assert.ok(codes.includes(request));
});

/** Offsets as the table of section 4 has them, not as the code has them. */
function block(fields: Record<number, string> = {}): Uint8Array {
  const bytes = new Uint8Array(90);
  const sound = { 0: '0A 01', 22: '80 96 98 00', 26: '40 9C 00 00', 30: '40 9C 00 00', 51: 'C0 5D' };
  for (const [offset, hex] of Object.entries({ ...sound, ...fields }))
    bytes.set(bytesOf(hex), Number(offset));
  return bytes;
}

test('DEV-020 each variable comes from its offset, little-endian, with its sign', () => {
  const seen = decodeVariables(
    block({
      0: '0A 1F',
      4: '48 00 1F 00',
      9: '01',
      10: '0C FE FF FF',
      14: '80 69 67 FF',
      18: '01 00 00 00',
      34: 'F4 01 00 00',
      38: '80 69 67 FF',
      53: '78 56 34 12',
      73: '05',
      74: '20',
      76: '03',
      85: '02',
    }),
  );
  assert.equal(seen, {
    state: 'normal',
    energized: true,
    positionUncertain: true,
    forwardLimit: true,
    reverseLimit: true,
    homing: true,
    errorStatus: 0,
    errorsOccurred: 0x1f0048,
    planningMode: 1,
    targetPosition: -500,
    targetVelocity: -10_000_000,
    startingSpeed: 1,
    maxSpeed: 10_000_000,
    maxDeceleration: 40_000,
    maxAcceleration: 40_000,
    position: 500,
    velocity: -10_000_000,
    vinMv: 24_000,
    upTimeMs: 0x12345678,
    stepMode: 5,
    currentLimitMa: 1280,
    inputState: 3,
    lastDriverError: 'over_temperature',
  });
});

test('each flag is its own bit', () => {
  const flags = ['energized', 'positionUncertain', 'forwardLimit', 'reverseLimit', 'homing'] as const;
  for (const [bit, flag] of flags.entries()) {
    // In the soft error state the coils may be on or off.
    const seen = decodeVariables(block({ 0: '04', 1: hexOf(Uint8Array.of(1 << bit)), 2: '80 00' }));
    assert.equal(
      flags.filter((name) => seen[name]),
      [flag],
    );
  }
});

test('each error bit has its name', () => {
  const rows: [number, string][] = [
    [0x0001, 'intentionally_deenergized'],
    [0x0002, 'motor_driver_error'],
    [0x0004, 'low_vin'],
    [0x0008, 'kill_switch'],
    [0x0010, 'input_invalid'],
    [0x0020, 'serial_error'],
    [0x0040, 'command_timeout'],
    [0x0080, 'safe_start_violation'],
    [0x0100, 'err_line_high'],
    [0x10000, 'serial_framing'],
    [0x20000, 'serial_overrun'],
    [0x40000, 'serial_format'],
    [0x80000, 'serial_crc'],
    [0x100000, 'encoder_skip'],
  ];
  for (const [bits, name] of rows) assert.equal(errorNames(bits), [name]);
  assert.equal(errorNames(0x0044), ['low_vin', 'command_timeout']);
});

test('the state follows from the gravest error', () => {
  const rows: [number, string][] = [
    [0, 'normal'],
    [0x0100, 'waitingForErrLine'],
    [0x0180, 'softError'],
    [0x0081, 'deenergized'],
    [0x0003, 'reset'],
    [0x0005, 'reset'],
  ];
  for (const [errors, state] of rows) assert.is(stateOf(errors), state);
});

test('a block that the device cannot mean is not a reading', () => {
  const rows: [string, Uint8Array, RegExp][] = [
    ['89 bytes', block().slice(1), /89 bytes/],
    ['91 bytes', Uint8Array.from([...block(), 0]), /91 bytes/],
    ['all zero: it would say "stopped"', new Uint8Array(90), /state reset/],
    ['all ones', new Uint8Array(90).fill(0xff), /state 255/],
    ['an odd state', block({ 0: '03' }), /state 3/],
    ['normal with an error', block({ 2: '04 00' }), /state normal/],
    ['normal without current', block({ 1: '00' }), /energized false/],
    ['de-energized with current', block({ 0: '02 01', 2: '01 00' }), /energized true/],
    ['planning mode 3', block({ 9: '03' }), /planning mode/],
    ['input state 5', block({ 76: '05' }), /input state/],
    ['too fast', block({ 38: '01 65 CD 1D' }), /speed/],
    ['no acceleration', block({ 30: '63 00 00 00' }), /acceleration/],
  ];
  for (const [, bytes, says] of rows) assert.throws(() => decodeVariables(bytes), says);
  decodeVariables(block({ 38: '00 65 CD 1D' }));
  decodeVariables(block({ 0: '08 01' }));
});

test('settings come from their offsets, and the twin has the defaults of the table', () => {
  const settings = decodeSettings(factorySettings().slice(0, 0x69));
  assert.equal(settings, {
    controlMode: 0,
    safeStartDisabled: false,
    autoClearDriverError: true,
    commandTimeoutMs: 1000,
    lowVinTimeoutMs: 250,
    lowVinShutoffMv: 5500,
    lowVinStartupMv: 5800,
    highVinShutoffMv: 40_000,
    vinCalibration: 0,
    invertDirection: false,
    switchPolarity: 0,
    pins: [0, 0, 0x88, 0x89, 0x87],
    currentLimitMa: 200,
    stepMode: 0,
    startingSpeed: 0,
    maxSpeed: 2_000_000,
    maxDeceleration: 0,
    maxAcceleration: 40_000,
    softErrorResponse: 2,
    softErrorPosition: 0,
    killSwitchMap: 0x10,
    forwardLimitMap: 0x04,
    reverseLimitMap: 0x08,
    homingSpeedTowards: 1_000_000,
    homingSpeedAway: 500_000,
  });
  const bytes = factorySettings().slice(0, 0x69);
  bytes.set(bytesOf('01'), 0x03);
  bytes.set(bytesOf('F4 01'), 0x09);
  bytes.set(bytesOf('FE FF'), 0x14);
  bytes.set(bytesOf('0C FE FF FF'), 0x54);
  bytes.set(bytesOf('40 0D 03 00'), 0x65);
  const odd = decodeSettings(bytes);
  assert.equal(
    [
      odd.safeStartDisabled,
      odd.commandTimeoutMs,
      odd.vinCalibration,
      odd.softErrorPosition,
      odd.homingSpeedAway,
    ],
    [true, 500, -2, -500, 200_000],
  );
  assert.equal(differences(odd, DEFAULT_PROFILE), [
    { setting: 'safeStartDisabled', wanted: false, actual: true },
    { setting: 'commandTimeoutMs', wanted: 1000, actual: 500 },
  ]);
  assert.equal(differences(settings, { ...DEFAULT_PROFILE, pins: [0, 0, 0x88, 0x89, 0x87] }), []);
  assert.is(differences(settings, { pins: [0, 0, 0, 0, 0] }).length, 1);
});

test('settings that cannot be settings are refused', () => {
  assert.throws(() => decodeSettings(new Uint8Array(0x69)), /acceleration 0/);
  assert.throws(() => decodeSettings(new Uint8Array(0x69).fill(0xff)), /control mode 255/);
  assert.throws(() => decodeSettings(new Uint8Array(0x68)), /104 bytes/);
});

test.run();
