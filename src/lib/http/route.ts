import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { json, type Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler is given: validated inputs and the means to stop early. */
export interface RouteContext<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** Aborts at the route's deadline, when the client goes away, and during a stream when the service stops. */
  signal: AbortSignal;
  requestId: string;
  header(name: string): string | undefined;
  request: IncomingMessage;
}

export interface RouteDefinition<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  method: Method;
  /** polka pattern, or several for one handler; the first one is the metric label. */
  path: string | readonly string[];
  summary: string;
  params?: P;
  /** Looks at its text and at nothing else: of a GET, what `params` and `query` give is remembered by target, frozen. */
  query?: Q;
  /** Absent: the route takes no body; `{}` and nothing are the same. */
  body?: B;
  /** Whatever query and body come are not looked at: a stop is never refused for its form. */
  ignoresForm?: boolean;
  /** An actuating route rejects unknown query keys, a reading route ignores them. */
  actuating?: boolean;
  /** `open` needs no token; `loopback` needs none from a loopback peer. */
  access?: 'token' | 'loopback' | 'open';
  /** Milliseconds until the kit answers `device_timeout`; default 10000. */
  deadlineMs?: number;
  /** Documentation of the good answer, for openapi.json. */
  answer?: z.ZodType;
  /** Media type of the good answer, for openapi.json; default `application/json`. */
  answerType?: string;
  handler(
    context: RouteContext<z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<Reply | object> | Reply | object;
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
  actuating: boolean;
  access: 'token' | 'loopback' | 'open';
  deadlineMs: number;
  answer: z.ZodType | undefined;
  answerType: string;
  run(context: RouteContext<unknown, unknown, unknown>): Promise<Reply> | Reply;
}

const DEFAULT_DEADLINE_MS = 10_000;
type Empty = z.ZodObject<Record<never, never>>;

export function route<
  P extends z.ZodObject = Empty,
  Q extends z.ZodObject = Empty,
  B extends z.ZodType = z.ZodObject<Record<never, never>>,
>(definition: RouteDefinition<P, Q, B>): Route {
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
    actuating,
    access: definition.access ?? 'token',
    deadlineMs: definition.deadlineMs ?? DEFAULT_DEADLINE_MS,
    answer: definition.answer,
    answerType: definition.answerType ?? 'application/json',
    run: (context) => {
      // The kit has validated the context with this route's own schemas.
      const typed = context as RouteContext<z.output<P>, z.output<Q>, z.output<B>>;
      const answer = definition.handler(typed);
      return answer instanceof Promise ? answer.then(asReply) : asReply(answer);
    },
  };
}

function asReply(answer: Reply | object): Reply {
  return isReply(answer) ? answer : json(answer);
}

function isReply(answer: Reply | object): answer is Reply {
  if (!('status' in answer) || typeof answer.status !== 'number') return false;
  return 'body' in answer || 'text' in answer || 'stream' in answer;
}
