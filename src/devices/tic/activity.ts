import { CodedError } from '../../lib/errors/coded-error.ts';
import type { DeviceError } from '../device-error.ts';
import type { Course } from './course.ts';
import type { Direction } from './requests.ts';
import type { TicVariables } from './variables.ts';

/** How a motion came to its end. */
export interface MotionEnd {
  /**
   * `arrived` at its target or home; `limit` at a limit switch; `stopped` by a stop; `handed_on` to the next motion;
   * `failed` for the reason in `error`.
   */
  reason: 'arrived' | 'limit' | 'stopped' | 'handed_on' | 'failed';
  /** The switch that ended it. */
  limit?: Direction;
  error?: DeviceError;
  /** Microsteps, as last read. */
  position: number;
  /** Wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

/** A motion that was seen to begin. Its promises never reject. */
export interface Motion {
  /** Microsteps, where it began. */
  readonly from: number;
  /** It came to rest, or was ended. */
  readonly ended: Promise<MotionEnd>;
  /** The motor is no longer held for it: de-energized, or with the next motion. The same as `ended` without `hold`. */
  readonly released: Promise<MotionEnd>;
}

/** What the driver keeps alive at present. */
export class Activity implements Motion {
  readonly ended: Promise<MotionEnd>;
  readonly released: Promise<MotionEnd>;
  readonly from: number;
  readonly holds: boolean;
  /** Only energized: any motion may follow. */
  readonly yields: boolean;
  course: Course;
  before: TicVariables;
  /** Monotonic, milliseconds. */
  stillSinceMs: number;
  /** When the last command that the command timeout counts from was sent; monotonic, milliseconds. */
  heardMs: number;
  /** Monotonic, milliseconds; Infinity without a limit. */
  endsAtMs = Number.POSITIVE_INFINITY;
  readonly #controller = new AbortController();
  #end: (end: MotionEnd) => void = () => {};
  #release: (end: MotionEnd) => void = () => {};

  constructor(options: {
    course: Course;
    from: number;
    holds: boolean;
    seen: TicVariables;
    nowMs: number;
    heardMs: number;
  }) {
    this.course = options.course;
    this.from = options.from;
    this.holds = options.holds;
    this.yields = options.course.kind === 'hold';
    this.before = options.seen;
    this.stillSinceMs = options.nowMs;
    this.heardMs = options.heardMs;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  /** Aborted when nothing may be done for this motion any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abandon(): void {
    this.#controller.abort();
  }

  observe(seen: TicVariables, nowMs: number): void {
    if (seen.position !== this.before.position) this.stillSinceMs = nowMs;
    this.before = seen;
  }

  /** At rest, and held. */
  rest(end: MotionEnd): void {
    this.course = { kind: 'hold' };
    this.#end(end);
  }

  finish(end: MotionEnd): void {
    this.abandon();
    this.#end(end);
    this.#release(end);
  }
}

/** What of an end reports why; `error` may also come from above the driver. */
export type HowEnded = Pick<MotionEnd, 'limit'> & { error?: unknown };

export interface MotionError {
  code: string;
  message: string;
}

/** What a person reads as the last motion's error; that somebody stopped it is none. */
export function errorText(error: unknown): MotionError | null {
  if (!(error instanceof CodedError)) return { code: 'device_error', message: String(error) };
  const { code, message } = error;
  return code === 'superseded' || code === 'aborted' ? null : { code, message };
}

/** The same of a whole motion; a switch that ended it is reported too. */
export function motionErrorOf({ error, limit }: HowEnded): MotionError | null {
  if (error !== undefined) return errorText(error);
  if (limit === undefined) return null;
  return { code: 'lung_limits_blocked', message: `The ${limit} limit switch ended the movement` };
}
