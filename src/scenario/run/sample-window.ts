import type { SampleStatistics } from '../events/event.ts';
import { RunFault } from '../rig/fault.ts';
import { inUnit, type Scale } from './convert-reading.ts';
import type { Measured } from './measured.ts';
import { Statistics } from './statistics.ts';

/** Share of good points below which a window says nothing. */
const MIN_GOOD = 0.9;
/** Durations are sums of binary fractions. */
const ROUNDING_MS = 1e-6;

/** One slot of the fixed rate: a point, a gap, or a reading that is still on its way. */
export interface Slot {
  /** Monotonic ms at which it was due. */
  readonly dueMs: number;
  /** Milliseconds since the start of the run at which it was read. */
  readonly t: number;
  /** The good reading with its raw value; null for a gap, undefined on its way. */
  measured: Measured | null | undefined;
  /** A gap because the sensor was at the end of its range. */
  beyondRange: boolean;
}

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
  readonly #slots: Slot[] = [];
  #lastFault: RunFault | undefined;
  #byUnit: { slots: number; unit: string | undefined; summary: SampleStatistics } | undefined;

  constructor(name: string, intervalMs: number, scale: Scale | undefined) {
    this.#name = name;
    this.#intervalMs = intervalMs;
    this.#scale = scale;
  }

  open(dueMs: number, t: number): Slot {
    const slot: Slot = { dueMs, t, measured: undefined, beyondRange: false };
    this.#slots.push(slot);
    return slot;
  }

  setPoint(slot: Slot, measured: Measured): void {
    slot.measured = measured;
    this.#byUnit = undefined;
  }

  setGap(slot: Slot, fault: RunFault): void {
    slot.measured = null;
    slot.beyondRange = fault.beyondRange;
    this.#lastFault = fault;
    this.#byUnit = undefined;
  }

  get #settled(): Slot[] {
    return this.#slots.filter(({ measured }) => measured !== undefined);
  }

  #good(slots: readonly Slot[] = this.#slots): Measured[] {
    return slots.flatMap(({ measured }) => measured ?? []);
  }

  /** For the record: time since the start of the run, and value in the unit that was sampled. */
  points(): [t: number, value: number | null][] {
    return this.#settled.map(({ t, measured }) => [t, measured?.value ?? null]);
  }

  get simulated(): boolean {
    return this.#good().some(({ simulated }) => simulated);
  }

  /** The good points. */
  readings(): readonly Measured[] {
    return this.#good();
  }

  /** Computed from the points in that unit. @throws RunFault SCN227, SCN240, SCN402 when one has no value there */
  summary(unit?: string): SampleStatistics {
    const known = this.#byUnit;
    if (known && known.unit === unit && known.slots === this.#slots.length) return known.summary;
    const values = this.#good().map((one) => this.#in(one, unit).value);
    const summary = Statistics.of(values, this.#settled.length - values.length).summary();
    this.#byUnit = { slots: this.#slots.length, unit, summary };
    return summary;
  }

  #in(measured: Measured, unit: string | undefined): Measured {
    return inUnit(measured, unit, this.#scale);
  }

  /** @throws RunFault SCN402 when too many points are missing, or one lies beyond what can be measured */
  requireGood(): void {
    const slots = this.#settled;
    this.#requireInRange(slots);
    this.#requireShare(this.#good(slots).length, slots.length, '');
  }

  #requireInRange(slots: readonly Slot[]): void {
    const beyond = slots.filter((slot) => slot.beyondRange).length;
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
    let begin = this.#slots.length;
    while (begin > 0 && this.#slots[begin - 1]!.dueMs >= fromMs) begin--;
    const slots = this.#slots
      .slice(begin)
      .filter(({ dueMs, measured }) => dueMs <= endMs && measured !== undefined);
    return this.#changeOf(slots, windowMs, unit);
  }

  /** Change over all points so far. @throws as `change` */
  wholeChange(unit: string | undefined): Change {
    const slots = this.#settled;
    const windowMs = slots.length < 2 ? 0 : slots.at(-1)!.dueMs - slots[0]!.dueMs;
    return this.#changeOf(slots, windowMs, unit);
  }

  #changeOf(slots: readonly Slot[], windowMs: number, unit: string | undefined): Change {
    this.#requireInRange(slots);
    const good = slots.filter(({ measured }) => measured);
    const [first] = good;
    const last = good.at(-1);
    if (!first?.measured || !last?.measured || good.length < 2)
      throw new RunFault(
        'SCN402',
        `${this.#name}: a change needs at least two valid sample points, found ${good.length}; sample faster or longer${this.#because()}`,
      );
    const spanMs = last.dueMs - first.dueMs;
    if (spanMs < windowMs - this.#intervalMs - ROUNDING_MS)
      throw new RunFault(
        'SCN402',
        `${this.#name}: the valid sample points span ${round(spanMs)} ms of the window of ${round(windowMs)} ms; sample for the full window first${this.#because()}`,
      );
    const expected = Math.max(slots.length, Math.floor(windowMs / this.#intervalMs + ROUNDING_MS));
    this.#requireShare(good.length, expected, ' of the window');
    const [begin, end] = [this.#in(first.measured, unit), this.#in(last.measured, unit)];
    return { value: end.value - begin.value, unit: end.unit, last: end };
  }
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
