import type { Clock } from '../../lib/clock/clock.ts';
import { PacedWriter } from './paced-writer.ts';

export interface LineRateOptions {
  clock: Clock;
  /** Bits per second. */
  baud: number;
  /** Bits of one character on the wire. Default 10 (8N1). */
  bits?: number;
  /**
   * `rs485`: one pair of wires. Whoever did not speak last waits until 3.5 characters of silence have passed, and the
   * device takes a frame only after as many. `uart` (default): each direction has a wire of its own and no pauses.
   */
  discipline?: 'rs485' | 'uart';
  /** A USB adapter hands received bytes to the host every so many milliseconds. Default 0; real ones 16 or 1. */
  latencyMs?: number;
  /**
   * What the pseudo-terminal between host and line takes to carry bytes, milliseconds. A real port is the end of the
   * wire and takes nothing, so this is counted off. Default 0.
   */
  passages?: { fromClientMs: number; toClientMs: number };
  /**
   * For so long after a request the event loop does not sleep, milliseconds: waking up takes longer than a bit of the
   * line. Keeps a core busy while traffic flows. Default 0.
   */
  awakeMs?: number;
  toHost: (bytes: Uint8Array) => void;
  toDevice: (bytes: Uint8Array) => void;
}

/** Characters of silence that end a frame (Modbus over serial line 2.5.1.1). */
const FRAME_GAP = 3.5;

type End = 'host' | 'device';

/** The wire between a host's port and a twin: every byte takes the time it takes on the real line. */
export class LineRate {
  readonly #clock: Clock;
  readonly #characterMs: number;
  readonly #gapMs: number;
  readonly #isShared: boolean;
  readonly #latencyMs: number;
  readonly #passages: { fromClientMs: number; toClientMs: number };
  readonly #awakeMs: number;
  readonly #writers: Record<End, PacedWriter>;
  /** While the device is handed a frame: what it answers in that moment takes no time for thought. */
  #handedOverAtMs: number | undefined;
  #awakeUntilMs = 0;
  #turn: NodeJS.Immediate | undefined;
  /** When the last character of each end has passed. */
  readonly #endsAtMs: Record<End, number> = {
    host: Number.NEGATIVE_INFINITY,
    device: Number.NEGATIVE_INFINITY,
  };

  constructor(options: LineRateOptions) {
    this.#clock = options.clock;
    this.#characterMs = (1000 * (options.bits ?? 10)) / options.baud;
    this.#isShared = options.discipline === 'rs485';
    this.#gapMs = this.#isShared ? FRAME_GAP * this.#characterMs : 0;
    this.#latencyMs = options.latencyMs ?? 0;
    this.#passages = options.passages ?? { fromClientMs: 0, toClientMs: 0 };
    this.#awakeMs = options.awakeMs ?? 0;
    this.#writers = {
      host: new PacedWriter({
        clock: options.clock,
        deliver: (bytes, dueMs) => {
          this.#handedOverAtMs = dueMs;
          options.toDevice(bytes);
          this.#handedOverAtMs = undefined;
        },
      }),
      device: new PacedWriter({ clock: options.clock, deliver: options.toHost }),
    };
  }

  fromHost(bytes: Uint8Array): void {
    this.#stayAwake();
    const lane = this.#writers.host;
    const startMs = this.#begin('host', bytes.length, this.#clock.monotonic() - this.#passages.fromClientMs);
    bytes.forEach((byte, index) => {
      lane.push(byte, startMs + (index + 1) * this.#characterMs);
    });
    if (this.#isShared) lane.postpone(this.#endsAtMs.host + this.#gapMs);
    lane.schedule();
  }

  fromDevice(bytes: Uint8Array): void {
    const lane = this.#writers.device;
    const startMs = this.#begin('device', bytes.length, this.#handedOverAtMs ?? this.#clock.monotonic());
    bytes.forEach((byte, index) => {
      lane.push(byte, this.#fetchedAt(startMs + (index + 1) * this.#characterMs));
    });
    lane.schedule();
  }

  /** Nothing that is on its way arrives any more. */
  stop(): void {
    this.#writers.host.stop();
    this.#writers.device.stop();
    clearImmediate(this.#turn);
    this.#turn = undefined;
  }

  #stayAwake(): void {
    if (this.#awakeMs <= 0) return;
    this.#awakeUntilMs = this.#clock.monotonic() + this.#awakeMs;
    const turn = () => {
      this.#turn = this.#clock.monotonic() < this.#awakeUntilMs ? setImmediate(turn) : undefined;
    };
    this.#turn ??= setImmediate(turn);
  }

  /** @returns when the first of `count` characters begins; the line is taken until they have passed */
  #begin(end: End, count: number, spokenAtMs: number): number {
    const other = this.#isShared ? this.#endsAtMs[end === 'host' ? 'device' : 'host'] + this.#gapMs : 0;
    const startMs = Math.max(spokenAtMs, this.#endsAtMs[end], other);
    this.#endsAtMs[end] = startMs + count * this.#characterMs;
    return startMs;
  }

  #fetchedAt(dueMs: number): number {
    const atMs = this.#latencyMs > 0 ? Math.ceil(dueMs / this.#latencyMs) * this.#latencyMs : dueMs;
    return atMs - this.#passages.toClientMs;
  }
}
