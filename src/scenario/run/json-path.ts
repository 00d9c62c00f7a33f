/** The value at a dotted path, list indexes as numbers; `found` is false where a key is missing. */
export function atPath(body: unknown, path: string): { readonly found: boolean; readonly value: unknown } {
  let value = body;
  for (const key of path.split('.').filter((part) => part !== '' && part !== '$')) {
    if (Array.isArray(value)) {
      const index = /^\d+$/.test(key) ? Number(key) : Number.NaN;
      if (!(index < value.length)) return { found: false, value: undefined };
      value = value[index];
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key))
      value = (value as Record<string, unknown>)[key];
    else return { found: false, value: undefined };
  }
  return { found: true, value };
}
