import * as z from 'zod';
import { PROBLEM_TYPE } from './problem.ts';
import { type OwnProblems, type ProblemMembers, problemSchema, problemStatuses } from './problem-schema.ts';
import { REQUEST_HEADERS } from './request-headers.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

export interface DescribedService {
  service: string;
  version: string;
  /** Members of its problems beside the seven. */
  problemMembers?: ProblemMembers;
  /** Statuses it answers differently from the table. */
  statusOverrides?: Readonly<Record<string, number>>;
  /** Codes beside those of the table. */
  ownProblems?: OwnProblems;
}

/**
 * OpenAPI 3.1 of the routes, from the validators that check the requests and the schemas that type the answers.
 * It takes as long as the rest of a service's start, so it is written when somebody asks for it, with a pause after each operation.
 */
export function* openApi(described: DescribedService, routes: readonly Route[]): Generator<undefined, Json> {
  const { service, version, problemMembers = {}, ownProblems = {} } = described;
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    for (const pattern of route.paths) {
      const template = pattern.replace(/:(\w+)/g, '{$1}');
      paths[template] ??= {};
      paths[template][route.method.toLowerCase()] = operation(route, pattern, described);
      yield;
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: service, version },
    paths,
    components: {
      schemas: { Problem: problemOf(problemMembers, Object.keys(ownProblems)) },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

export function atOnce(description: Generator<undefined, Json>): Json {
  for (;;) {
    const { done, value } = description.next();
    if (done) return value;
  }
}

/** Whatever else the process has to do is done between two operations. */
export async function inTurns(description: Generator<undefined, Json>): Promise<Json> {
  for (;;) {
    const { done, value } = description.next();
    if (done) return value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function operation(route: Route, pattern: string, described: DescribedService): Json {
  const result: Json = {
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${pattern.replace(/[^A-Za-z0-9]+(\w)/g, (_, c: string) => c.toUpperCase())}`,
    parameters: [
      ...pathParameters(route.params, pattern),
      ...queryParameters(route.query),
      ...headerParameters(route),
    ],
    responses: {
      ...Object.fromEntries(route.answerStatus.map((status) => [status, goodResponse(route, status)])),
      ...problemResponses(route, described),
    },
    security: SECURITY[route.access],
  };
  if (route.hasBody) {
    result.requestBody = { content: { 'application/json': { schema: schemaOf(route.body, 'input') } } };
  }
  return result;
}

/** A loopback peer may leave the token out. */
const SECURITY: Readonly<Record<Route['access'], Json[]>> = {
  open: [],
  loopback: [{ token: [] }, {}],
  token: [{ token: [] }],
};

function contentOf({ answer, answerTypes }: Route): Json {
  const schema = answer ? schemaOf(answer, 'output') : { type: 'object' };
  return Object.fromEntries(
    answerTypes.map((type) => [type, { schema: type === 'application/json' ? schema : { type: 'string' } }]),
  );
}

const goodResponse = (route: Route, status: number): Json => ({
  description: 'done',
  ...(status === 204 ? {} : { content: contentOf(route) }),
});

function problemResponses(route: Route, { statusOverrides = {}, ownProblems = {} }: DescribedService): Json {
  const content = { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } };
  const statuses = [...problemStatuses(route, statusOverrides, ownProblems)];
  return Object.fromEntries(
    statuses.map(([status, titles]) => [status, { description: titles.join('; '), content }]),
  );
}

const headerParameters = ({ headers }: Route): Json[] =>
  headers.map((name) => ({
    name,
    in: 'header',
    required: false,
    description: REQUEST_HEADERS[name],
    schema: { type: 'string' },
  }));

/** @param codes of the service's own */
function problemOf(members: ProblemMembers, codes: readonly string[]): Json {
  const { code } = problemSchema.shape;
  const optional = Object.entries(members).map(([name, member]) => [name, z.optional(member)] as const);
  const schema = problemSchema.extend({
    code: z.enum([...code.options, ...codes]),
    ...Object.fromEntries(optional),
  });
  return schemaOf(schema, 'output');
}

/** Every name in the pattern, also one that the route leaves unchecked. */
function pathParameters(object: z.ZodObject, pattern: string): Json[] {
  const schemas = meanings(object);
  return [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas[name] ?? { type: 'string' },
  }));
}

function queryParameters(object: z.ZodObject): Json[] {
  const required = (schemaOf(object, 'input').required ?? []) as string[];
  return Object.entries(meanings(object)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** What each value means (a number in a range) rather than how it is written (text); the latter where only that is known. */
function meanings(object: z.ZodObject): Record<string, Json> {
  const written = (schemaOf(object, 'input').properties ?? {}) as Record<string, Json>;
  const meant = (schemaOf(object, 'output').properties ?? {}) as Record<string, Json>;
  return Object.fromEntries(
    Object.entries(written).map(([name, schema]) => {
      const meaning = meant[name] ?? {};
      return [name, Object.keys(meaning).length > 0 ? meaning : schema];
    }),
  );
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}
