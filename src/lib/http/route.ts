import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { ProblemCode } from './problem-table.ts';
import { json, type Reply } from './reply.ts';
import type { RequestHeader } from './request-headers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler is given: validated inputs and the means to stop early. */
export interface RouteContext<P, Q, B, H extends RequestHeader = RequestHeader> {
  params: P;
  query: Q;
  body: B;
  /** Aborts at the route's deadline, when the client goes away, and during a stream when the service stops. */
  signal: AbortSignal;
  requestId: string;
  header(name: H): string | undefined;
  request: IncomingMessage;
  /**
   * What a request of its own would have got for a part of an answer that failed, logged as that would be.
   * @param name which part
   */
  refusalOf(thrown: unknown, name: string): Reply;
}

/**
 * What a schema takes, also where it is handed over read-only. Words and tuples count by their kind alone, for the compiler
 * widens those of a handler; the tests compare the values.
 */
type Sent<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly (infer E)[]
        ? readonly Sent<E>[]
        : T extends object
          ? { readonly [K in keyof T]: Sent<T[K]> }
          : T;

export interface RouteDefinition<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  H extends RequestHeader,
  A extends z.ZodType,
> {
  method: Method;
  /** polka pattern, or several for one handler; the first one is the metric label. */
  path: string | readonly string[];
  summary: string;
  params?: P;
  query?: Q;
  /** Absent: the route takes no body; `{}` and nothing are the same. */
  body?: B;
  /** Whatever query and body come are not looked at: a stop is never refused for its form. */
  ignoresForm?: boolean;
  /** A GET that lets a device work for longer than a reading: no page of another site may start it. */
  sameSite?: boolean;
  /** An actuating route rejects unknown query keys, a reading route ignores them. */
  actuating?: boolean;
  /** `open` needs no token; `loopback` needs none from a loopback peer. */
  access?: 'token' | 'loopback' | 'open';
  /** Milliseconds until the kit answers `device_timeout`; default 10000. */
  deadlineMs?: number;
  /** Request headers that the handler reads; no other one is given to it. */
  headers?: readonly H[];
  /** The good answer: the handler's result is typed by it, and the tests compare every answer with it. */
  answer?: A;
  /** Statuses of the good answer, the usual one first; default 200. A 204 has no body. */
  answerStatus?: readonly [number, ...number[]];
  /** Media types of the good answer, for openapi.json; default `application/json`. What is not valid JSON is a text. */
  answerType?: string | readonly string[];
  /** Codes of the problems that it answers besides those of the kit (`kitProblems`). */
  problems?: readonly ProblemCode[];
  /** Codes of the service's own table (`ownProblems` of HttpService). */
  ownProblems?: readonly string[];
  handler(
    context: RouteContext<z.output<P>, z.output<Q>, z.output<B>, H>,
  ): Promise<Reply | Sent<z.input<A>>> | Reply | Sent<z.input<A>>;
}

/** Raw inputs of one request, before validation. */
export interface RawInput {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** A route whose types are checked where it is defined and forgotten after. */
export interface Route {
  method: Method;
  paths: readonly string[];
  summary: string;
  params: z.ZodObject;
  query: z.ZodObject;
  body: z.ZodType;
  hasBody: boolean;
  ignoresForm: boolean;
  sameSite: boolean;
  actuating: boolean;
  access: 'token' | 'loopback' | 'open';
  deadlineMs: number;
  headers: readonly RequestHeader[];
  answer: z.ZodType | undefined;
  answerStatus: readonly [number, ...number[]];
  answerTypes: readonly string[];
  problems: readonly ProblemCode[];
  ownProblems: readonly string[];
  run(context: RouteContext<unknown, unknown, unknown>): Promise<Reply> | Reply;
}

const DEFAULT_DEADLINE_MS = 10_000;
type Empty = z.ZodObject<Record<never, never>>;

export function route<
  P extends z.ZodObject = Empty,
  Q extends z.ZodObject = Empty,
  B extends z.ZodType = z.ZodObject<Record<never, never>>,
  H extends RequestHeader = never,
  A extends z.ZodType = z.ZodType<object, object>,
>(definition: RouteDefinition<P, Q, B, H, A>): Route {
  const actuating = definition.actuating ?? false;
  const query: z.ZodObject = definition.query ?? z.object({});
  return {
    method: definition.method,
    paths: typeof definition.path === 'string' ? [definition.path] : definition.path,
    summary: definition.summary,
    params: definition.params ?? z.object({}),
    query: actuating ? query.strict() : query.strip(),
    body: definition.body ?? z.strictObject({}),
    hasBody: definition.body !== undefined,
    ignoresForm: definition.ignoresForm ?? false,
    sameSite: definition.sameSite ?? false,
    actuating,
    access: definition.access ?? 'token',
    deadlineMs: definition.deadlineMs ?? DEFAULT_DEADLINE_MS,
    headers: definition.headers ?? [],
    answer: definition.answer,
    answerStatus: definition.answerStatus ?? [200],
    answerTypes: [definition.answerType ?? 'application/json'].flat(),
    problems: definition.problems ?? [],
    ownProblems: definition.ownProblems ?? [],
    run: (context) => {
      // The kit has validated the context with this route's own schemas.
      const typed = context as RouteContext<z.output<P>, z.output<Q>, z.output<B>, H>;
      const answer = definition.handler(typed);
      const [answerStatus] = definition.answerStatus ?? [200];
      return answer instanceof Promise
        ? answer.then((late) => asReply(late, answerStatus))
        : asReply(answer, answerStatus);
    },
  };
}

function asReply(answer: unknown, status?: number): Reply {
  return isReply(answer) ? answer : json(answer, status);
}

function isReply(answer: unknown): answer is Reply {
  if (
    typeof answer !== 'object' ||
    answer === null ||
    !('status' in answer) ||
    typeof answer.status !== 'number'
  )
    return false;
  return 'body' in answer || 'text' in answer || 'bytes' in answer || 'stream' in answer;
}
