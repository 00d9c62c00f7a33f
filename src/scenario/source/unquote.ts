/** Backslash before a quote or a backslash: the character itself. */
export const resolveEscapes = (text: string): string => text.replace(/\\(["'\\])/g, '$1');

/** Removes the outer quotes of a free text and unescapes it; returns other texts unchanged. */
export function unquote(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || !text.endsWith(quote)) return text;
  return resolveEscapes(text.slice(1, -1));
}
