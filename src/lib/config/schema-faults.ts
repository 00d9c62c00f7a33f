import type { z } from 'zod';
import type { ConfigFault } from './config-error.ts';
import { knownKeys } from './known-keys.ts';

/** zod's issues as faults with path, value and remedy. */
export function schemaFaults(
  error: z.core.$ZodError,
  schema: z.core.$ZodType,
  data: unknown,
  prefix = '',
): ConfigFault[] {
  return error.issues.flatMap((issue) => {
    const at = (path: readonly PropertyKey[]) => [prefix, ...path].filter((part) => part !== '').join('.');
    if (issue.code === 'unrecognized_keys') {
      const known = knownKeys(schema, issue.path);
      const remedy = known.length > 0 ? `; known keys here are ${known.join(', ')}` : '';
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        return { path: at(path), value: valueText(data, path), message: `unknown key${remedy}` };
      });
    }
    const value = valueText(data, issue.path);
    const message = value === null ? `is missing; ${issue.message}` : issue.message;
    return [{ path: at(issue.path) || 'file', value, message }];
  });
}

function valueText(data: unknown, path: readonly PropertyKey[]): string | null {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
