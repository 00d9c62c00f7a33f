import type { IncomingMessage, ServerResponse } from 'node:http';
import polka from 'polka';
import type { Route } from './route.ts';

/** The routes that share one path, by method. */
export type PathRoutes = ReadonlyMap<string, Route>;

export interface Found {
  routes: PathRoutes;
  /** Not decoded. */
  params: Record<string, string>;
}

/** Finds the routes of a path. */
export function router(
  table: ReadonlyMap<string, PathRoutes>,
): (request: IncomingMessage, response: ServerResponse) => Found | undefined {
  let found: Found | undefined;
  const app = polka({ onNoMatch: () => {} });
  for (const [pattern, routes] of table) {
    app.all(pattern, (request) => {
      found = { routes, params: request.params ?? {} };
    });
  }
  return (request, response) => {
    found = undefined;
    // polka calls what it finds before it returns.
    app.handler(request, response);
    return found;
  };
}
