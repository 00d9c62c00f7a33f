import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { clientGone, type FieldFault, HttpError } from './http-error.ts';
import type { RawInput, Route } from './route.ts';

/** What a handler is given of its request, checked by the route's own schemas. */
export interface Inputs {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** @throws HttpError `invalid_parameter` (422) */
export function inputsOf(
  route: Route,
  target: string,
  rawParams: Record<string, string>,
  body: unknown,
): Inputs {
  const query = route.ignoresForm ? {} : readQuery(target);
  return validate(route, { params: decodeParams(rawParams), query, body });
}

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

/** Whether the request brings a body along; most do not, and need not be waited for. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a JSON body up to a limit. An empty one reads as `{}`. What comes after a refusal is thrown away by the server, so
 * that a client that is still sending gets to read the answer.
 * @throws HttpError `payload_too_large`, `unsupported_media_type`, `invalid_json`
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const body = await collect(request, limitBytes);
  if (body.length === 0) return {};
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    throw new HttpError(
      'unsupported_media_type',
      `content type ${JSON.stringify(type)} is not taken; send application/json`,
    );
  }
  if (isTooDeep(body))
    throw new HttpError('invalid_json', `body is nested deeper than ${MAX_DEPTH} levels; send it flatter`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new HttpError('invalid_json', 'body is not valid JSON', { cause });
  }
}

const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENING, CLOSING] = [new Set(Buffer.from('[{')), new Set(Buffer.from(']}'))];

/** Counts brackets outside of strings: what walks the data later must not meet more levels than its stack has. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0;
    if (inString && byte === BACKSLASH) i++;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (OPENING.has(byte) && ++depth > MAX_DEPTH) return true;
    else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

/** Not `for await`: leaving that loop early would destroy the socket before the answer is out. */
function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data');
      request.resume();
      reject(tooLarge(limitBytes));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(clientGone()));
    request.on('close', () => reject(clientGone()));
  });
}

function tooLarge(limitBytes: number): HttpError {
  return new HttpError('payload_too_large', `body is larger than ${limitBytes} bytes (SVC_MAX_BODY_BYTES)`);
}
