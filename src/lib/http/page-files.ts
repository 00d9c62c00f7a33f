import type { IncomingMessage, ServerResponse } from 'node:http';
import sirv from 'sirv';
import { checkHostAndOrigin } from './admission.ts';
import type { Exposure } from './exposure.ts';

export interface Page {
  /** Its files, read once at the start; `index.html` is the page itself. */
  folder: string;
  /** Sent with each file, for example a content security policy. */
  headers: Readonly<Record<string, string>>;
}

type Handler = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void;

/**
 * Serves the files of a page at `/`, without a token: nothing in them is secret, and what they ask for needs it. Hosts and
 * origins are judged as everywhere. What is not a file of the page goes on to `otherwise`.
 */
export function pageFiles({ folder, headers }: Page, exposure: Exposure, randomId: () => string): Handler {
  const serve = sirv(folder, {
    etag: true,
    setHeaders: (response) => {
      response.setHeader('x-request-id', randomId());
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
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
