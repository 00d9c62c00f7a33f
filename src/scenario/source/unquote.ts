/** Backslash before a quote or a backslash: the character itself. */
export const resolveEscapes = (text: string): string => text.replace(/\\(["'\\])/g, '$1');

/** Outer quotes of a free text removed and what they hold unescaped; any other text as it is. */
export function unquote(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || !text.endsWith(quote)) return text;
  return resolveEscapes(text.slice(1, -1));
}
