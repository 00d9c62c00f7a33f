import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Reply {
  status?: number;
  body: unknown;
}

export interface TestSource {
  url: string;
  /** What is answered from now on, by path. */
  answers: Map<string, Reply | 'silence'>;
  /** `GET /path` of each request, with what it was authorized by. */
  asked: string[];
}

/** Runs `work` with an HTTP server that speaks for a service. */
export async function onSource(work: (source: TestSource) => Promise<void>): Promise<void> {
  const answers: TestSource['answers'] = new Map();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?wait_ms=\d+$/, '');
    asked.push([request.method, path, request.headers.authorization].filter(Boolean).join(' '));
    const reply = answers.get(path) ?? {
      status: 404,
      body: { ok: false, code: 'not_found', error: `no such path: ${path}` },
    };
    if (reply === 'silence') return;
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, asked });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** `code: message` of the error that a promise ends with. */
export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `no error but ${JSON.stringify(value)}`,
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );
