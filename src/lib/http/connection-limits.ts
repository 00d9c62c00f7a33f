import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Admitted, ConnectionPool } from './connection-pool.ts';
import type { EventLoopTurns, Priority } from './event-loop-turns.ts';
import { isLoopback } from './loopback.ts';
import { RequestGate } from './request-gate.ts';

/** What connections may take of the server, against slow, idle and greedy clients. Times in milliseconds. */
export interface ConnectionLimits {
  /** From the connection, or the end of the last request, to the end of the head. */
  headersTimeoutMs: number;
  /** To the end of the body. */
  requestTimeoutMs: number;
  /** Silence after an answer until the connection is closed. */
  keepAliveMs: number;
  /** How often the first two are looked at. */
  checkEveryMs: number;
  /**
   * Connections at once. For one more the oldest without a request is closed; when all have one, it gets a place of the
   * reserve, in which only commands from this machine are carried out.
   */
  maxConnections: number;
  /** Of these, for one other machine. */
  maxPerPeer: number;
  /** Of these, for all other machines together. */
  maxRemote: number;
  /** Places beyond `maxConnections`. */
  reserve: number;
}

export const DEFAULT_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 5_000,
  checkEveryMs: 2_000,
  maxConnections: 900,
  maxPerPeer: 200,
  maxRemote: 600,
  reserve: 50,
};

export interface LimitedServerOptions {
  limits: ConnectionLimits;
  turns: EventLoopTurns;
  /** Of a request from this machine, by the beginning `METHOD target `. */
  priorityOf: (head: string) => Priority;
  /** @param isOverload all places are taken by requests under way, and this is none that has the reserve */
  handle: (
    request: IncomingMessage,
    response: ServerResponse,
    how: { priority: Priority; isOverload: boolean },
  ) => void;
}

export function limitedServer(options: LimitedServerOptions): Server {
  const { limits } = options;
  const connections = new Connections(options);
  const take = (request: IncomingMessage, response: ServerResponse) => connections.take(request, response);
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      // The kit refuses it itself, as a problem and not as an empty 400.
      requireHostHeader: false,
    },
    take,
  );
  // An expectation that is not 100-continue: node would answer an empty 417.
  server.on('checkExpectation', take);
  server.on('connection', (socket) => connections.admit(socket));
  return server;
}

class Connections {
  readonly #options: LimitedServerOptions;
  readonly #gates = new WeakMap<Socket, RequestGate>();
  readonly #all: ConnectionPool<Admitted>;
  readonly #remote: ConnectionPool<Admitted>;
  readonly #peers = new Map<string, ConnectionPool<Admitted>>();

  constructor(options: LimitedServerOptions) {
    this.#options = options;
    this.#all = new ConnectionPool(options.limits.maxConnections);
    this.#remote = new ConnectionPool(options.limits.maxRemote);
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    this.#gates.get(request.socket)?.take(request, response);
  }

  admit(socket: Socket): void {
    const { limits, turns, priorityOf, handle } = this.#options;
    const peer = socket.remoteAddress ?? '';
    const isLocal = isLoopback(peer);
    const pools = isLocal ? [] : [this.#poolOf(peer), this.#remote];
    if (!pools.every((pool) => pool.makeRoom())) {
      socket.destroy();
      return;
    }
    const isInReserve = !this.#all.makeRoom();
    // Descriptors have to remain for devices.
    if (this.#all.size >= limits.maxConnections + limits.reserve) {
      socket.destroy();
      return;
    }
    pools.push(this.#all);
    const leave = () => {
      for (const pool of pools) pool.delete(connection);
      if (this.#peers.get(peer)?.size === 0) this.#peers.delete(peer);
    };
    const connection: Admitted = {
      shed: () => {
        leave();
        socket.destroy();
      },
    };
    for (const pool of pools) pool.add(connection);
    socket.once('close', leave);
    const gate = new RequestGate(takeParser(socket), {
      socket,
      turns,
      priorityOf: (head) => (isLocal ? priorityOf(head) : 'read'),
      handle: (request, response, priority) =>
        handle(request, response, { priority, isOverload: isInReserve && priority === 'read' }),
      onBusy: (isBusy) => {
        for (const pool of pools) pool.noteBusy(connection, isBusy);
      },
    });
    this.#gates.set(socket, gate);
  }

  #poolOf(peer: string): ConnectionPool<Admitted> {
    const known = this.#peers.get(peer);
    if (known) return known;
    const made = new ConnectionPool<Admitted>(this.#options.limits.maxPerPeer);
    this.#peers.set(peer, made);
    return made;
  }
}

/** Takes node's parser off the socket, so that a gate can hand it the bytes. @throws Error when node does it otherwise */
function takeParser(socket: Socket): (chunk: Buffer) => void {
  const [parse] = socket.listeners('data');
  if (!parse)
    throw new Error('node:http of this version reads its sockets in another way; see request-gate.ts');
  socket.removeListener('data', parse as (chunk: Buffer) => void);
  return (chunk) => parse.call(socket, chunk);
}
