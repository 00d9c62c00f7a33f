import type { IncomingMessage, ServerResponse } from 'node:http';
import polka from 'polka';
import type { PathRoutes } from './exchange.ts';

export interface Found {
  routes: PathRoutes;
  /** Not decoded. */
  params: Record<string, string>;
}

/** Paths remembered at most; ids in paths must not fill the memory. */
const REMEMBERED = 256;

/**
 * polka finds the routes of a path by trying one pattern after the other, which takes longer than all else the kit
 * does; services are asked for the same few paths again and again, so what was found is remembered.
 */
export function router(
  table: ReadonlyMap<string, PathRoutes>,
): (request: IncomingMessage, response: ServerResponse) => Found | undefined {
  const remembered = new Map<string, Found>();
  let found: Found | undefined;
  const app = polka({ onNoMatch: () => {} });
  for (const [pattern, routes] of table) {
    app.all(pattern, (request) => {
      found = { routes, params: request.params ?? {} };
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(pathOf(request), found);
    });
  }
  return (request, response) => {
    found = remembered.get(pathOf(request));
    // polka calls what it finds before it returns.
    if (!found) app.handler(request, response);
    return found;
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}
