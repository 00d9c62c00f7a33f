import * as z from 'zod';
import { PROBLEM_TYPE } from './problem.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** OpenAPI 3.1 of the routes, generated from the same validators that check the requests. */
export function openApi(service: string, version: string, routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    for (const pattern of route.paths) {
      const template = pattern.replace(/:(\w+)/g, '{$1}');
      paths[template] ??= {};
      paths[template][route.method.toLowerCase()] = operation(route, pattern);
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: service, version },
    paths,
    components: {
      schemas: { Problem: PROBLEM },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(route: Route, pattern: string): Json {
  const result: Json = {
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${pattern.replace(/[^A-Za-z0-9]+(\w)/g, (_, c: string) => c.toUpperCase())}`,
    parameters: [...pathParameters(route.params, pattern), ...queryParameters(route.query)],
    responses: {
      '2XX': { description: 'done', content: { [route.answerType]: { schema: answerSchema(route) } } },
      default: {
        description: 'failed',
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
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

function answerSchema(route: Route): Json {
  if (route.answer) return schemaOf(route.answer, 'output');
  return { type: route.answerType === 'application/json' ? 'object' : 'string' };
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

const PROBLEM: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'error', 'ok'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    error: { type: 'string' },
    ok: { const: false },
    rule: { type: 'string' },
    remedy: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          in: { enum: ['path', 'query', 'body', 'header'] },
          field: { type: 'string' },
          message: { type: 'string' },
          value: { type: ['string', 'null'] },
        },
      },
    },
  },
};
