import * as z from 'zod';

/** Keys that a schema knows at a path, for "known keys here are ..."; empty when it is not a fixed object. */
export function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema);
  const [head, ...rest] = path;
  if (inner instanceof z.ZodObject) {
    if (head === undefined) return Object.keys(inner.shape);
    const next = inner.shape[String(head)];
    return next ? knownKeys(next, rest) : [];
  }
  if (inner instanceof z.ZodRecord && head !== undefined) return knownKeys(inner.valueType, rest);
  return [];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrap(schema.unwrap()) : schema;
}
