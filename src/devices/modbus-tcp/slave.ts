import type { Clock } from '../../lib/clock/clock.ts';
import type { RtuFault } from '../modbus-rtu/fault.ts';
import { noteOf, type Responder } from '../modbus-rtu/responder.ts';
import type { TwinListener } from '../twin-event.ts';
import { encodeFrame, FrameReader, type TcpFrame } from './frame.ts';

/**
 * One connection of a Modbus TCP server in front of a twin. Answers in the order of the requests, only to its own unit
 * id. The faults of the twin apply, except `bad_crc`: TCP has none, a faulty answer never reaches a program.
 */
export class TcpSlave {
  readonly #clock: Clock;
  readonly #responder: Responder;
  readonly #tell: TwinListener;
  readonly #send: (bytes: Uint8Array) => void;
  readonly #hangUp: () => void;
  readonly #reader = new FrameReader();
  readonly #timers = new Set<() => void>();
  #lastReplyAtMs = 0;

  constructor(options: {
    clock: Clock;
    responder: Responder;
    listener: TwinListener;
    send: (bytes: Uint8Array) => void;
    /** What came is not a Modbus TCP. */
    hangUp: () => void;
  }) {
    this.#clock = options.clock;
    this.#responder = options.responder;
    this.#tell = options.listener;
    this.#send = options.send;
    this.#hangUp = options.hangUp;
  }

  receive(bytes: Uint8Array): void {
    const { frames, fault } = this.#reader.push(bytes);
    for (const frame of frames) this.#request(frame);
    if (fault === undefined) return;
    this.#tell({ kind: 'in', bytes, note: `not Modbus TCP: ${fault}` });
    this.#hangUp();
  }

  /** The connection has ended: answers not yet given are never given. */
  stop(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #request({ transaction, unit, body }: TcpFrame): void {
    const bytes = encodeFrame(transaction, unit, body);
    if (unit !== this.#responder.unit) {
      this.#tell({ kind: 'in', bytes, note: 'for another unit' });
      return;
    }
    const fault = this.#responder.nextFault();
    if (fault.deaf) {
      this.#tell({ kind: 'in', bytes, note: 'deaf: not heard' });
      return;
    }
    this.#tell({ kind: 'in', bytes });
    const answer = this.#responder.carryOut(body[0] ?? 0, body.subarray(1));
    const faulty = injectFault(encodeFrame(transaction, unit, answer), fault);
    if (faulty.length === 0) {
      this.#tell({ kind: 'note', note: 'silent: no answer' });
      return;
    }
    const now = this.#clock.monotonic();
    this.#lastReplyAtMs = Math.max(now + (fault.late_ms ?? 0), this.#lastReplyAtMs);
    const waitMs = this.#lastReplyAtMs - now;
    if (waitMs <= 0) this.#answer(faulty, fault);
    else this.#later(waitMs, () => this.#answer(faulty, fault));
  }

  #answer(bytes: Uint8Array, fault: RtuFault): void {
    const note = noteOf(fault);
    this.#tell({ kind: 'out', bytes, ...(note ? { note } : {}) });
    this.#send(bytes);
  }

  #later(ms: number, action: () => void): void {
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(cancel);
      action();
    });
    this.#timers.add(cancel);
  }
}

function injectFault(frame: Uint8Array, fault: RtuFault): Uint8Array {
  if (fault.silent) return new Uint8Array();
  const bytes = Uint8Array.from(frame);
  if (fault.foreign) bytes[6] = ((bytes[6] ?? 0) % 247) + 1;
  const cut = fault.truncate === undefined ? bytes : bytes.slice(0, fault.truncate);
  return fault.doubled ? Uint8Array.from([...cut, ...cut]) : cut;
}
