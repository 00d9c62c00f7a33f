import type { OneReading } from './read-text.ts';
import type { UnreadInk } from './unread-ink.ts';

/** Boxes with more lines are no controls and no texts: panels, lists. */
export const MOST_LINES = 4;
/** Lines with digits in one text: two numbers would look like one. */
const MOST_NUMBERS = 1;

/**
 * The text of a box of several lines: each is read by itself, as surely as a line that is alone. It has no text when one of them has
 * none, or when digits stand in more than one.
 */
export async function readLines(
  count: number,
  readLine: (index: number) => Promise<OneReading>,
): Promise<OneReading> {
  const texts: string[] = [];
  const besides: UnreadInk[] = [];
  for (let index = 0; index < count; index++) {
    const { text, reason, beside = [] } = await readLine(index);
    if (text === null) return { text, ...(reason === undefined ? {} : { reason }) };
    texts.push(text);
    besides.push(...beside);
    if (texts.filter((one) => /\d/.test(one)).length > MOST_NUMBERS)
      return { text: null, reason: 'several_lines' };
  }
  return { text: texts.join(' '), ...(besides.length > 0 ? { beside: besides } : {}) };
}
