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
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    responses: {
      '2XX': { description: 'done', content: { 'application/json': { schema: answerSchema(route) } } },
      default: {
        description: 'failed',
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    security: route.access === 'open' ? [] : [{ token: [] }],
  };
  if (route.hasBody) {
    result.requestBody = { content: { 'application/json': { schema: schemaOf(route.body, 'input') } } };
  }
  return result;
}

function answerSchema(route: Route): Json {
  return route.answer ? schemaOf(route.answer, 'output') : { type: 'object' };
}

function parameters(object: z.ZodObject, place: 'path' | 'query'): Json[] {
  // The output side says what a value means (a number in a range), the input side whether it must be there.
  const properties = (schemaOf(object, 'output').properties ?? {}) as Record<string, Json>;
  const required = (schemaOf(object, 'input').required ?? []) as string[];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
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
