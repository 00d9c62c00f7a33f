import { formatNumber, scanNumber } from './number.ts';

/** Invisible characters, a sign, a separator, then a digit of any script or a fraction such as a half. */
const STARTS_LIKE_NUMBER = /^[\p{C}\p{Z}]*[+\-−]?[.,]?\p{N}/u;
/** What a text starts with, up to its unit. */
const HEAD = /^[+\-−\p{N}\p{C}.,_'’\s]*/u;
/** Digits that only look like 0 to 9, and invisible characters. */
const FOREIGN = /\p{C}|(?![0-9])\p{N}/u;
/** Longest part of a text quoted in a message, UTF-16 units. */
const SHOWN = 60;

/** True for a text that reads as a number: never the name of a sensor or a variable. */
export const startsLikeNumber = (text: string): boolean => STARTS_LIKE_NUMBER.test(text);

/** A text as quoted in a message. */
export const shorten = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);

/**
 * Why a text that starts like a number is ambiguous, and what to write instead. Undefined for texts whose only fault
 * follows the number.
 */
export function numberFault(text: string): string | undefined {
  if (!startsLikeNumber(text)) return undefined;
  const trimmed = text.trim();
  if (FOREIGN.test(HEAD.exec(trimmed)?.[0] ?? ''))
    return `"${shorten(trimmed)}" has digits of another script or invisible characters; write it with the digits 0 to 9`;
  const scanned = scanNumber(trimmed);
  if (!scanned?.grouped) return undefined;
  const written = trimmed.slice(0, scanned.end);
  const decimal = formatNumber(scanned.value);
  const asDecimal = Number.isInteger(scanned.value) ? `${decimal}.0` : decimal;
  const isFraction = Math.abs(scanned.value) < 1;
  return `"${shorten(written)}" has a comma before three digits, which may mean thousands; write ${isFraction ? '' : `${shorten(written.replace(',', ''))} or `}${shorten(asDecimal)}`;
}
