import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
import { type Performer, perform } from '../../window/operations/perform.ts';
import {
  OPERATIONS,
  type Operation,
  querySchema,
  requestSchema,
  withQuery,
} from '../../window/operations/request.ts';
import { programJsonSchema } from '../../window/program/schema.ts';
import { ANSWERS } from './answers.ts';
import { failureOf, WINDOW_PROBLEMS } from './failures.ts';

/** A little more than a job has, so that the job's own refusal is what the client reads. */
const DEADLINE_MS = 31_000;

const SUMMARIES: Readonly<Record<Operation, string>> = {
  detect: 'Detect elements in an image',
  compare: "Compare an image with a program's fingerprint",
  refresh: "Refresh a program's image-derived metadata",
  diagnose: 'Diagnose an image, and whether a language model is worth asking',
  analyze: 'Analyse an image as a colour grid into a program',
  adopt: 'Turn detected elements into a program',
  summary: 'Summary of a program',
};

/** The seven operations and the schema of what they write. */
export function operationRoutes(performer: Performer): Route[] {
  return [
    ...OPERATIONS.map((operation) => operationRoute(performer, operation)),
    route({
      method: 'GET',
      path: '/v1/window/schema',
      summary: 'JSON Schema (2020-12) of program documents',
      answer: z.record(z.string(), z.unknown()),
      handler: () => ({ ...programJsonSchema() }),
    }),
  ];
}

export function operationRoute(performer: Performer, operation: Operation): Route {
  const modelMs = operation === 'diagnose' ? (performer.model?.timeoutMs ?? 0) : 0;
  return route({
    method: 'POST',
    path: `/v1/window/${operation}`,
    summary: SUMMARIES[operation],
    query: querySchema,
    body: requestSchema,
    answer: ANSWERS[operation],
    ownProblems: Object.keys(WINDOW_PROBLEMS),
    deadlineMs: DEADLINE_MS + modelMs,
    handler: async ({ query, body, signal }) => {
      try {
        return await perform(performer, operation, withQuery(body, query), signal);
      } catch (thrown) {
        const failure = failureOf(thrown);
        if (!failure) throw thrown;
        return failure.reply;
      }
    },
  });
}
