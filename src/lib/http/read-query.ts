import { type FieldFault, HttpError } from './http-error.ts';

/** Splits a request target into path and query. A repeated key is refused: which one would count is a guess. */
export function readQuery(target: string): Record<string, string> {
  // A null prototype: a key such as __proto__ is data like any other.
  const query: Record<string, string> = Object.create(null);
  const at = target.indexOf('?');
  if (at < 0) return query;
  const pairs = new URLSearchParams(target.slice(at + 1));
  const repeated = new Map<string, FieldFault>();
  for (const [key, value] of pairs) {
    if (Object.hasOwn(query, key))
      repeated.set(key, { in: 'query', field: key, message: 'is given more than once', value });
    query[key] = value;
  }
  if (repeated.size > 0) {
    const names = [...repeated.keys()].join(', ');
    throw new HttpError('invalid_parameter', `query key given more than once: ${names}; send it once`, {
      errors: [...repeated.values()],
    });
  }
  return query;
}

/** polka 0.5 hands path parameters over undecoded. */
export function decodeParams(raw: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const key in raw) {
    const value = raw[key] ?? '';
    try {
      params[key] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch (cause) {
      throw new HttpError('invalid_parameter', `${key} is not valid percent-encoding`, {
        errors: [{ in: 'path', field: key, message: 'is not valid percent-encoding', value }],
        cause,
      });
    }
  }
  return params;
}
