import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { EventLoopTurns, Priority } from './event-loop-turns.ts';

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
