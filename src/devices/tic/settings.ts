import { MAX_SPEED, MIN_ACCELERATION } from './requests.ts';
import { CURRENT_UNIT_MA } from './variables.ts';

/** From offset 00 up to the last byte of the homing speeds. */
export const SETTINGS_BYTES = 0x69;

/** Offsets of the settings. They are read and compared, never written. */
export const SETTING = {
  controlMode: 0x01,
  safeStartDisabled: 0x03,
  autoClearDriverError: 0x08,
  commandTimeoutMs: 0x09,
  lowVinTimeoutMs: 0x0c,
  lowVinShutoffMv: 0x0e,
  lowVinStartupMv: 0x10,
  highVinShutoffMv: 0x12,
  vinCalibration: 0x14,
  invertDirection: 0x1b,
  switchPolarity: 0x36,
  pins: 0x3b,
  currentCode: 0x40,
  stepMode: 0x41,
  startingSpeed: 0x43,
  maxSpeed: 0x47,
  maxDeceleration: 0x4b,
  maxAcceleration: 0x4f,
  softErrorResponse: 0x53,
  softErrorPosition: 0x54,
  killSwitchMap: 0x5d,
  forwardLimitMap: 0x5f,
  reverseLimitMap: 0x60,
  homingSpeedTowards: 0x61,
  homingSpeedAway: 0x65,
} as const;

export const PIN_FUNCTION = { killSwitch: 7, forwardLimit: 8, reverseLimit: 9 } as const;

export interface TicSettings {
  /** 0 is serial, I2C and USB; in any other mode the motion commands are ignored. */
  controlMode: number;
  safeStartDisabled: boolean;
  autoClearDriverError: boolean;
  /** 0: never, and then nothing stops the motor when the host dies. */
  commandTimeoutMs: number;
  lowVinTimeoutMs: number;
  lowVinShutoffMv: number;
  lowVinStartupMv: number;
  highVinShutoffMv: number;
  vinCalibration: number;
  invertDirection: boolean;
  /** One bit for each pin that is active when high. */
  switchPolarity: number;
  /** Configuration bytes of SCL, SDA, TX, RX and RC: function in b3:0, b6 analog, b7 pull-up. */
  pins: number[];
  currentLimitMa: number;
  stepMode: number;
  /** 1/10000 step/s */
  startingSpeed: number;
  /** 1/10000 step/s */
  maxSpeed: number;
  /** 1/100 step/s2; 0 is the same as the acceleration. */
  maxDeceleration: number;
  /** 1/100 step/s2 */
  maxAcceleration: number;
  /** 0 de-energize, 1 halt and hold, 2 decelerate to hold, 3 go to position. */
  softErrorResponse: number;
  softErrorPosition: number;
  killSwitchMap: number;
  forwardLimitMap: number;
  reverseLimitMap: number;
  /** 1/10000 step/s */
  homingSpeedTowards: number;
  /** 1/10000 step/s */
  homingSpeedAway: number;
}

export type TicProfile = Partial<TicSettings>;

/** What the rig's safety rests on: USB control, safe start, and a motor that stops when its host falls silent. */
export const DEFAULT_PROFILE: TicProfile = {
  controlMode: 0,
  safeStartDisabled: false,
  commandTimeoutMs: 1000,
  softErrorResponse: 2,
};

/** A setting that is not as the profile wants it. */
export interface SettingDifference {
  setting: string;
  wanted: unknown;
  actual: unknown;
}

/** The settings from offset 00. @throws RangeError for another length, or for what cannot be settings */
export function decodeSettings(bytes: Uint8Array): TicSettings {
  if (bytes.length !== SETTINGS_BYTES)
    throw new RangeError(`${bytes.length} bytes of settings where ${SETTINGS_BYTES} were asked for`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const byte = (offset: number) => view.getUint8(offset);
  const word = (offset: number) => view.getUint16(offset, true);
  const wide = (offset: number) => view.getUint32(offset, true);
  const settings: TicSettings = {
    controlMode: byte(SETTING.controlMode),
    safeStartDisabled: byte(SETTING.safeStartDisabled) !== 0,
    autoClearDriverError: byte(SETTING.autoClearDriverError) !== 0,
    commandTimeoutMs: word(SETTING.commandTimeoutMs),
    lowVinTimeoutMs: word(SETTING.lowVinTimeoutMs),
    lowVinShutoffMv: word(SETTING.lowVinShutoffMv),
    lowVinStartupMv: word(SETTING.lowVinStartupMv),
    highVinShutoffMv: word(SETTING.highVinShutoffMv),
    vinCalibration: view.getInt16(SETTING.vinCalibration, true),
    invertDirection: byte(SETTING.invertDirection) !== 0,
    switchPolarity: byte(SETTING.switchPolarity),
    pins: Array.from({ length: 5 }, (_, pin) => byte(SETTING.pins + pin)),
    currentLimitMa: byte(SETTING.currentCode) * CURRENT_UNIT_MA,
    stepMode: byte(SETTING.stepMode),
    startingSpeed: wide(SETTING.startingSpeed),
    maxSpeed: wide(SETTING.maxSpeed),
    maxDeceleration: wide(SETTING.maxDeceleration),
    maxAcceleration: wide(SETTING.maxAcceleration),
    softErrorResponse: byte(SETTING.softErrorResponse),
    softErrorPosition: view.getInt32(SETTING.softErrorPosition, true),
    killSwitchMap: byte(SETTING.killSwitchMap),
    forwardLimitMap: byte(SETTING.forwardLimitMap),
    reverseLimitMap: byte(SETTING.reverseLimitMap),
    homingSpeedTowards: wide(SETTING.homingSpeedTowards),
    homingSpeedAway: wide(SETTING.homingSpeedAway),
  };
  const { controlMode, softErrorResponse, maxSpeed, maxAcceleration } = settings;
  if (controlMode > 7) throw new RangeError(`control mode ${controlMode} does not exist`);
  if (softErrorResponse > 3) throw new RangeError(`soft error response ${softErrorResponse} does not exist`);
  if (maxSpeed > MAX_SPEED) throw new RangeError(`maximum speed ${maxSpeed} is above ${MAX_SPEED}`);
  if (maxAcceleration < MIN_ACCELERATION)
    throw new RangeError(`maximum acceleration ${maxAcceleration} is below ${MIN_ACCELERATION}`);
  return settings;
}

/** Settings of `profile` that the device has otherwise; what the profile leaves out is not compared. */
export function differences(actual: TicSettings, profile: TicProfile): SettingDifference[] {
  return (Object.keys(profile) as (keyof TicSettings)[])
    .filter((setting) => profile[setting] !== undefined)
    .filter((setting) => JSON.stringify(profile[setting]) !== JSON.stringify(actual[setting]))
    .map((setting) => ({ setting, wanted: profile[setting], actual: actual[setting] }));
}
