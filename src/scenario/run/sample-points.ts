import type { Measured } from './measured.ts';

const ON_ITS_WAY = 0;
const POINT = 1;
const GAP = 2;
/** A gap because the sensor was at the end of its range. */
const BEYOND_RANGE = 3;

const FIRST_ROOM = 64;

/** What points of one sensor have in common, all but their numbers and times, is kept once. */
const COMMON = [
  'sensor',
  'key',
  'unit',
  'rawUnit',
  'measure',
  'recompute',
  'source',
  'simulated',
  'bench',

  'calibration',
  'resolution',
] as const satisfies readonly (keyof Measured)[];

type Own = 'value' | 'raw' | 'at' | 'ageMs' | 'conversion';
/** A member of a reading that is kept neither way does not compile. */
const FORGOTTEN: Record<Exclude<keyof Measured, (typeof COMMON)[number] | Own>, never> = {};
void FORGOTTEN;

const isAlike = (one: Measured, other: Measured): boolean =>
  COMMON.every((name) => one[name] === other[name]);

/**
 * The slots of a sampled sensor in the order of time, in columns: 16 sensors at 100 Hz are six million an hour, and as objects
 * they would be more than the memory of a rig.
 */
export class SamplePoints {
  #count = 0;
  #dueMs = new Float64Array(FIRST_ROOM);
  #t = new Float64Array(FIRST_ROOM);
  #value = new Float64Array(FIRST_ROOM);
  /** NaN where there is none: a reading is a finite number. */
  #raw = new Float64Array(FIRST_ROOM);
  #ageMs = new Float64Array(FIRST_ROOM);
  /** Milliseconds since the Unix epoch; NaN for a time that is written in another way, which `#times` has. */
  #atMs = new Float64Array(FIRST_ROOM);
  #state = new Uint8Array(FIRST_ROOM);
  #kind = new Uint32Array(FIRST_ROOM);
  readonly #times = new Map<number, string>();
  readonly #kinds: Measured[] = [];
  #simulated = false;

  get count(): number {
    return this.#count;
  }

  /** Whether any point is. */
  get simulated(): boolean {
    return this.#simulated;
  }

  /** @param dueMs monotonic @param t since the start of the run @returns its place */
  open(dueMs: number, t: number): number {
    if (this.#count === this.#dueMs.length) this.#grow();
    const at = this.#count++;
    this.#dueMs[at] = dueMs;
    this.#t[at] = t;
    return at;
  }

  setPoint(at: number, measured: Measured): void {
    const { value, raw, ageMs } = measured;
    this.#value[at] = value;
    this.#raw[at] = raw ?? Number.NaN;
    this.#ageMs[at] = ageMs;
    const atMs = Date.parse(measured.at);
    const isPlain = Number.isFinite(atMs) && new Date(atMs).toISOString() === measured.at;
    this.#atMs[at] = isPlain ? atMs : Number.NaN;
    if (!isPlain) this.#times.set(at, measured.at);
    const last = this.#kinds.at(-1);
    if (!last || !isAlike(last, measured)) {
      const { conversion: _used, ...kind } = measured;
      this.#kinds.push(kind);
    }
    this.#kind[at] = this.#kinds.length - 1;
    this.#state[at] = POINT;
    this.#simulated ||= measured.simulated;
  }

  setGap(at: number, beyondRange: boolean): void {
    this.#state[at] = beyondRange ? BEYOND_RANGE : GAP;
  }

  isSettled(at: number): boolean {
    return this.#state[at] !== ON_ITS_WAY;
  }

  isPoint(at: number): boolean {
    return this.#state[at] === POINT;
  }

  isBeyondRange(at: number): boolean {
    return this.#state[at] === BEYOND_RANGE;
  }

  dueMs(at: number): number {
    return this.#dueMs[at]!;
  }

  t(at: number): number {
    return this.#t[at]!;
  }

  /** In the unit that was sampled; null where there is no point. */
  value(at: number): number | null {
    return this.isPoint(at) ? this.#value[at]! : null;
  }

  /** Undefined where there is no point. */
  measured(at: number): Measured | undefined {
    const kind = this.isPoint(at) ? this.#kinds[this.#kind[at]!] : undefined;
    if (!kind) return undefined;
    const raw = this.#raw[at]!;
    return {
      ...kind,
      value: this.#value[at]!,
      raw: Number.isNaN(raw) ? null : raw,
      at: this.#times.get(at) ?? new Date(this.#atMs[at]!).toISOString(),
      ageMs: this.#ageMs[at]!,
    };
  }

  #grow(): void {
    const grown = (old: Float64Array<ArrayBuffer>) => {
      const wider = new Float64Array(2 * old.length);
      wider.set(old);
      return wider;
    };
    this.#dueMs = grown(this.#dueMs);
    this.#t = grown(this.#t);
    this.#value = grown(this.#value);
    this.#raw = grown(this.#raw);
    this.#ageMs = grown(this.#ageMs);
    this.#atMs = grown(this.#atMs);
    const [state, kind] = [this.#state, this.#kind];
    this.#state = new Uint8Array(2 * state.length);
    this.#state.set(state);
    this.#kind = new Uint32Array(2 * kind.length);
    this.#kind.set(kind);
  }
}
