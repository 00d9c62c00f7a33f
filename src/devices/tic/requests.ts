import type { ControlRequest } from '../../transports/usb/usb-control.ts';

/** Pololu Tic T249: vendor requests on endpoint 0. */
export const VENDOR_ID = 0x1ffb;
export const PRODUCT_ID = 0x00c9;

/** Every Tic by its product id. Only the T249 is driven; the others are named when they are found. */
export const PRODUCTS: Readonly<Record<number, string>> = {
  179: 'Tic T825',
  181: 'Tic T834',
  189: 'Tic T500',
  195: 'Tic N825',
  201: 'Tic T249',
  203: 'Tic 36v4',
};

/**
 * All requests that the driver can make. Set setting (13), reinitialize (10) and bootloader (FF) are left out, so
 * that no code of the rig can form them.
 */
export const COMMANDS = {
  setTargetPosition: 0xe0,
  setTargetVelocity: 0xe3,
  haltAndSetPosition: 0xec,
  haltAndHold: 0x89,
  goHome: 0x97,
  setMaxSpeed: 0xe6,
  setStartingSpeed: 0xe5,
  setMaxAcceleration: 0xea,
  setMaxDeceleration: 0xe9,
  energize: 0x85,
  deenergize: 0x86,
  exitSafeStart: 0x83,
  enterSafeStart: 0x8f,
  resetCommandTimeout: 0x8c,
  clearDriverError: 0x8a,
  reset: 0xb0,
  setStepMode: 0x94,
  setCurrentLimit: 0x91,
  setDecayMode: 0x92,
  setAgcOption: 0x98,
  getVariable: 0xa1,
  getVariableAndClearErrors: 0xa2,
  getSetting: 0xa8,
} as const;

export type Command = keyof typeof COMMANDS;

/** A request that the driver may make; its code is one of `COMMANDS`. */
export interface TicRequest extends ControlRequest {
  request: (typeof COMMANDS)[Command];
}

/** An IN request with the length of its data stage, bytes. */
export interface TicRead extends TicRequest {
  length: number;
}

export type Direction = 'forward' | 'reverse';

/** 1/10000 step/s: 50000 step/s, the fastest the device can do. */
export const MAX_SPEED = 500_000_000;
/** 1/10000 step/s in one step/s. */
export const SPEED_UNITS = 10_000;
/** 1/100 step/s2 in one step/s2. */
export const ACCELERATION_UNITS = 100;
/** 1/100 step/s2, the range of the device. */
export const MIN_ACCELERATION = 100;
export const MAX_ACCELERATION = 0x7fff_ffff;
export const MAX_READ_BYTES = 128;

const MIN_INT32 = -0x8000_0000;
const MAX_INT32 = 0x7fff_ffff;

const quick = (command: Command): TicRequest => ({ request: COMMANDS[command], value: 0, index: 0 });

function sevenBit(command: Command, value: number): TicRequest {
  demand(command, value, 0, 127);
  return { request: COMMANDS[command], value, index: 0 };
}

function wide(command: Command, value: number, least: number, most: number): TicRequest {
  demand(command, value, least, most);
  return { request: COMMANDS[command], value: value & 0xffff, index: (value >>> 16) & 0xffff };
}

function demand(command: Command, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${command} takes a whole number from ${least} to ${most}, not ${value}`);
}

export const energize = (): TicRequest => quick('energize');
export const deenergize = (): TicRequest => quick('deenergize');
export const exitSafeStart = (): TicRequest => quick('exitSafeStart');
export const enterSafeStart = (): TicRequest => quick('enterSafeStart');
export const resetCommandTimeout = (): TicRequest => quick('resetCommandTimeout');
/** Stops at once; the position is uncertain afterwards. */
export const haltAndHold = (): TicRequest => quick('haltAndHold');
/** Makes the driver chip's latched error go away. */
export const clearDriverError = (): TicRequest => quick('clearDriverError');

/** @param microsteps signed 32 bit, counted from the device's own zero. @throws RangeError */
export const targetPosition = (microsteps: number): TicRequest =>
  wide('setTargetPosition', microsteps, MIN_INT32, MAX_INT32);

/** @param velocity 1/10000 step/s, -500000000..500000000. @throws RangeError */
export const targetVelocity = (velocity: number): TicRequest =>
  wide('setTargetVelocity', velocity, -MAX_SPEED, MAX_SPEED);

/** Stops at once and calls the place `microsteps`. @throws RangeError */
export const haltAndSetPosition = (microsteps: number): TicRequest =>
  wide('haltAndSetPosition', microsteps, MIN_INT32, MAX_INT32);

/** @param speed 1/10000 step/s, 0..500000000. @throws RangeError */
export const maxSpeed = (speed: number): TicRequest => wide('setMaxSpeed', speed, 0, MAX_SPEED);

/** @param acceleration 1/100 step/s2, 100..2147483647. @throws RangeError */
export const maxAcceleration = (acceleration: number): TicRequest =>
  wide('setMaxAcceleration', acceleration, MIN_ACCELERATION, MAX_ACCELERATION);

export const goHome = (direction: Direction): TicRequest =>
  sevenBit('goHome', direction === 'forward' ? 1 : 0);

/** @param offset first variable, @param length 1..128 bytes. @throws RangeError */
export const readVariables = (offset: number, length: number): TicRead => read('getVariable', offset, length);

/** The same, and the device forgets its "errors occurred". @throws RangeError */
export const readVariablesAndClearErrors = (offset: number, length: number): TicRead =>
  read('getVariableAndClearErrors', offset, length);

/** @throws RangeError */
export const readSettings = (offset: number, length: number): TicRead => read('getSetting', offset, length);

function read(command: Command, offset: number, length: number): TicRead {
  demand(command, offset, 0, 0xff);
  demand(command, length, 1, MAX_READ_BYTES);
  return { request: COMMANDS[command], value: 0, index: offset, length };
}

/** The 8 bytes of the setup packet, as section 4 prints them. A `length` makes it an IN request. */
export function setupPacket({
  request,
  value,
  index,
  length,
}: ControlRequest & { length?: number }): Uint8Array {
  const words = [value, index, length ?? 0].flatMap((word) => [word & 0xff, word >>> 8]);
  return Uint8Array.from([length === undefined ? 0x40 : 0xc0, request, ...words]);
}
