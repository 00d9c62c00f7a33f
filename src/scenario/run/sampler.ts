import type { SampleStatistics } from '../events/event.ts';
import { RunFault, toFault } from '../rig/fault.ts';
import type { Pos } from '../source/position.ts';
import type { GoalContext } from './goal-context.ts';
import { judgeBounds, wishesOfBounds } from './judge-bounds.ts';
import { calibrationMember, type Measured } from './measured.ts';
import { read } from './readings.ts';
import { Statistics } from './statistics.ts';
import type { Target } from './target.ts';
import { TimeLimit } from './time-limit.ts';

/** Share of good points below which a window says nothing (language specification, section 6.5). */
const MIN_GOOD = 0.9;

/** How much a sensor changed over a window. */
export interface Change {
  readonly value: number;
  readonly unit: string | null;
  readonly free: boolean;
  readonly simulated: boolean;
  readonly last: Measured;
}

/**
 * Reads one sensor at a fixed rate beside the other commands. Each point is due at start + n * interval, whatever the
 * ones before took; one that fails, or is due while the one before is still on its way, is a gap.
 */
export class Sampler {
  readonly target: Target;
  readonly intervalMs: number;
  readonly points: [t: number, value: number | null][] = [];
  readonly #unit: string | undefined;
  readonly #goal: GoalContext;
  readonly #pos: Pos;
  readonly #limit: TimeLimit;
  readonly #statistics = new Statistics();
  /** Monotonic ms of the points, beside `points`. */
  readonly #times: number[] = [];
  #startedAt = 0;
  #next = 0;
  #cancelTimer = () => {};
  #inFlight: Promise<void> | undefined;
  #last: Measured | undefined;
  #free = true;
  #simulated = false;
  #lastFault: RunFault | undefined;
  #running = false;

  constructor(target: Target, unit: string | undefined, intervalMs: number, pos: Pos, goal: GoalContext) {
    this.target = target;
    this.intervalMs = intervalMs;
    this.#unit = unit;
    this.#goal = goal;
    this.#pos = pos;
    this.#limit = new TimeLimit([goal.signal]);
  }

  get running(): boolean {
    return this.#running;
  }

  get unit(): string | null {
    return this.#last?.unit ?? this.#unit ?? null;
  }

  get free(): boolean {
    return this.#free && this.#last !== undefined;
  }

  get simulated(): boolean {
    return this.#simulated;
  }

  summary(): SampleStatistics {
    return this.#statistics.summary();
  }

  /** Values of the good points. */
  values(): number[] {
    return this.points.flatMap(([, value]) => (value === null ? [] : [value]));
  }

  /** Takes the first point; a dry-run waits for it, so that its time stands still meanwhile. */
  async start(): Promise<void> {
    this.#running = true;
    this.#startedAt = this.#goal.run.clock.monotonic();
    this.#tell('start', null);
    const first = this.#tick();
    if (this.#goal.run.dry) await first;
  }

  #due(n: number): number {
    return this.#startedAt + n * this.intervalMs;
  }

  /** What is due now: a point, and gaps for slots that have gone by. */
  #tick(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    const { clock } = this.#goal.run;
    const now = clock.monotonic();
    this.#next++;
    while (this.#due(this.#next) <= now) {
      this.#gap(undefined);
      this.#next++;
    }
    this.#cancelTimer = clock.after(this.#due(this.#next) - now, () => this.#tick());
    if (this.#inFlight) {
      this.#gap(undefined);
      return Promise.resolve();
    }
    this.#inFlight = this.#point().finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async #point(): Promise<void> {
    const goal = this.#goal;
    const at = goal.run.clock.monotonic();
    const t = goal.run.log.elapsedMs();
    const { signal } = this.#limit;
    let measured: Measured;
    try {
      const wishes = wishesOfBounds(this.target.key, goal);
      const ask = { unit: this.#last?.unit ?? this.#unit, wishes, background: true, signal, pos: this.#pos };
      measured = await read(this.target, ask, goal);
    } catch (thrown) {
      if (!signal.aborted) this.#gap(toFault(thrown), t, at);
      return;
    }
    if (signal.aborted) return;
    this.#last = measured;
    this.#free &&= measured.free;
    this.#simulated ||= measured.simulated;
    this.#statistics.add(measured.value);
    this.points.push([t, measured.value]);
    this.#times.push(at);
    this.#tell('point', measured.value);
    try {
      judgeBounds(measured, goal);
    } catch (thrown) {
      goal.abort(toFault(thrown));
    }
  }

  #gap(
    fault: RunFault | undefined,
    t = this.#goal.run.log.elapsedMs(),
    at = this.#goal.run.clock.monotonic(),
  ): void {
    this.#lastFault = fault ?? this.#lastFault;
    this.#statistics.gap();
    this.points.push([t, null]);
    this.#times.push(at);
    this.#tell('gap', null);
    // A wrong unit or an unknown name does not mend itself; a device that is silent may come back.
    if (fault && ['SCN222', 'SCN227', 'SCN240', 'SCN404', 'SCN411'].includes(fault.scn))
      this.#goal.abort(fault);
  }

  #tell(action: 'start' | 'point' | 'gap' | 'stop', value: number | null): void {
    const { run } = this.#goal;
    const stats = action === 'stop' ? this.summary() : null;
    run.emit(
      {
        type: 'sample',
        sensor: this.target.name,
        action,
        value,
        unit: this.unit,
        ...calibrationMember(this.#last ?? {}),
        stats,
      },
      this.#goal.place(this.#pos),
    );
  }

  /** Takes what is due, waits for what is on its way, and ends the window. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#cancelTimer();
    const { clock } = this.#goal.run;
    if (this.#due(this.#next) <= clock.monotonic()) {
      await this.#inFlight;
      const due = this.#tick();
      this.#cancelTimer();
      await due;
    }
    await this.#inFlight;
    this.#end();
  }

  /** Ends the window at once: the goal was ended. */
  cancel(): void {
    if (!this.#running) return;
    this.#cancelTimer();
    this.#limit.abort(new RunFault('SCN412', 'the goal has ended'));
    this.#end();
  }

  #end(): void {
    this.#running = false;
    this.#limit.end();
    this.#tell('stop', null);
    const { run, block } = this.#goal;
    run.series.push({
      sensor: this.target.name,
      goal: block.index,
      unit: this.unit,
      ...calibrationMember(this.#last ?? {}),
      points: this.points,
      stats: this.summary(),
    });
  }

  /** @throws RunFault SCN402 when too many points are missing */
  requireGood(): void {
    const { count, gaps } = this.#statistics;
    const all = count + gaps;
    if (all > 0 && count >= MIN_GOOD * all) return;
    const why = this.#lastFault ? `; last: ${this.#lastFault.message}` : '';
    throw new RunFault(
      'SCN402',
      `${this.target.name}: only ${count} of ${all} sample points are good, at least 90 % are needed${why}`,
    );
  }

  /** Change over the last `windowMs` up to now; undefined with fewer than two points. */
  change(windowMs: number): Change | undefined {
    // Points are due at whole intervals, the window ends anywhere: half an interval either way belongs to it.
    const from = this.#goal.run.clock.monotonic() - windowMs - this.intervalMs / 2;
    let first: number | undefined;
    let last: number | undefined;
    let count = 0;
    for (let i = this.points.length - 1; i >= 0 && this.#times[i]! >= from; i--) {
      const value = this.points[i]![1];
      if (value === null) continue;
      last ??= value;
      first = value;
      count++;
    }
    if (count < 2 || first === undefined || last === undefined || !this.#last) return undefined;
    return {
      value: last - first,
      unit: this.unit,
      free: this.#free,
      simulated: this.#simulated,
      last: this.#last,
    };
  }
}
