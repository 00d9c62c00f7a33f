import type { SampleStatistics } from '../events/event.ts';
import { RunFault } from '../rig/fault.ts';
import { inUnit, type Scale } from './convert-reading.ts';
import type { Measured } from './measured.ts';
import { SamplePoints } from './sample-points.ts';
import { Statistics } from './statistics.ts';

/** Share of good points below which a window says nothing. */
const MIN_GOOD = 0.9;
/** Durations are sums of binary fractions. */
const ROUNDING_MS = 1e-6;

/** How much a sensor changed over a window. */
export interface Change {
  readonly value: number;
  readonly unit: string | null;
  readonly last: Measured;
}

/** The points of one sampled sensor. They keep their raw values, so that any unit can be asked of them later. */
export class SampleWindow {
  readonly #name: string;
  readonly #intervalMs: number;
  readonly #scale: Scale | undefined;
  readonly #points = new SamplePoints();
  #lastFault: RunFault | undefined;
  #byUnit: { slots: number; unit: string | undefined; summary: SampleStatistics } | undefined;

  constructor(name: string, intervalMs: number, scale: Scale | undefined) {
    this.#name = name;
    this.#intervalMs = intervalMs;
    this.#scale = scale;
  }

  /**
   * A slot of the fixed rate, whose reading is on its way.
   * @param dueMs monotonic ms at which it was due @param t milliseconds since the start of the run at which it is read
   * @returns its place
   */
  open(dueMs: number, t: number): number {
    return this.#points.open(dueMs, t);
  }

  setPoint(slot: number, measured: Measured): void {
    this.#points.setPoint(slot, measured);
    this.#byUnit = undefined;
  }

  setGap(slot: number, fault: RunFault): void {
    this.#points.setGap(slot, fault.beyondRange);
    this.#lastFault = fault;
    this.#byUnit = undefined;
  }

  /** Slots with a point or a gap, from the first or from `begin` on. */
  #settled(begin = 0): number[] {
    const slots: number[] = [];
    for (let at = begin; at < this.#points.count; at++) if (this.#points.isSettled(at)) slots.push(at);
    return slots;
  }

  /** For the record: time since the start of the run, and value in the unit that was sampled. */
  points(): [t: number, value: number | null][] {
    return this.#settled().map((at) => [this.#points.t(at), this.#points.value(at)]);
  }

  get simulated(): boolean {
    return this.#points.simulated;
  }

  /** The good points. */
  readings(): readonly Measured[] {
    return this.#settled().flatMap((at) => this.#points.measured(at) ?? []);
  }

  /** Computed from the points in that unit. @throws RunFault SCN227, SCN240, SCN402 when one has no value there */
  summary(unit?: string): SampleStatistics {
    const known = this.#byUnit;
    if (known && known.unit === unit && known.slots === this.#points.count) return known.summary;
    const slots = this.#settled();
    const values: number[] = [];
    for (const at of slots) {
      const value = this.#valueIn(at, unit);
      if (value !== null) values.push(value);
    }
    const summary = Statistics.of(values, slots.length - values.length).summary();
    this.#byUnit = { slots: this.#points.count, unit, summary };
    return summary;
  }

  /** An hour of points is not made objects of when no unit is asked for: meanwhile no lease is renewed. */
  #valueIn(at: number, unit: string | undefined): number | null {
    if (unit === undefined) return this.#points.value(at);
    const measured = this.#points.measured(at);
    return measured ? this.#in(measured, unit).value : null;
  }

  #in(measured: Measured, unit: string | undefined): Measured {
    return inUnit(measured, unit, this.#scale);
  }

  /** @throws RunFault SCN402 when too many points are missing, or one lies beyond what can be measured */
  requireGood(): void {
    const slots = this.#settled();
    this.#requireInRange(slots);
    this.#requireShare(this.#good(slots).length, slots.length, '');
  }

  #good(slots: readonly number[]): number[] {
    return slots.filter((at) => this.#points.isPoint(at));
  }

  #requireInRange(slots: readonly number[]): void {
    const beyond = slots.filter((at) => this.#points.isBeyondRange(at)).length;
    if (beyond === 0) return;
    throw new RunFault(
      'SCN402',
      `${this.#name}: ${beyond} of ${slots.length} sample points are outside the sensor's measuring range, so the window has no values${this.#because()}`,
      { beyondRange: true },
    );
  }

  #requireShare(good: number, expected: number, where: string): void {
    if (expected > 0 && good >= MIN_GOOD * expected) return;
    throw new RunFault(
      'SCN402',
      `${this.#name}: only ${good} of ${expected} sample points${where} are valid; at least 90 % are required${this.#because()}`,
    );
  }

  #because(): string {
    return this.#lastFault ? `; last: ${this.#lastFault.message}` : '';
  }

  /**
   * Change over the last `windowMs` before `endMs`.
   * @throws RunFault SCN402 when good points do not span the window less one interval, or are fewer than 90 %
   */
  change(windowMs: number, endMs: number, unit: string | undefined): Change {
    // Points are due at whole intervals, the window ends anywhere: half an interval at its start belongs to it.
    const fromMs = endMs - windowMs - this.#intervalMs / 2;
    let begin = this.#points.count;
    while (begin > 0 && this.#points.dueMs(begin - 1) >= fromMs) begin--;
    const slots = this.#settled(begin).filter((at) => this.#points.dueMs(at) <= endMs);
    return this.#changeOf(slots, windowMs, unit);
  }

  /** Change over all points so far. @throws as `change` */
  wholeChange(unit: string | undefined): Change {
    const slots = this.#settled();
    const windowMs = slots.length < 2 ? 0 : this.#points.dueMs(slots.at(-1)!) - this.#points.dueMs(slots[0]!);
    return this.#changeOf(slots, windowMs, unit);
  }

  #changeOf(slots: readonly number[], windowMs: number, unit: string | undefined): Change {
    this.#requireInRange(slots);
    const good = this.#good(slots);
    const [first = -1] = good;
    const last = good.at(-1) ?? -1;
    const [earliest, latest] = [this.#points.measured(first), this.#points.measured(last)];
    if (!earliest || !latest || good.length < 2)
      throw new RunFault(
        'SCN402',
        `${this.#name}: a change needs at least two valid sample points, found ${good.length}; sample faster or longer${this.#because()}`,
      );
    const spanMs = this.#points.dueMs(last) - this.#points.dueMs(first);
    if (spanMs < windowMs - this.#intervalMs - ROUNDING_MS)
      throw new RunFault(
        'SCN402',
        `${this.#name}: the valid sample points span ${round(spanMs)} ms of the window of ${round(windowMs)} ms; sample for the full window first${this.#because()}`,
      );
    const expected = Math.max(slots.length, Math.floor(windowMs / this.#intervalMs + ROUNDING_MS));
    this.#requireShare(good.length, expected, ' of the window');
    const [begin, end] = [this.#in(earliest, unit), this.#in(latest, unit)];
    return { value: end.value - begin.value, unit: end.unit, last: end };
  }
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
