import { connect, type Socket } from 'node:net';
import process from 'node:process';
import type { Clock } from '../clock/clock.ts';
import { BEAT_MS } from './heartbeat-server.ts';
import { type JsonLine, jsonLines } from './json-lines.ts';

const TICK_MS = 25;
/** Behind what the watched said, which is a tick itself: while its beats come no timer wakes the processor. */
const CALM_TICK_MS = 1.25 * BEAT_MS;
/** After the end of a connection: whether the process has ended too shows now. */
const PARTED_TICK_MS = 10;
/** A tick that comes later than by so much does not count as silence. */
const LATE_MS = 25;
const CONNECT_EVERY_MS = 50;
/** The watched counts a watcher only as long as it says so: with each fifth beat. */
const NAME_EVERY_MS = 4.5 * BEAT_MS;

/** One question whether the watched lives. */
export interface Ping {
  readonly isAnswered: boolean;
}

export interface HeartbeatMonitorOptions {
  address: string;
  clock: Clock;
  /** How the watcher names itself; it may come to have another name. */
  name: string | (() => string);
  /** Members that it repeats with its name. */
  about?: () => JsonLine;
  onHello: (hello: JsonLine) => void;
  onLine: (line: JsonLine) => void;
  /** The process ended, or let go of this watcher. */
  onGone: () => void;
  /** Each tick, after the silence was counted; and whenever the watched has said something. */
  onTick?: () => void;
}

/**
 * Watches a life line, and waits for it where there is none. Silence is counted in this process's own ticks: what stops
 * the watcher too (a machine under load, a debugger) is never taken for the death of the watched.
 */
export class HeartbeatMonitor {
  readonly #options: HeartbeatMonitorOptions;
  #socket: Socket | undefined;
  #isConnected = false;
  #silentMs = 0;
  #absentMs = 0;
  #tickedAt: number;
  /** Until the next tick. */
  #tickMs = TICK_MS;
  #triedAt = Number.NEGATIVE_INFINITY;
  #namedAt = Number.NEGATIVE_INFINITY;
  #cancelTick = () => {};
  #stopped = false;
  #pings = 0;
  #answeredPings = 0;

  constructor(options: HeartbeatMonitorOptions) {
    this.#options = options;
    this.#tickedAt = options.clock.monotonic();
  }

  /** A process holds the address; the silence shows whether it runs. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Milliseconds since the watched last said anything, or since it was connected. */
  get silentMs(): number {
    return this.#silentMs;
  }

  /** Milliseconds without a connection. */
  get absentMs(): number {
    return this.#absentMs;
  }

  /** Of the last tick, monotonic milliseconds. */
  get tickedAt(): number {
    return this.#tickedAt;
  }

  start(): void {
    this.#tickedAt = this.#options.clock.monotonic();
    this.#connect();
    this.#tick();
  }

  tell(line: JsonLine): void {
    this.#socket?.write(`${JSON.stringify(line)}\n`);
  }

  /** Says at once how it is called now. */
  sayName(): void {
    const { name, about, clock } = this.#options;
    this.#namedAt = clock.monotonic();
    this.tell({ watch: typeof name === 'string' ? name : name(), pid: process.pid, ...about?.() });
  }

  /** Asks for a sign of life. What was said before does not count as an answer. */
  ping(): Ping {
    const count = ++this.#pings;
    this.tell({ ping: count });
    const answered = () => this.#answeredPings >= count;
    return {
      get isAnswered() {
        return answered();
      },
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTick();
    this.#socket?.destroy();
  }

  #tick(): void {
    const now = this.#options.clock.monotonic();
    const passedMs = Math.min(now - this.#tickedAt, this.#tickMs + LATE_MS);
    if (this.#isConnected) this.#silentMs += passedMs;
    else this.#absentMs += passedMs;
    this.#look(now);
  }

  #look(now: number): void {
    this.#tickedAt = now;
    if (!this.#socket && now - this.#triedAt >= CONNECT_EVERY_MS) this.#connect();
    if (this.#isConnected && now - this.#namedAt >= NAME_EVERY_MS) this.sayName();
    this.#options.onTick?.();
    this.#tickMs = this.#isConnected && this.#silentMs === 0 ? CALM_TICK_MS : TICK_MS;
    this.#tickIn(this.#tickMs);
  }

  #tickIn(ms: number): void {
    this.#cancelTick();
    if (!this.#stopped) this.#cancelTick = this.#options.clock.after(ms, () => this.#tick());
  }

  #connect(): void {
    const { address, clock, onHello, onLine } = this.#options;
    this.#triedAt = clock.monotonic();
    const socket = connect(address);
    this.#socket = socket;
    const take = jsonLines((line) => {
      if (this.#stopped) return;
      if (isLine(line.hello)) onHello(line.hello);
      else if (typeof line.pong === 'number') this.#answeredPings = Math.max(this.#answeredPings, line.pong);
      else onLine(line);
    });
    socket.on('connect', () => {
      this.#isConnected = true;
      this.#silentMs = 0;
      this.#absentMs = 0;
      this.sayName();
    });
    socket.on('data', (chunk) => {
      this.#silentMs = 0;
      if (!take(chunk)) socket.destroy();
      else if (!this.#stopped) this.#look(clock.monotonic());
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      const wasConnected = this.#isConnected;
      this.#socket = undefined;
      this.#isConnected = false;
      if (!wasConnected || this.#stopped) return;
      this.#options.onGone();
      this.#tickIn(PARTED_TICK_MS);
    });
  }
}

function isLine(value: unknown): value is JsonLine {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
