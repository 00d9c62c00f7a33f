import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import type { Reply } from './reply.ts';
import type { Route } from './route.ts';

/** Environment variable that marks a test file's process and, by inheritance, everything it starts. */
export const MARK_VARIABLE = 'SVC_RIG_TEST_FILE';

/** File to which the services below a test write their answers. */
export const answersFile = (mark: string): string => `/tmp/svc-rig-answers-${mark}.ndjson`;

/** One answer as the test runner compares it with the description. */
export interface TappedAnswer {
  /** Hash of the description. */
  document: string;
  /** `GET /api/v1/lease/{id}`; null for what no route answered. */
  operation: string | null;
  status: number;
  type: string;
  /** Absent for a body that is not valid JSON. */
  body?: unknown;
}

/** Answers of one operation and status that are written whatever they hold; after these only new shapes. */
const ALWAYS = 20;
/** Answers of one operation and status that are looked at; a service under attack has no time for more. */
const EXAMINED = 300;

/** Below a test every answer goes to the file of that test (`answersFile`), with the description it must fit. */
export class AnswerTap {
  readonly #path: string;
  readonly #document: string;
  readonly #counts = new Map<string, number>();
  readonly #seen = new Set<string>();
  static readonly #described = new Set<string>();

  /** @returns undefined in a process that no test started */
  static of(describe: () => object): AnswerTap | undefined {
    const mark = process.env[MARK_VARIABLE];
    return mark !== undefined && /^\d+-\d+$/.test(mark)
      ? new AnswerTap(answersFile(mark), describe())
      : undefined;
  }

  constructor(path: string, description: object) {
    this.#path = path;
    const text = JSON.stringify(description);
    this.#document = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const key = `${path} ${this.#document}`;
    if (AnswerTap.#described.has(key)) return;
    AnswerTap.#described.add(key);
    write(path, `${JSON.stringify({ document: this.#document, description: text })}\n`);
  }

  note(route: Pick<Route, 'method' | 'paths'> | undefined, { status, body, text, headers }: Reply): void {
    const operation = route ? `${route.method} ${route.paths[0]?.replace(/:(\w+)/g, '{$1}')}` : null;
    const key = `${operation} ${status}`;
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    if (count >= (text === undefined ? EXAMINED : ALWAYS)) return;
    const type = (headers?.['content-type'] ?? 'application/json').split(';')[0] ?? '';
    const isJson = /json$/.test(type) && type !== 'application/x-ndjson';
    const sent = text !== undefined && isJson && status !== 204 ? JSON.parse(text) : body;
    const shape = count < ALWAYS ? `${count}` : shapeOf(sent);
    if (this.#seen.has(`${key} ${shape}`)) return;
    this.#seen.add(`${key} ${shape}`);
    const answer: TappedAnswer = {
      document: this.#document,
      operation,
      status,
      type: status === 204 ? '' : type,
      ...(isJson && status !== 204 ? { body: sent } : {}),
    };
    write(this.#path, `${JSON.stringify(answer)}\n`);
  }
}

/** A test with a full disk is judged by its own means. */
function write(path: string, line: string): void {
  try {
    appendFileSync(path, line);
  } catch {
    // Nothing of the service depends on it.
  }
}

/** Names and kinds of all members. */
const shapeOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'number' ? 0 : typeof inner === 'string' ? '' : inner,
  ) ?? '';
