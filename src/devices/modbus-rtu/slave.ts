import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import type { LineSettings } from '../line-settings.ts';
import type { SerialTwin } from '../twin.ts';
import type { TwinListener } from '../twin-event.ts';
import { appendCrc, hasValidCrc } from './crc.ts';
import { faultedReply, type RtuFault } from './fault.ts';
import { noteOf, type Responder } from './responder.ts';

/** Characters of silence that end a request (Modbus over serial line 2.5.1.1). */
/** Less than any clock distinguishes: rounding of sums. */
const MOMENT_MS = 1e-6;
const FRAME_GAP = 3.5;
/** Of one character with any parity, and with what clocks differ by: no one can take the answer for an early one. */
const CHARACTER_BITS = 12;

/** A line on which whole frames are handed over: answers come when the line could have carried request and answer. */
export interface LumpLine {
  /** The line's own time. */
  clock: Clock;
  /** Bits per second. */
  baud: number;
}

/** A gap after which an unfinished request is forgotten; far above 3.5 characters, since a PTY delivers in lumps. */
const FORGET_MS = 50;

/**
 * The framing half of a twin: takes requests with its own unit id and a good CRC, gives one answer after the other,
 * and spoils answers when told to. Broadcasts are carried out in silence, but for questions that the device answers.
 */
export class RtuSlave implements SerialTwin {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #responder: Responder;
  readonly #settings: (() => LineSettings) | undefined;
  #host: LineSettings | undefined;
  readonly #answersBroadcast: (functionCode: number, data: Uint8Array) => boolean;
  readonly #tell: TwinListener;
  readonly #turnaroundMs: number;
  readonly #line: LumpLine | undefined;
  readonly #timers = new Set<() => void>();
  #held: number[] = [];
  #forget = () => {};
  #lastReplyAt = 0;
  #owing = 0;
  #send: (bytes: Uint8Array) => void = () => {};
  /** Requests that began while an answer was still owed: on a real RS-485 line both would be lost. */
  collisions = 0;

  constructor(options: {
    clock: Clock;
    random: Random;
    responder: Responder;
    /** Of its own end of the line; at first the host's end is set alike. Default: it understands any. */
    settings?: () => LineSettings;
    listener: TwinListener;
    /** Broadcast requests that it answers all the same, under unit 0. Default none. */
    answersBroadcast?: (functionCode: number, data: Uint8Array) => boolean;
    /** Time to work on a request, milliseconds. Default 0. */
    turnaroundMs?: number;
    /** Default: whatever carries the bytes takes the time for them, or nothing does. */
    line?: LumpLine | undefined;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#responder = options.responder;
    this.#settings = options.settings;
    const own = options.settings?.();
    this.#host = own && { baud: own.baud, parity: own.parity };
    this.#answersBroadcast = options.answersBroadcast ?? (() => false);
    this.#tell = options.listener;
    this.#turnaroundMs = options.turnaroundMs ?? 0;
    this.#line = options.line;
  }

  /** Where answers go. */
  connect(send: (bytes: Uint8Array) => void): void {
    this.#send = send;
  }

  setLine(settings: Partial<LineSettings>): void {
    this.#host = this.#host && { ...this.#host, ...settings };
  }

  /** Spoils the answers to the next requests, one fault for each. */
  faultOnce(...faults: RtuFault[]): void {
    this.#responder.faultOnce(...faults);
  }

  /** Spoils every answer as `draw` says, until another source or undefined is given. */
  faultEach(draw: (() => RtuFault) | undefined): void {
    this.#responder.faultEach(draw);
  }

  /** Forgets faults, half a request and answers not yet given. */
  reset(): void {
    this.#responder.reset();
    this.#held = [];
    this.#forget();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#lastReplyAt = 0;
    this.#owing = 0;
  }

  receive(bytes: Uint8Array): void {
    if (this.#owing > 0 && this.#held.length === 0) {
      this.collisions += 1;
      this.#tell({ kind: 'note', note: 'collision: a request began while an answer was owed' });
    }
    this.#held.push(...bytes);
    this.#forget();
    for (;;) {
      const length = requestLength(this.#held);
      if (length === undefined || this.#held.length < length) break;
      const frame = Uint8Array.from(this.#held.slice(0, length));
      if (!hasValidCrc(frame)) break;
      this.#held = this.#held.slice(length);
      this.#request(frame);
    }
    if (this.#held.length > 0) this.#forget = this.#later(FORGET_MS, () => this.#endOfGap());
  }

  /** After a gap what is left is one whole frame of an unknown function, or nothing that can be used. */
  #endOfGap(): void {
    const frame = Uint8Array.from(this.#held);
    this.#held = [];
    if (hasValidCrc(frame)) this.#request(frame);
    else this.#tell({ kind: 'in', bytes: frame, note: 'not a frame: ignored' });
  }

  #request(frame: Uint8Array): void {
    const [unit = 0, functionCode = 0] = frame;
    if (!this.#isLineEqual()) {
      this.#tell({ kind: 'in', bytes: frame, note: 'other line settings: not understood' });
      return;
    }
    if (unit !== this.#responder.unit && unit !== 0) {
      this.#tell({ kind: 'in', bytes: frame, note: 'for another unit' });
      return;
    }
    const data = frame.subarray(2, -2);
    const isAnswered = unit !== 0 || this.#answersBroadcast(functionCode, data);
    // Without an answer there is nothing to spoil.
    const fault = isAnswered ? this.#responder.nextFault() : { deaf: this.#responder.isDeaf };
    if (fault.deaf) {
      this.#tell({ kind: 'in', bytes: frame, note: 'deaf: not heard' });
      return;
    }
    this.#tell({ kind: 'in', bytes: frame });
    const body = this.#responder.carryOut(functionCode, data);
    if (!isAnswered) return;
    const bytes = faultedReply(appendCrc([unit, ...body]), fault, this.#random);
    if (bytes.length === 0) {
      this.#tell({ kind: 'note', note: 'silent: no answer' });
      return;
    }
    const pass = this.#passage(frame.length + bytes.length, fault);
    const now = this.#clock.monotonic();
    if (fault.stray_ms !== undefined) {
      this.#later(this.#turnaroundMs + fault.stray_ms, () => this.#answer(bytes, fault, pass));
      return;
    }
    // It works on one request after the other.
    const at = Math.max(now, this.#lastReplyAt) + this.#turnaroundMs + (fault.late_ms ?? 0);
    this.#lastReplyAt = at;
    const answer = () => this.#answer(bytes, fault, pass);
    if (at <= now) {
      answer();
      return;
    }
    this.#owing += 1;
    this.#later(at - now, () => {
      this.#owing -= 1;
      answer();
    });
  }

  /** With another rate or parity every byte is garbage. */
  #isLineEqual(): boolean {
    const [own, host] = [this.#settings?.(), this.#host];
    return !own || !host || (own.baud === host.baud && own.parity === host.parity);
  }

  /** @returns what waits until the line can have carried so many characters, counted from now */
  #passage(characters: number, fault: RtuFault): (action: () => void) => void {
    const line = this.#line;
    if (!line || fault.early) return (action) => action();
    // The device's own rate now, which a knob or a register may have changed.
    const { baud } = this.#settings?.() ?? line;
    const dueMs = line.clock.monotonic() + ((characters + FRAME_GAP) * CHARACTER_BITS * 1000) / baud;
    // A timer may fire a little early: never sooner than the line could have carried it.
    const pass = (action: () => void): void => {
      const restMs = dueMs - line.clock.monotonic();
      if (restMs > MOMENT_MS) this.#later(restMs, () => pass(action), line.clock);
      else action();
    };
    return pass;
  }

  #answer(bytes: Uint8Array, fault: RtuFault, pass: (action: () => void) => void): void {
    const note = noteOf(fault);
    const out = () => {
      this.#tell({ kind: 'out', bytes, ...(note ? { note } : {}) });
      pass(() => this.#send(bytes));
    };
    out();
    if (fault.repeat_after_ms !== undefined) this.#later(fault.repeat_after_ms, out);
  }

  #later(ms: number, action: () => void, clock = this.#clock): () => void {
    const cancel = clock.after(ms, () => {
      this.#timers.delete(cancel);
      action();
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }
}

/** Bytes of a whole request, as soon as that is known; undefined for functions whose length is not known. */
function requestLength(held: readonly number[]): number | undefined {
  const functionCode = held[1];
  if (functionCode === undefined) return undefined;
  if (functionCode >= 0x01 && functionCode <= 0x06) return 8;
  if (functionCode !== 0x0f && functionCode !== 0x10) return undefined;
  const count = held[6];
  return count === undefined ? undefined : 9 + count;
}
