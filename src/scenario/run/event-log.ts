import type { Clock } from '../../lib/clock/clock.ts';
import type { EventBody, RunEvent } from '../events/event.ts';
import type { RigMarks } from '../rig/rig.ts';
import type { Pos } from '../source/position.ts';

/** What an event is about. */
export interface Place {
  readonly goal: number | null;
  readonly pos: Pos | null;
}

export const NOWHERE: Place = { goal: null, pos: null };

interface Held {
  readonly body: EventBody;
  readonly place: Place;
  readonly t: number;
  readonly time: string;
}

/** Numbers, stamps and marks the events of one run and hands them on in order. */
export class EventLog {
  /** Those that are kept. */
  readonly events: RunEvent[] = [];
  readonly #clock: Clock;
  readonly #sink: (event: RunEvent) => void;
  readonly #keeps: (event: RunEvent) => boolean;
  #count = 0;
  readonly #startedAt: number;
  readonly #held: Held[] = [];
  #holding = true;
  #stamped = Number.NaN;
  #stamp = '';
  #marks: RigMarks = { simulated: false, bench: false };

  constructor(clock: Clock, sink: (event: RunEvent) => void, keeps: (event: RunEvent) => boolean) {
    this.#clock = clock;
    this.#sink = sink;
    this.#keeps = keeps;
    this.#startedAt = clock.monotonic();
  }

  /** Milliseconds since the start of the run. */
  elapsedMs(): number {
    return Math.round((this.#clock.monotonic() - this.#startedAt) * 1000) / 1000;
  }

  get marks(): RigMarks {
    return this.#marks;
  }

  /** What the events from now on came from. A mark is never taken back. */
  mark({ simulated = false, bench = false, devices = this.#marks.devices }: Partial<RigMarks>): void {
    this.#marks = {
      simulated: this.#marks.simulated || simulated,
      bench: this.#marks.bench || bench,
      ...(devices ? { devices } : {}),
    };
  }

  emit(body: EventBody, place: Place): void {
    const entry = { body, place, t: this.elapsedMs(), time: this.#isoTime() };
    if (this.#holding) this.#held.push(entry);
    else this.#send(entry);
  }

  /** Many events share a millisecond, and writing a date is the dearest part of an event. */
  #isoTime(): string {
    const ms = Math.floor(this.#clock.now());
    if (ms !== this.#stamped) {
      this.#stamped = ms;
      this.#stamp = new Date(ms).toISOString();
    }
    return this.#stamp;
  }

  /** Lets go of the events so far: it is known by now what kind of rig they are about, and every event is to say so. */
  release(): void {
    this.#holding = false;
    for (const entry of this.#held.splice(0)) this.#send(entry);
  }

  #send({ body, place, t, time }: Held): void {
    const { simulated, bench, devices } = this.#marks;
    const event: RunEvent = {
      seq: this.#count++,
      t,
      time,
      goal: place.goal,
      pos: place.pos,
      ...body,
      ...(body.type === 'run.start' && devices ? { devices } : {}),
      simulated: simulated || ('simulated' in body && body.simulated),
      ...(bench || ('bench' in body && body.bench) ? { bench: true } : {}),
    };
    if (this.#keeps(event)) this.events.push(event);
    this.#sink(event);
  }
}
