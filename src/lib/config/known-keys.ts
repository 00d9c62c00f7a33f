import * as z from 'zod';

/** Keys that a schema knows at a path, for "known keys here are ..."; empty when it is not a fixed object. */
export function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema);
  const [head, ...rest] = path;
  // Also a discriminated union.
  if (inner instanceof z.ZodUnion)
    return [...new Set(inner.options.flatMap((option) => knownKeys(option, path)))];
  if (inner instanceof z.ZodObject) {
    if (head === undefined) return Object.keys(inner.shape);
    const next = inner.shape[String(head)];
    return next ? knownKeys(next, rest) : [];
  }
  if (inner instanceof z.ZodRecord && head !== undefined) return knownKeys(inner.valueType, rest);
  if (inner instanceof z.ZodArray && head !== undefined) return knownKeys(inner.element, rest);
  return [];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return wrapped ? unwrap(schema.unwrap()) : schema;
}
