import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../errors/coded-error.ts';
import { type JsonLine, jsonLines } from './json-lines.ts';

/** Milliseconds between two beats. */
export const BEAT_MS = 100;
/** Another process of the rig may still be ending. */
const RETRY_MS = 500;
/** A watcher says its name again and again; one that is silent for so long does not watch. */
export const WATCHER_SILENCE_MS = 2000;
/** Most that one beat counts as silence: what holds up this process is not the silence of a watcher. */
const LONGEST_BEAT_MS = 2 * BEAT_MS;
/** Bytes that may wait for a watcher that does not read. */
const LIMIT_BYTES = 65_536;

export interface HeartbeatServerOptions {
  address: string;
  clock: Clock;
  /** First line for each watcher: who this is and how it stands. */
  hello: () => JsonLine;
  /** What a watcher says. */
  onLine?: (line: JsonLine) => void;
  log: (line: string) => void;
}

/** Who watches, as it says itself. */
export interface Watcher {
  readonly name: string;
  /** Undefined when it gave none. */
  readonly pid: number | undefined;
  /** Milliseconds since it last said anything. */
  readonly silentMs: number;
}

/**
 * By this a service shows that it lives: an abstract socket on which watchers stay connected. Lines of JSON: `hello` once,
 * `beat` from the event loop every 100 ms, `pong` to the sender of `ping`, and what `tell` is given. The kernel ends the
 * connections when the process dies; an event loop that stands still is silent. No watcher can hold the service up.
 */
export class HeartbeatServer {
  readonly #options: HeartbeatServerOptions;
  /** Each with what it said of itself. */
  readonly #watchers = new Map<Socket, Watcher>();
  #beatAt: number;
  #server: Server | undefined;
  #closed = false;
  #told = false;
  /** Monotonic, milliseconds. */
  #silentUntil = Number.NEGATIVE_INFINITY;
  #cancelBeat = () => {};
  #cancelRetry = () => {};

  constructor(options: HeartbeatServerOptions) {
    this.#options = options;
    this.#beatAt = options.clock.monotonic();
  }

  /** Begins; an address that another process holds is tried again until it is free. */
  open(): void {
    if (this.#closed) return;
    const server = createServer((socket) => this.#admit(socket));
    server.once('error', (fault) => this.#retry(fault));
    server.listen(this.#options.address, () => {
      server.removeAllListeners('error');
      server.on('error', () => {});
      this.#server = server;
      if (this.#closed) server.close();
      else this.#beat(0);
    });
  }

  /** Whether a watcher of this name is connected and runs. */
  isWatchedBy(name: string): boolean {
    return this.watchers(name).some(({ silentMs }) => silentMs < WATCHER_SILENCE_MS);
  }

  /** Those of this name that are connected, whether they run or not. */
  watchers(name: string): Watcher[] {
    return [...this.#watchers.values()].filter((watcher) => watcher.name === name);
  }

  /** One line to every watcher. Never throws and never waits. */
  tell(line: JsonLine): void {
    if (this.#isSilent) return;
    const text = textOf(line);
    for (const socket of this.#watchers.keys()) send(socket, text);
  }

  /** Shows what a process that stands still would show: nothing. With 0 it speaks again. */
  fallSilent(ms: number): void {
    this.#silentUntil = this.#options.clock.monotonic() + ms;
  }

  close(): void {
    this.#closed = true;
    this.#cancelBeat();
    this.#cancelRetry();
    this.#server?.close();
    for (const socket of this.#watchers.keys()) socket.destroy();
  }

  get #isSilent(): boolean {
    return this.#options.clock.monotonic() < this.#silentUntil;
  }

  #retry(fault: Error): void {
    if (!this.#told)
      this.#options.log(`the life line is not open yet, no guard can watch: ${messageOf(fault)}`);
    this.#told = true;
    this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => this.open());
  }

  #beat(count: number): void {
    const { clock } = this.#options;
    const passedMs = Math.min(clock.monotonic() - this.#beatAt, LONGEST_BEAT_MS);
    this.#beatAt = clock.monotonic();
    for (const [socket, watcher] of this.#watchers)
      this.#watchers.set(socket, { ...watcher, silentMs: watcher.silentMs + passedMs });
    this.tell({ beat: count });
    this.#cancelBeat = clock.after(untilNextBeat(clock.now()), () => this.#beat(count + 1));
  }

  #admit(socket: Socket): void {
    this.#watchers.set(socket, { name: '', pid: undefined, silentMs: 0 });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#watchers.delete(socket));
    const take = jsonLines((line) => {
      const { name, pid } = this.#watchers.get(socket) ?? { name: '', pid: undefined };
      this.#watchers.set(socket, {
        name: typeof line.watch === 'string' ? line.watch : name,
        pid: typeof line.pid === 'number' ? line.pid : pid,
        silentMs: 0,
      });
      if (typeof line.ping === 'number' && !this.#isSilent) send(socket, textOf({ pong: line.ping }));
      this.#options.onLine?.(line);
    });
    socket.on('data', (chunk) => {
      if (!take(chunk)) socket.destroy();
    });
    send(socket, textOf({ hello: this.#options.hello() }));
  }
}

/**
 * All services of a machine beat at the same moments, so that whoever watches several of them wakes once for all. Half a
 * beat at least, for timers that come too soon.
 */
function untilNextBeat(wallMs: number): number {
  const ms = BEAT_MS - (wallMs % BEAT_MS);
  return ms < BEAT_MS / 2 ? ms + BEAT_MS : ms;
}

const textOf = (line: JsonLine): string => `${JSON.stringify(line)}\n`;

function send(socket: Socket, text: string): void {
  if (socket.writableLength > LIMIT_BYTES) socket.destroy();
  else if (socket.writable) socket.write(text);
}
