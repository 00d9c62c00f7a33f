import type { Clock } from '../../lib/clock/clock.ts';
import { Lane } from './lane.ts';

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
   * What the port between host and line takes at the least to carry bytes, milliseconds, each way. A real port is the
   * end of the wire and takes nothing, so this is counted off. Default 0.
   */
  passageMs?: number;
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
  readonly #passageMs: number;
  readonly #lanes: Record<End, Lane>;
  /** When the last character of each end has passed. */
  readonly #endsAtMs: Record<End, number> = { host: 0, device: 0 };

  constructor(options: LineRateOptions) {
    this.#clock = options.clock;
    this.#characterMs = (1000 * (options.bits ?? 10)) / options.baud;
    this.#isShared = options.discipline === 'rs485';
    this.#gapMs = this.#isShared ? FRAME_GAP * this.#characterMs : 0;
    this.#latencyMs = options.latencyMs ?? 0;
    this.#passageMs = options.passageMs ?? 0;
    this.#lanes = {
      host: new Lane({ clock: options.clock, deliver: options.toDevice }),
      device: new Lane({ clock: options.clock, deliver: options.toHost }),
    };
  }

  #aw = 0; #sp = false;
  #alert() { this.#aw = this.#clock.monotonic() + Number(process.env.ALERT ?? 0); if (this.#sp || !process.env.ALERT) return; this.#sp = true; const f = () => { if (this.#clock.monotonic() < this.#aw) setImmediate(f); else this.#sp = false; }; f(); }
  fromHost(bytes: Uint8Array): void {
    this.#alert();
    const lane = this.#lanes.host;
    const startMs = this.#begin('host', bytes.length, this.#clock.monotonic() - this.#passageMs);
    bytes.forEach((byte, index) => {
      lane.push(byte, startMs + (index + 1) * this.#characterMs);
    });
    if (this.#isShared) lane.postpone(this.#endsAtMs.host + this.#gapMs);
    lane.schedule();
  }

  fromDevice(bytes: Uint8Array): void {
    const lane = this.#lanes.device;
    const startMs = this.#begin('device', bytes.length, this.#clock.monotonic());
    bytes.forEach((byte, index) => {
      lane.push(byte, this.#fetchedAt(startMs + (index + 1) * this.#characterMs));
    });
    lane.schedule();
  }

  /** Nothing that is on its way arrives any more. */
  stop(): void {
    this.#lanes.host.stop();
    this.#lanes.device.stop();
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
    return atMs - this.#passageMs;
  }
}
