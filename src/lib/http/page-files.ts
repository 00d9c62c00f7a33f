import type { IncomingMessage, ServerResponse } from 'node:http';
import sirv from 'sirv';
import { checkHostAndOrigin } from './admission.ts';
import type { Exposure } from './exposure.ts';

type Headers = Readonly<Record<string, string>>;

export interface Page {
  /** Its files, read once at the start; `index.html` is the page itself. */
  folder: string;
  /** Sent with each file, for example a content security policy; a function where they depend on the address that is asked. */
  headers: Headers | ((request: IncomingMessage) => Headers);
  /** Beginning of the paths whose files never change, since their names change with their content: `/assets/`. */
  hashed?: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void;

const FOR_A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Serves the files of a page at `/`, without a token: nothing in them is secret, and what they ask for needs it. Hosts and
 * origins are judged as everywhere. A file with a compressed one beside it (`.gz`) is sent compressed. What is not a file
 * of the page goes on to `otherwise`.
 */
export function pageFiles(page: Page, exposure: Exposure, randomId: () => string): Handler {
  const { folder, headers, hashed } = page;
  const serve = sirv(folder, {
    etag: true,
    gzip: true,
    setHeaders: (response, path) => {
      response.setHeader('x-request-id', randomId());
      response.setHeader('x-content-type-options', 'nosniff');
      const isHashed = hashed !== undefined && path.startsWith(hashed);
      response.setHeader('cache-control', isHashed ? FOR_A_YEAR : 'no-cache');
      const own = typeof headers === 'function' ? headers(response.req) : headers;
      for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
    },
  });
  return (request, response, otherwise) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && isAllowed(request, exposure)) serve(request, response, otherwise);
    else otherwise();
  };
}

/** Who is not gets the problem that every route gives. */
function isAllowed(request: IncomingMessage, exposure: Exposure): boolean {
  try {
    checkHostAndOrigin(request, exposure);
    return true;
  } catch {
    return false;
  }
}
