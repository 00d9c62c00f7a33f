const REFERENCE =
  /\$(?:\$|\{([^{}\s]+)\}|([\p{L}_][\p{L}\p{N}_]*(?:\.(?:count|min|max|avg|last|stddev|first|delta)\b)?))/gu;

/** True when the text holds `$name`, `${name}` or `$$`. */
export const hasReference = (text: string): boolean => text.includes('$') && text.search(REFERENCE) >= 0;

/** Names referred to by a text, in order, repeats included. */
export function referencedNames(text: string): string[] {
  if (!text.includes('$')) return [];
  return [...text.matchAll(REFERENCE)]
    .map((match) => match[1] ?? match[2])
    .filter((name) => name !== undefined);
}

/**
 * Replaces `${name}` and `$name` by the text of the variable; `$$` is a dollar; unknown names stay literal and are
 * listed (SCN228).
 */
export function interpolate(
  text: string,
  lookup: (name: string) => string | undefined,
): { text: string; unknown: string[] } {
  if (!text.includes('$')) return { text, unknown: [] };
  const unknown: string[] = [];
  const result = text.replace(REFERENCE, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    if (name === undefined) return '$';
    const value = lookup(name);
    if (value === undefined) {
      unknown.push(name);
      return whole;
    }
    return value;
  });
  return { text: result, unknown };
}
