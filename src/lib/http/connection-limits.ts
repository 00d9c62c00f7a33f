import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** What one connection may take of the server, against slow and idle clients. All in milliseconds but the last. */
export interface ConnectionLimits {
  /** From the connection, or the end of the last request, to the end of the head. */
  headersTimeoutMs: number;
  /** To the end of the body. */
  requestTimeoutMs: number;
  /** Silence after an answer until the connection is closed. */
  keepAliveMs: number;
  /** How often the first two are looked at. */
  checkEveryMs: number;
  /** Connections at once; more are closed unanswered, so that descriptors remain for the devices. */
  maxConnections: number;
}

export const DEFAULT_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 5_000,
  checkEveryMs: 2_000,
  maxConnections: 500,
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export function limitedServer(limits: ConnectionLimits, handler: Handler): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      // The kit refuses it itself, as a problem and not as an empty 400.
      requireHostHeader: false,
    },
    handler,
  );
  server.maxConnections = limits.maxConnections;
  // An expectation that is not 100-continue: node would answer an empty 417.
  server.on('checkExpectation', handler);
  return server;
}
