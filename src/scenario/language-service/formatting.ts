import { formatScenario } from '../format/format.ts';
import type { Analysis } from './analysis.ts';
import type { TextEdit } from './findings.ts';

export type FormatResult =
  /** Undefined when the text has the canonical form. */
  | { readonly edit: TextEdit | undefined }
  /** The text has that many errors and is not changed. */
  | { readonly errors: number };

/** The canonical form of a text as one edit of what differs. The line ends of the text are kept. */
export function formatEdit({ source: { text }, file, environment }: Analysis): FormatResult {
  const { registry, loader } = environment;
  const formatted = formatScenario(text, file, { registry, ...(loader ? { loader } : {}) });
  if ('diagnostics' in formatted)
    return { errors: formatted.diagnostics.filter(({ severity }) => severity === 'error').length };
  const lineEnd = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  return { edit: difference(text, formatted.text.replace(/\r\n|\r|\n/g, lineEnd)) };
}

/** The smallest replacement of one range that turns one text into another; it splits no character and no line end. */
export function difference(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  while (isInside(before, start) || isInside(after, start)) start--;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  while (isInside(before, before.length - end) || isInside(after, after.length - end)) end--;
  return { from: start, to: before.length - end, text: after.slice(start, after.length - end) };
}

/** True between CR and LF and between the two units of one character: no edit may start or end there. */
const isInside = (text: string, offset: number): boolean =>
  /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(Math.max(0, offset - 1), offset + 1));
