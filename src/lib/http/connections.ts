import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Admitted, ConnectionPool } from './connection-pool.ts';
import type { EventLoopTurns, Priority } from './event-loop-turns.ts';
import { isLoopback } from './loopback.ts';

/** What connections may take of the server, against slow, idle and greedy clients. Times in milliseconds. */
export interface ConnectionLimits {
  /** From the connection, or the end of the last request, to the end of the head. */
  headersTimeoutMs: number;
  /** To the end of the body. */
  requestTimeoutMs: number;
  /**
   * Silence after an answer until the connection is closed. Longer than what somebody who asks again and again leaves
   * between two requests (often 5 s): one that is sent just when the server closes is lost.
   */
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
  keepAliveMs: 65_000,
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
  if (!parse) throw new Error('node:http of this version reads its sockets in another way; see RequestGate');
  socket.removeListener('data', parse as (chunk: Buffer) => void);
  return (chunk) => parse.call(socket, chunk);
}

/** Bytes that are parsed at once: a few dozen of the shortest requests, well below a millisecond. */
const SLICE_BYTES = 1024;
/** Sent ahead of answers that are not read: no client needs more. */
const LIMIT_BYTES = 262_144;

export interface GateOptions {
  socket: Socket;
  turns: EventLoopTurns;
  handle: (request: IncomingMessage, response: ServerResponse, priority: Priority) => void;
  /** Of a request, by its method and target; the same for the first bytes of one. */
  priorityOf: (head: string) => Priority;
  /** It has a request that is not answered yet, or has none any more. */
  onBusy: (isBusy: boolean) => void;
}

interface Parsed {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Stands between the bytes of one connection and node's parser: bytes go in by slices, and one request is answered after
 * the other. What a client sends ahead stays in its own socket, so that no connection gets more of the process than another.
 */
export class RequestGate {
  readonly #options: GateOptions;
  readonly #parse: (chunk: Buffer) => void;
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #isReading = false;
  #current: Parsed | undefined;
  #parsed: Parsed[] = [];

  /** @param parse what node's server does with the bytes of the socket */
  constructor(parse: (chunk: Buffer) => void, options: GateOptions) {
    const { socket } = options;
    this.#options = options;
    this.#parse = parse;
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    socket.on('drain', () => this.#read());
    socket.once('close', () => this.#closed());
  }

  /** A request was parsed. It begins when those before it are answered. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#current) this.#parsed.push({ request, response });
    else {
      this.#options.onBusy(true);
      this.#begin({ request, response });
    }
  }

  #begin(parsed: Parsed): void {
    const { turns, handle, priorityOf, socket } = this.#options;
    const { request, response } = parsed;
    this.#current = parsed;
    response.once('close', () => this.#answered());
    const priority = priorityOf(`${request.method} ${request.url} `);
    turns.run(priority, () => {
      if (socket.writable) handle(request, response, priority);
    });
  }

  #answered(): void {
    const next = this.#parsed.shift();
    if (next) this.#begin(next);
    else {
      this.#current = undefined;
      this.#options.onBusy(false);
      this.#read();
    }
  }

  #received(chunk: Buffer): void {
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes > LIMIT_BYTES) this.#options.socket.destroy();
    else this.#read();
  }

  #read(): void {
    const { socket, turns, priorityOf } = this.#options;
    const [first] = this.#unread;
    if (!first) {
      if (socket.isPaused() && !socket.destroyed) socket.resume();
      return;
    }
    if (this.#isReading || !this.#mayParse) {
      socket.pause();
      return;
    }
    this.#isReading = true;
    const priority = this.#current ? 'read' : priorityOf(first.toString('latin1', 0, 80));
    turns.run(priority, () => {
      do this.#parse(this.#slice());
      while (this.#mayParse && this.#unread.length > 0 && !turns.isOver);
      this.#isReading = false;
      this.#read();
    });
    if (this.#isReading) socket.pause();
  }

  /** The body of the request that is being answered goes on, whatever waits behind it. */
  get #mayParse(): boolean {
    const { socket } = this.#options;
    if (socket.destroyed || socket.writableNeedDrain || this.#parsed.length > 0) return false;
    return this.#current === undefined || !this.#current.request.complete;
  }

  #slice(): Buffer {
    const [first = Buffer.alloc(0)] = this.#unread;
    const slice = first.subarray(0, SLICE_BYTES);
    if (slice.length === first.length) this.#unread.shift();
    else this.#unread[0] = first.subarray(SLICE_BYTES);
    this.#unreadBytes -= slice.length;
    return slice;
  }

  #closed(): void {
    this.#unread = [];
    this.#unreadBytes = 0;
    this.#parsed = [];
  }
}
