import type { z } from 'zod';
import { type FieldFault, HttpError } from './http-error.ts';
import type { Inputs } from './inputs.ts';
import type { RawInput, Route } from './route.ts';

const PLACES = ['params', 'query', 'body'] as const;
const IN = { params: 'path', query: 'query', body: 'body' } as const;

/** Checks all inputs of a request and reports all faults at once. @throws HttpError `invalid_parameter` (422) */
export function validate(route: Route, raw: RawInput): Inputs {
  const values: Record<(typeof PLACES)[number], unknown> = { params: {}, query: {}, body: {} };
  const faults: FieldFault[] = [];
  for (const place of PLACES) {
    const result = route[place].safeParse(raw[place]);
    if (result.success) values[place] = result.data;
    else for (const issue of result.error.issues) faults.push(...faultsOf(issue, IN[place], raw[place]));
  }
  const first = faults[0];
  if (first) throw new HttpError('invalid_parameter', sentence(faults), { errors: faults });
  return values;
}

function sentence(faults: FieldFault[]): string {
  return faults.map((fault) => `${fault.field}: ${fault.message}`).join('; ');
}

function faultsOf(issue: z.core.$ZodIssue, place: FieldFault['in'], raw: unknown): FieldFault[] {
  const paths =
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.map((path) => {
    const value = valueAt(raw, path);
    return {
      in: place,
      field: path.length > 0 ? path.join('.') : place,
      message: issue.code === 'unrecognized_keys' ? 'is not known here' : describe(issue, value),
      value: value === undefined ? null : asText(value),
    };
  });
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'is required';
  return issue.message;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
