import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { EventLoopTurns } from './event-loop-turns.ts';
import { HttpError } from './http-error.ts';
import { problemReply } from './problem.ts';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the head of the request is too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** What is no HTTP request gets the same body as every other failure, where the connection still takes one. */
export function refuseMalformed(server: Server, randomId: () => string, turns: EventLoopTurns): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    turns.run('read', () => refuse(error, socket, randomId));
  });
}

function refuse(error: NodeJS.ErrnoException, socket: Socket, randomId: () => string): void {
  // Bytes of an answer that is under way must not be followed by another one.
  // A browser opens connections ahead of need, and would take an answer to nothing for that to its next request.
  const isUnused = socket.bytesRead === 0;
  if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket) || isUnused) {
    socket.destroy();
    return;
  }
  const reason = REASONS[error.code ?? ''] ?? 'the request is not valid HTTP/1.1';
  const { status, body, headers } = problemReply(new HttpError('invalid_request', reason));
  const payload = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} Bad Request`,
    `Content-Type: ${headers?.['content-type']}`,
    `Content-Length: ${Buffer.byteLength(payload)}`,
    `X-Request-Id: ${randomId()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${payload}`, () => socket.destroy());
}

/** Node keeps the answer that is being sent beside the socket. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: message } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return message?.headersSent === true;
}
