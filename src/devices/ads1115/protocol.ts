/** TI ADS1115 (data sheet SBAS444). Registers are 16 bit, high byte first, behind a pointer. */
export const DEFAULT_ADDRESS = 0x48;
export const POINTER = { conversion: 0x00, config: 0x01, lowThreshold: 0x02, highThreshold: 0x03 } as const;
export const RESET_CONFIG = 0x8583;
/** Config bit 15: writing 1 starts a conversion, reading 1 means that none is running. */
export const OS_BIT = 0x8000;
/** Config bit 8: 0 converts without end. */
export const SINGLE_SHOT_BIT = 0x0100;
export const SATURATED = 0x7fff;

export type AdcInput = 0 | 1 | 2 | 3;

/** Full scale in volts by gain code (bits 11:9). */
export const FULL_SCALE_VOLTS = [6.144, 4.096, 2.048, 1.024, 0.512, 0.256, 0.256, 0.256] as const;
/** Samples per second by rate code (bits 7:5). */
export const RATES = [8, 16, 32, 64, 128, 250, 475, 860] as const;

/** One single-shot conversion of one input against ground, 4.096 V, 128 samples/s, comparator off. */
export function startConfig(input: AdcInput): number {
  return 0x8383 | ((0b100 | input) << 12);
}

/** The same at 6.144 V: a voltage then has two thirds of the code. */
export const wideConfig = (input: AdcInput): number => startConfig(input) & ~(0b111 << 9);

/** Bits 14:12 of a config: what the multiplexer is switched to. */
export const inputBits = (config: number): number => config & 0x7000;

export const wordBytes = (value: number): [number, number] => [value >>> 8, value & 0xff];
export const wordOf = (bytes: Uint8Array): number => ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);

/** @returns counts, -32768..32767 */
export const signedOf = (bytes: Uint8Array): number => (wordOf(bytes) << 16) >> 16;

/** @param counts at the full scale of 4.096 V: 125 uV each */
export const voltsOf = (counts: number): number => (counts * 125) / 1_000_000;

/** Which input, gain, mode and rate a config word asks for; the busy bit says nothing about that. */
export const settingsOf = (config: number): number => config & 0x7fff;
