/**
 * DFRobot DFR1184, the two-input 0-10 V module. Its binary protocol has no checksum, no channel
 * echo and no answer to a selection; only the length, the range and the order of the answers can be checked.
 */
export const UART_BAUD = 9600;
/** The largest reading a sound module gives, 11 V, in units of 0.01 mV. */
export const MAX_RAW = 1_100_000;
/** The end of the nominal range, 10 V. */
export const NOMINAL_MAX_RAW = 1_000_000;
export const SAMPLE_BYTES = 3;

export const REGISTERS = { select: 0x20, dataWidth: 0x30, sample: 0x31 } as const;
export const WRITE_COMMAND = 0xcc;
export const READ_COMMAND = 0xbb;

export type UartInput = 1 | 2;

/** AT CR LF */
export const PROBE = Uint8Array.of(0x41, 0x54, 0x0d, 0x0a);
/** OK CR LF: the only good answer to `PROBE` */
export const PROBE_ANSWER = Uint8Array.of(0x4f, 0x4b, 0x0d, 0x0a);
export const READ_SAMPLE = Uint8Array.of(READ_COMMAND, REGISTERS.sample, SAMPLE_BYTES);

/** Chooses the input that the next sample is taken from. The module does not answer it. */
export const selectInput = (input: UartInput): Uint8Array =>
  Uint8Array.of(WRITE_COMMAND, REGISTERS.select, 1, input);

/** One byte: the input that is selected. */
export const READ_SELECTED = Uint8Array.of(READ_COMMAND, REGISTERS.select, 1);

/** The text form of one reading. */
export const textRequest = (input: UartInput): Uint8Array => asciiOf(`AT+AIN${input}=?\r\n`);

/** @returns units of 0.01 mV; undefined when it is not three bytes. The range is for `isPossible`. */
export function rawOf(bytes: Uint8Array): number | undefined {
  const [high, middle, low] = bytes;
  if (bytes.length !== SAMPLE_BYTES || high === undefined || middle === undefined || low === undefined)
    return undefined;
  return (high << 16) | (middle << 8) | low;
}

/** Whether a sound module can mean it: 0..1100000. */
export const isPossible = (raw: number): boolean => Number.isInteger(raw) && raw >= 0 && raw <= MAX_RAW;

/** @param raw units of 0.01 mV, three bytes' worth */
export const sampleBytes = (raw: number): Uint8Array =>
  Uint8Array.of((raw >>> 16) & 0xff, (raw >>> 8) & 0xff, raw & 0xff);

export const voltsOf = (raw: number): number => raw / 100_000;
export const millivoltsOf = (raw: number): number => raw / 100;

/** @returns units of 0.01 mV, not below 0 and not above three bytes */
export const rawOfVolts = (volts: number): number =>
  Math.min(0xff_ffff, Math.max(0, Math.round(volts * 100_000)));

export type TextAnswer = { kind: 'reading'; input: number; raw: number } | { kind: 'error' };

/** @param line without its CR LF. @returns undefined when it is not an answer the module can give */
export function textAnswerOf(line: string): TextAnswer | undefined {
  if (line === 'ERROR') return { kind: 'error' };
  const [, input, whole, hundredths] = /^AT\+AIN([12])=(\d{1,5})\.(\d{2})$/.exec(line) ?? [];
  if (input === undefined || whole === undefined || hundredths === undefined) return undefined;
  return { kind: 'reading', input: Number(input), raw: Number(whole) * 100 + Number(hundredths) };
}

export const asciiOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
