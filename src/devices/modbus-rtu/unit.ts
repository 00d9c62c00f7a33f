import type { JobOptions } from '../../lib/queue/job-queue.ts';
import { DeviceError, failureOf, nameDevice } from '../device-error.ts';
import type { ModbusMaster, ModbusSession, UrgentRead } from './master.ts';
import type { ModbusRequest } from './request.ts';

/** Exceptions up to this one say that function, address or value are not known; later ones tell of trouble. */
const ILLEGAL_VALUE = 3;

/** What was read, and since when it can be true. */
export interface UnitReading {
  data: Uint8Array;
  /** Wall clock, milliseconds since the Unix epoch: when the first of the equal readings had come in. */
  observedAt: number;
}

export interface ReadOptions {
  /** The sync request goes ahead also on a line without faults: for the verification of a safe state. Default false. */
  alwaysSynchronises?: boolean;
  urgent?: UrgentRead | undefined;
  /**
   * Whether two replies say the same. A measured value is hardly ever equal twice: there it is a tolerance, and behind a
   * fault the value is true within it. Default: every byte is equal.
   */
  agree?: (first: Uint8Array, second: Uint8Array) => boolean;
}

type Outcome = UnitReading | { refusal: DeviceError };

/** One device on a line: its unit id, its name in errors, and jobs that are distinguished by it. */
export class ModbusUnit {
  /** Unit id, 1..255. */
  readonly id: number;
  readonly #line: ModbusMaster;
  readonly #device: string;
  /** How long the last reading on a sound line took, milliseconds; 0 before the first. */
  replyMs = 0;
  /** An error that names device, unit and endpoint. */
  readonly fail: ReturnType<typeof failureOf>;

  constructor(line: ModbusMaster, device: string, id: number) {
    this.#line = line;
    this.#device = device;
    this.id = id;
    this.fail = failureOf(device, line.endpoint, `${device} unit ${id} on ${line.endpoint}`);
  }

  /** Counts the openings of the port: what was known about the device before a new one may be wrong. */
  get generation(): number {
    return this.#line.generation;
  }

  /** Wall clock, milliseconds since the Unix epoch: the time of an observation. */
  now(): number {
    return this.#line.clock.now();
  }

  /** Milliseconds, for durations. */
  monotonic(): number {
    return this.#line.clock.monotonic();
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#line.clock.sleep(ms, signal);
  }

  /** A job on the line; its errors name the device. */
  run<T>(work: (session: ModbusSession) => Promise<T>, options: JobOptions): Promise<T> {
    return this.#line.run(work, options).catch(nameDevice(this.#device));
  }

  /**
   * A reading whose value counts. One exchange on a line without faults. Where replies to earlier requests could be
   * taken for this one's, `syncRequest` goes ahead (a question whose reply has another shape, refused or not), and the reading
   * is repeated until one more equal outcome was received than there are such replies: the last of them is given, with
   * the age of the first. A refusal is proven in the same way.
   *
   * @throws DeviceError `corrupt_response` with the reason `unproven` when the readings contradict each other for too
   *   long, and those of `ModbusSession.read`
   */
  async read(
    session: ModbusSession,
    request: ModbusRequest,
    syncRequest: ModbusRequest,
    { alwaysSynchronises = false, urgent, agree = isEqual }: ReadOptions = {},
  ): Promise<UnitReading> {
    const isSound = session.strayReplies(request) === 0;
    if (alwaysSynchronises || !isSound) await outcomeOf(session, syncRequest, urgent, () => this.now());
    const needed = session.strayReplies(request) + 1;
    const received: Outcome[] = [];
    // Each stray reply costs one reading at most; two more are for a state that changed meanwhile.
    for (let left = 2 * needed + 1; left > 0; left--) {
      const askedAt = this.monotonic();
      const outcome = await outcomeOf(session, request, urgent, () => this.now());
      if (isSound) this.replyMs = this.monotonic() - askedAt;
      received.push(outcome);
      const equal = received.filter((one) => saysSame(one, outcome, agree));
      const [first] = equal;
      if (equal.length < needed || !first) continue;
      // The last one: all of them agree with it, so it is within the tolerance of the one that is true.
      if ('data' in outcome && 'data' in first) return { data: outcome.data, observedAt: first.observedAt };
      if ('refusal' in outcome) throw outcome.refusal;
    }
    const message = `received no ${needed} equal readings in ${received.length} after a fault on the line; check supply, wiring (A/B) and that no other master is on this line`;
    throw this.fail('corrupt_response', message, { reason: 'unproven' });
  }

  /**
   * Asks what only the wanted device can answer.
   *
   * @param otherKind what to say of a device that does not know the question
   * @throws DeviceError `wrong_device` then, with the exception
   */
  async identify<T>(ask: () => Promise<T>, otherKind: string): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const exception = error instanceof DeviceError ? error.exception : undefined;
      if (exception === undefined || exception > ILLEGAL_VALUE) throw error;
      const message = `it answers with Modbus exception ${exception} where the wanted device would not: ${otherKind}`;
      throw this.fail('wrong_device', message, { exception, sent: true, cause: error });
    }
  }
}

async function outcomeOf(
  session: ModbusSession,
  request: ModbusRequest,
  urgent: UrgentRead | undefined,
  now: () => number,
): Promise<Outcome> {
  try {
    const data = await session.read(request, urgent);
    return { data, observedAt: now() };
  } catch (error) {
    if (error instanceof DeviceError && error.code === 'modbus_exception') return { refusal: error };
    throw error;
  }
}

const isEqual = (first: Uint8Array, second: Uint8Array): boolean => Buffer.compare(first, second) === 0;

function saysSame(one: Outcome, other: Outcome, agree: typeof isEqual): boolean {
  if ('data' in one && 'data' in other) return agree(one.data, other.data);
  return 'refusal' in one && 'refusal' in other && one.refusal.exception === other.refusal.exception;
}
