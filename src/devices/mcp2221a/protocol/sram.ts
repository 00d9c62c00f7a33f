import { byteAt, checkAnswer, corrupt, hex, wordAt } from './answer.ts';
import { COMMAND, Request } from './request.ts';

/** What the converters measure against: the supply, or the chip's own reference (Vrm) in volts. */
export type ReferenceSource = 'vdd' | '1.024' | '2.048' | '4.096';

/** Bits 2:0 of a reference: b2:1 Vrm, b0 source (0 VDD, 1 Vrm). The same three bits lie in [5] of 60 and [7] of 61. */
const REFERENCE_BITS: Record<ReferenceSource, number> = {
  vdd: 0b000,
  '1.024': 0b011,
  '2.048': 0b101,
  '4.096': 0b111,
};
const SOURCE_IS_VRM = 0b001;
const LOAD = 0x80;

/** Function of GP1, GP2 and GP3 that makes them ADC1, ADC2 and ADC3. */
export const ADC_FUNCTION = 2;
const FUNCTION_BITS = 0b111;

export const SRAM_CHIP_LENGTH = 0x12;
export const SRAM_GPIO_LENGTH = 4;

/** The answer to command 61. */
export interface Sram {
  vendorId: number;
  productId: number;
  /** b2:1 Vrm, b0 source, as in the request. */
  referenceBits: number;
  /** GP0..GP3: b4 output value, b3 direction, b2:0 function. */
  gpio: readonly [number, number, number, number];
}

export const getSram = (): Request => new Request(COMMAND.getSram);

/**
 * Makes GP1-GP3 ADC inputs and loads the reference. The DAC is never loaded: changing its reference can hang the chip.
 */
export function setUpAdc(source: ReferenceSource, gp0: number): Request {
  const reference = LOAD | REFERENCE_BITS[source];
  const pins = [gp0, ADC_FUNCTION, ADC_FUNCTION, ADC_FUNCTION];
  return new Request(COMMAND.setSram, [0, 0, 0, 0, reference, 0, LOAD, ...pins]);
}

/** Loads only the ADC reference: a write of pin functions turns Vrm off, so this follows it (DEV-009). */
export function reloadReference(source: ReferenceSource): Request {
  return new Request(COMMAND.setSram, [0, 0, 0, 0, LOAD | REFERENCE_BITS[source]]);
}

/** @throws AnswerFault */
export function decodeSetSram(report: Uint8Array): void {
  checkAnswer(report, COMMAND.setSram);
}

/** @throws AnswerFault */
export function decodeSram(report: Uint8Array): Sram {
  checkAnswer(report, COMMAND.getSram);
  const lengths = [byteAt(report, 2), byteAt(report, 3)];
  if (lengths[0] !== SRAM_CHIP_LENGTH || lengths[1] !== SRAM_GPIO_LENGTH)
    throw corrupt('structure', `settings of ${lengths.join(' and ')} bytes where 18 and 4 were expected`);
  return {
    vendorId: wordAt(report, 8),
    productId: wordAt(report, 10),
    referenceBits: (byteAt(report, 7) >> 2) & 0b111,
    gpio: [byteAt(report, 22), byteAt(report, 23), byteAt(report, 24), byteAt(report, 25)],
  };
}

/** What a read-back shows that is not as wanted; an undefined member is as wanted. */
export interface ConfigurationFaults {
  /** Spoils every channel. */
  reference: string | undefined;
  /** Of GP1, GP2, GP3; each spoils its own channel. */
  pins: readonly [string | undefined, string | undefined, string | undefined];
}

/** Step 6 of the open sequence. */
export function configurationFaults(sram: Sram, source: ReferenceSource): ConfigurationFaults {
  const pin = (index: 1 | 2 | 3) => {
    const seen = sram.gpio[index] & FUNCTION_BITS;
    return seen === ADC_FUNCTION
      ? undefined
      : `GP${index} has function ${seen} where ${ADC_FUNCTION} was set`;
  };
  return { reference: referenceFault(sram.referenceBits, source), pins: [pin(1), pin(2), pin(3)] };
}

function referenceFault(seen: number, source: ReferenceSource): string | undefined {
  const wanted = REFERENCE_BITS[source];
  // With VDD as the source the choice of Vrm means nothing.
  const mask = wanted & SOURCE_IS_VRM ? 0b111 : SOURCE_IS_VRM;
  if ((seen & mask) === (wanted & mask)) return undefined;
  return `the ADC reference reads ${hex(seen)} where ${hex(wanted)} (${source}) was set`;
}
