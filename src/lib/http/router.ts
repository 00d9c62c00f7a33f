import type { IncomingMessage, ServerResponse } from 'node:http';
import polka from 'polka';
import type { PathRoutes } from './exchange.ts';

export interface Found {
  routes: PathRoutes;
  /** Not decoded. */
  params: Record<string, string>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, found: Found | undefined) => void;

/** Paths remembered at most; ids in paths must not fill the memory. */
const REMEMBERED = 256;

/**
 * polka finds the routes of a path by trying one pattern after the other, which takes longer than all else the kit
 * does; services are asked for the same few paths again and again, so what was found is remembered.
 */
export function router(
  table: ReadonlyMap<string, PathRoutes>,
  answer: Answer,
): (request: IncomingMessage, response: ServerResponse) => void {
  const remembered = new Map<string, Found>();
  const app = polka({ onNoMatch: (request, response) => answer(request, response, undefined) });
  for (const [pattern, routes] of table) {
    app.all(pattern, (request, response) => {
      const found = { routes, params: request.params ?? {} };
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(pathOf(request), found);
      answer(request, response, found);
    });
  }
  return (request, response) => {
    const found = remembered.get(pathOf(request));
    if (found) answer(request, response, found);
    else app.handler(request, response);
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}
