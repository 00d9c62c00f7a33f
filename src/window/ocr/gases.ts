import { CLASSES } from './glyph/classes.ts';
import type { SeenLine } from './glyph/read-line.ts';
import { signsIn } from './lost-blanks.ts';

/** Names with an O that are shown of gases, and those that with a zero are as often a number or a code: 02, N02. */
const GASES: ReadonlySet<string> = new Set(
  'O2 CO2 FiO2 SpO2 EtCO2 PaO2 VO2 VCO2 N2O NO2 SO2 H2O cmH2O mmH2O'.split(' '),
);
const MAY_BE_CODES: ReadonlySet<string> = new Set('O2 VO2 N2O NO2 SO2'.split(' '));
const WORD = /(?<![\p{L}\d.,:/-])[\p{L}\d]*0[\p{L}\d]*(?![\p{L}]|[.,:/-]?\d)/gu;
/** Of 1; how likely an O is, for a zero to be one. */
const SURE = 0.9;

/**
 * A text with the O of a gas that was read as a zero, where the letter is surely an O. Undefined where it is not, unless it may as well be
 * a code or a number.
 */
export function withGases(text: string, { letters }: SeenLine): string | undefined {
  let isUnsure = false;
  const areAll = letters.length === signsIn(text).length;
  const shown = text.replace(WORD, (word, at: number) => {
    const gas = word.replaceAll('0', 'O');
    if (!GASES.has(gas)) return word;
    const from = signsIn(text.slice(0, at)).length;
    const isO = (i: number) => (letters[from + i]?.found[CLASSES.indexOf('O')] ?? 0) >= SURE;
    if (areAll && [...word].every((sign, i) => sign !== '0' || isO(i))) return gas;
    if (!MAY_BE_CODES.has(gas)) isUnsure = true;
    return word;
  });
  return isUnsure ? undefined : shown;
}

/** Whether a word is the name of a gas with an O. */
export const isGas = (word: string): boolean => GASES.has(word);
