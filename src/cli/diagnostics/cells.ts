/** One character as a terminal shows it. */
export interface Cell {
  /** What is printed: a tab as blanks, a control character as its picture. */
  readonly text: string;
  /** Terminal columns, 0 for combining marks. */
  readonly width: number;
  /** Index of the character in the line, in UTF-16 units from 0. */
  readonly index: number;
}

const TAB_STOP = 4;
const INVISIBLE = /^(?:\p{Mn}|\p{Me}|\u200B|\u200C|\u200D|\u2060|\uFEFF|[\uFE00-\uFE0F])$/u;
/** Characters that would turn the text around or move the cursor. */
const BIDI = /^[\u200E\u200F\u202A-\u202E\u2066-\u2069]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
/** East Asian Wide and Fullwidth, by block. */
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** Splits one line of source text into what a terminal shows. Escape sequences in it cannot act. */
export function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  let index = 0;
  for (const char of line) {
    const { text, width } = shown(char, column);
    cells.push({ text, width, index });
    column += width;
    index += char.length;
  }
  return cells;
}

/** Terminal columns of a text. */
export const widthOf = (text: string): number => cellsOf(text).reduce((sum, { width }) => sum + width, 0);

/** The text as it can be shown on one line of a terminal. */
export const visible = (text: string): string =>
  cellsOf(text)
    .map((cell) => cell.text)
    .join('');

function shown(char: string, column: number): { text: string; width: number } {
  const code = char.codePointAt(0)!;
  if (char === '\t') {
    const width = TAB_STOP - (column % TAB_STOP);
    return { text: ' '.repeat(width), width };
  }
  if (code < 0x20) return { text: String.fromCodePoint(0x2400 + code), width: 1 };
  if (code < 0x7f) return { text: char, width: 1 };
  if (code < 0xa0 || BIDI.test(char)) return { text: '\uFFFD', width: 1 };
  if (INVISIBLE.test(char)) return { text: char, width: 0 };
  const wide = EMOJI.test(char) || WIDE.some(([from, to]) => code >= from && code <= to);
  return { text: char, width: wide ? 2 : 1 };
}
