import { byteAt, checkAnswer, corrupt, wordAt } from './answer.ts';
import { COMMAND, Request } from './request.ts';

/** Largest word of the ten-bit converters. */
export const FULL_SCALE = 1023;

/** Clock from which the I2C speed is divided, Hz. */
const I2C_CLOCK_HZ = 12_000_000;

/** The answer to command 10; bytes that it does not define are not looked at. */
export interface Status {
  /** [2]: 00 none was asked for, 10 marked, 11 already idle. */
  cancel: number;
  /** [3]: 20 speed accepted, 21 busy; 00 when none was asked for. */
  speed: number;
  /** [8]: see `I2C_STATE`. */
  engineState: number;
  requestedLength: number;
  transferredLength: number;
  divider: number;
  /** [20] bit 6. */
  addressNotAcknowledged: boolean;
  /** [21] is not 0: a cancel is safe. */
  engineUsed: boolean;
  sclHigh: boolean;
  sdaHigh: boolean;
  /** For example `A6`. */
  hardwareRevision: string;
  /** For example `12`. */
  firmwareRevision: string;
  /** ADC1 = GP1, ADC2 = GP2, ADC3 = GP3; 0..1023. There also when the pin is not an ADC pin. */
  adc: readonly [number, number, number];
}

export const status = (): Request => new Request(COMMAND.status);

/** Cancels an I2C transfer. NEVER for an engine that was not used: it wedges until the chip is reset. */
export const cancelTransfer = (): Request => new Request(COMMAND.status, [0, 0x10]);

/** @param hertz 46693..400000 @throws RangeError outside */
export function setI2cSpeed(hertz: number): Request {
  return new Request(COMMAND.status, [0, 0, 0x20, dividerOf(hertz)]);
}

export function dividerOf(hertz: number): number {
  const divider = Math.round(I2C_CLOCK_HZ / hertz) - 2;
  if (!(hertz <= 400_000 && divider <= 0xff))
    throw new RangeError(`an I2C speed of ${hertz} Hz is not 46693 to 400000 Hz`);
  return divider;
}

/** @throws AnswerFault, also for an ADC word above 1023 and a revision that is not text */
export function decodeStatus(report: Uint8Array): Status {
  checkAnswer(report, COMMAND.status);
  return {
    cancel: byteAt(report, 2),
    speed: byteAt(report, 3),
    engineState: byteAt(report, 8),
    requestedLength: wordAt(report, 9),
    transferredLength: wordAt(report, 11),
    divider: byteAt(report, 14),
    addressNotAcknowledged: (byteAt(report, 20) & 0x40) !== 0,
    engineUsed: byteAt(report, 21) !== 0,
    sclHigh: byteAt(report, 22) !== 0,
    sdaHigh: byteAt(report, 23) !== 0,
    hardwareRevision: revisionAt(report, 46),
    firmwareRevision: revisionAt(report, 48),
    adc: [adcAt(report, 1), adcAt(report, 2), adcAt(report, 3)],
  };
}

function adcAt(report: Uint8Array, channel: 1 | 2 | 3): number {
  const word = wordAt(report, 48 + 2 * channel);
  if (word > FULL_SCALE)
    throw corrupt('word', `ADC${channel} reads ${word}, which ten bits cannot hold (at most ${FULL_SCALE})`);
  return word;
}

function revisionAt(report: Uint8Array, index: number): string {
  const text = String.fromCharCode(byteAt(report, index), byteAt(report, index + 1));
  if (!/^[\x20-\x7e]{2}$/.test(text))
    throw corrupt('revision', `bytes ${index} and ${index + 1} are not text`);
  return text;
}
