import { isBlank } from './tokenize.ts';

/** Marks that people put before or after a completed line; ignored by the rig. */
const MARKS = '\u2713\u2714\u2611\u2705\u{1F5F8}\u{1F5F9}';
const MARK = new RegExp(`[${MARKS}]\\uFE0F?`, 'uy');
const ONLY_MARK = new RegExp(`^[${MARKS}]\\uFE0F?$`, 'u');

/** True for a word that is a check mark and nothing else. */
export const isCheckMark = (text: string): boolean => ONLY_MARK.test(text);

/** Offset of the first character behind the check marks and blanks at `start`; `start` when there is no mark. */
export function afterCheckMarks(text: string, start: number): number {
  // Most lines start with a plain letter.
  if (text.charCodeAt(start) < 0x2000) return start;
  let i = start;
  for (;;) {
    MARK.lastIndex = i;
    if (!MARK.test(text)) return i;
    i = MARK.lastIndex;
    while (i < text.length && isBlank(text.charCodeAt(i))) i++;
  }
}

/** The word without the check marks before it. */
export const withoutCheckMarks = (word: string): string => word.slice(afterCheckMarks(word, 0));
