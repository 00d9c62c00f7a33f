import { ConversionLedger } from '../rig/conversion.ts';
import { RunFault, toFault } from '../rig/fault.ts';
import type { Pos } from '../source/position.ts';
import type { GoalContext } from './goal-context.ts';
import { judgeBounds } from './judge-bounds.ts';
import { calibrationMember, type Measured } from './measured.ts';
import { read } from './readings.ts';
import { SampleWindow } from './sample-window.ts';
import type { Target } from './target.ts';
import { TimeLimit } from './time-limit.ts';

/** Timers are no more exact than this; points of sensors whose sampling began within it are due together. */
const STEP_MS = 2;
/** Of a faster rate a step is too large a part. */
const FAST_MS = 10;

function stepBefore(momentMs: number, intervalMs: number): number {
  const stepMs = intervalMs < FAST_MS ? 1 : STEP_MS;
  return Math.floor(momentMs / stepMs) * stepMs;
}

/**
 * Reads one sensor at a fixed rate beside the other commands. The first point is due at the start, the others at whole
 * intervals behind the step of the clock in which that was, so that those of several sensors are due together, whatever the
 * ones before took; one that fails, that shows a conversion which was a point already, or is due while the one before
 * is still on its way, is a gap.
 */
export class Sampler {
  readonly target: Target;
  readonly intervalMs: number;
  readonly window: SampleWindow;
  readonly #unit: string | undefined;
  readonly #goal: GoalContext;
  readonly #pos: Pos;
  readonly #limit: TimeLimit;
  readonly #conversions = new ConversionLedger();
  #startedAt = 0;
  /** From which the points behind the first are counted. */
  #gridStart = 0;
  #next = 0;
  #cancelTimer = () => {};
  #inFlight: Promise<void> | undefined;
  #last: Measured | undefined;
  #running = false;
  #slowFault: RunFault | undefined;

  constructor(target: Target, unit: string | undefined, intervalMs: number, pos: Pos, goal: GoalContext) {
    this.target = target;
    this.intervalMs = intervalMs;
    const scale = goal.run.scaleOf(target.kind === 'sensor' ? target.sensor : undefined);
    this.window = new SampleWindow(target.name, intervalMs, scale);
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

  /** Takes the first point, without waiting for it. */
  start(): void {
    this.#running = true;
    const { clock } = this.#goal.run;
    this.#startedAt = clock.monotonic();
    this.#gridStart = clock.isVirtual ? this.#startedAt : stepBefore(this.#startedAt, this.intervalMs);
    this.#report('start', null);
    void this.#tick();
  }

  #due(n: number): number {
    return n === 0 ? this.#startedAt : this.#gridStart + n * this.intervalMs;
  }

  /** What is due now: a point, and gaps for slots that have gone by. */
  #tick(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    const { clock } = this.#goal.run;
    const now = clock.monotonic();
    this.#next++;
    while (this.#due(this.#next) <= now) {
      this.#gap(this.#slot(), this.#slow());
      this.#next++;
    }
    const due = this.#due(this.#next);
    this.#cancelTimer = this.#goal.run.sampleTimers.at(due, () => this.#tick());
    const slot = this.#slot();
    if (this.#inFlight !== undefined) {
      this.#gap(slot, this.#slow());
      return Promise.resolve();
    }
    this.#inFlight = this.#point(slot).finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  #slot(): number {
    return this.window.open(this.#due(this.#next - 1), this.#goal.run.log.elapsedMs());
  }

  async #point(slot: number): Promise<void> {
    const goal = this.#goal;
    const { signal } = this.#limit;
    let measured: Measured;
    try {
      const ask = { unit: this.#last?.unit ?? this.#unit, background: true, signal, pos: this.#pos };
      measured = await read(this.target, ask, goal);
    } catch (thrown) {
      if (!signal.aborted) this.#gap(slot, toFault(thrown));
      return;
    }
    if (signal.aborted) return;
    if (measured.conversion && !this.#conversions.take(measured.conversion)) {
      this.#gap(slot, this.#repeated(measured));
      return;
    }
    this.#last = measured;
    this.window.setPoint(slot, measured);
    this.#report('point', measured.value);
    try {
      judgeBounds(measured, goal);
    } catch (thrown) {
      goal.abort(toFault(thrown));
    }
  }

  /** Made once: there are most of them when the machine has no time. */
  #slow(): RunFault {
    this.#slowFault ??= new RunFault(
      'SCN402',
      `the previous reading took longer than ${this.intervalMs} ms; sample ${this.target.name} more slowly`,
    );
    return this.#slowFault;
  }

  #repeated({ at }: Measured): RunFault {
    return new RunFault(
      'SCN402',
      `the conversion of ${at} was already sampled; sample ${this.target.name} no faster than its converter delivers new values`,
    );
  }

  #gap(slot: number, fault: RunFault): void {
    this.window.setGap(slot, fault);
    this.#report('gap', null);
    // A wrong unit or an unknown name does not mend itself; a device that is silent may come back.
    if (['SCN222', 'SCN227', 'SCN240', 'SCN404', 'SCN411'].includes(fault.scn)) this.#goal.abort(fault);
  }

  #report(action: 'start' | 'point' | 'gap' | 'stop', value: number | null): void {
    const { run } = this.#goal;
    const stats = action === 'stop' ? this.window.summary() : null;
    run.emit(
      {
        type: 'sample',
        sensor: this.target.name,
        action,
        value,
        unit: this.unit,
        stats,
        ...calibrationMember(this.#last ?? {}),
      },
      this.#goal.place(this.#pos),
    );
  }

  /** Takes what is due and waits for what is on its way, so that the points up to now are there. */
  async settle(): Promise<void> {
    if (!this.#running) return;
    if (this.#isDue()) await this.#inFlight;
    if (this.#isDue()) {
      this.#cancelTimer();
      await this.#tick();
    }
    await this.#inFlight;
  }

  #isDue(): boolean {
    return this.#running && this.#due(this.#next) <= this.#goal.run.clock.monotonic();
  }

  /** Takes what is due, waits for what is on its way, and ends the window. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#cancelTimer();
    if (this.#isDue()) {
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
    this.#report('stop', null);
    const { run, block } = this.#goal;
    run.series.push({
      sensor: this.target.name,
      goal: block.index,
      unit: this.unit,
      ...calibrationMember(this.#last ?? {}),
      points: this.window.points(),
      stats: this.window.summary(),
    });
  }
}
