import { scanNumber } from './number.ts';

export interface Quantity {
  readonly value: number;
  /** As written; undefined when absent. */
  readonly unit?: string;
}

/** What a unit may look like: letters, signs, digits after the first, and one or more of `/ % · ² ³ ^ _ * -`. */
const UNIT = /^[\p{L}%°℃℉µμΩ][\p{L}\p{N}%°/·²³₂^_*-]*$/u;
const PLAIN_UNIT = /^[A-Za-z%][A-Za-z0-9%/]*$/;

const OTHER_BASE = /^[+\-−]?0(x[\da-f]|b[01]|o[0-7])/i;

/** True when the text could be a unit, known or not. */
export const looksLikeUnit = (text: string): boolean => PLAIN_UNIT.test(text) || UNIT.test(text);

/**
 * Reads `5`, `5l/min`, `5 l/min`, `-12 mbar`. Undefined when the text is anything else, or the number is not finite or grouped
 * (`1,000 mbar`).
 */
export function parseQuantity(text: string): Quantity | undefined {
  const trimmed = text.trim();
  const scanned = scanNumber(trimmed);
  if (!scanned || scanned.grouped || !Number.isFinite(scanned.value)) return undefined;
  if (scanned.end === trimmed.length) return { value: scanned.value };
  const unit = trimmed.slice(scanned.end).trim();
  // 0x10 is a hexadecimal number to most, and no amount in the unit x10.
  if (OTHER_BASE.test(trimmed)) return undefined;
  return looksLikeUnit(unit) ? { value: scanned.value, unit } : undefined;
}
