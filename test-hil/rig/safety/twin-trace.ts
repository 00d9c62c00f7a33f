import { closeSync, openSync, readSync } from 'node:fs';
import type { TraceEntry } from '../../../src/bench/trace/trace-entry.ts';

/** When the outputs changed, and whether any of them was on from then. */
export interface Change {
  /** Wall clock, milliseconds. */
  atMs: number;
  on: string[];
}

/** A rig without a lung has nobody to de-energize it. */
export interface Watched {
  lung: boolean;
}

/**
 * What the twins did, from the file that they write before they go on: it is whole whichever process was killed. Read
 * on from where it was left.
 */
export class TwinTrace {
  readonly #file: number;
  readonly #watched: Watched;
  readonly #coils = new Set<number>();
  #pump = 0;
  #lung = { velocity: 0, energized: false };
  #rest = '';
  readonly changes: Change[] = [];

  constructor(path: string, watched: Watched) {
    this.#file = openSync(path, 'r');
    this.#watched = watched;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Reads what has come since the last call. @returns its entries */
  advance(): TraceEntry[] {
    const buffer = Buffer.alloc(65_536);
    let text = this.#rest;
    for (;;) {
      const count = readSync(this.#file, buffer, 0, buffer.length, null);
      if (count === 0) break;
      text += buffer.toString('utf8', 0, count);
    }
    const lines = text.split('\n');
    this.#rest = lines.pop() ?? '';
    const entries = lines.map((line) => JSON.parse(line) as TraceEntry);
    for (const entry of entries) this.#follow(entry);
    return entries;
  }

  /** Outputs that are on now. */
  get on(): string[] {
    const coils = [...this.#coils].sort().map((coil) => `coil ${coil}`);
    const pump = this.#pump > 0 ? [`pump ${this.#pump.toFixed(2)}`] : [];
    const { velocity, energized } = this.#lung;
    const lung = this.#watched.lung
      ? [...(velocity === 0 ? [] : ['lung moves']), ...(energized ? ['lung energized'] : [])]
      : [];
    return [...coils, ...pump, ...lung];
  }

  /**
   * Milliseconds from `sinceMs` until the outputs were off for the rest of the trace: 0 when none was on from then,
   * undefined while one is on. @param sinceMs wall clock
   */
  offForGoodMs(sinceMs: number): number | undefined {
    if (this.on.length > 0) return undefined;
    const lastOn = this.changes.findLastIndex(({ on }) => on.length > 0);
    const offSince = this.changes[lastOn + 1]?.atMs ?? Number.NEGATIVE_INFINITY;
    return Math.max(0, offSince - sinceMs);
  }

  /**
   * Milliseconds from `sinceMs` until those outputs were off for the first time, undefined when they never were.
   * @param sinceMs wall clock @param scope how their names begin
   */
  firstOffMs(sinceMs: number, scope: string): number | undefined {
    const isOff = ({ on }: Change) => !on.some((name) => name.startsWith(scope));
    const before = this.changes.findLast(({ atMs }) => atMs <= sinceMs);
    if (before === undefined || isOff(before)) return 0;
    const off = this.changes.find((change) => change.atMs > sinceMs && isOff(change));
    return off && off.atMs - sinceMs;
  }

  /** Outputs that were on at that moment. @param atMs wall clock */
  onAt(atMs: number): readonly string[] {
    return this.changes.findLast((change) => change.atMs <= atMs)?.on ?? [];
  }

  #follow({ kind, coil, on, fraction, velocity, energized, at }: TraceEntry): void {
    if (kind === 'coil' && coil !== undefined) {
      if (on) this.#coils.add(coil);
      else this.#coils.delete(coil);
    } else if (kind === 'drive') this.#pump = fraction ?? 0;
    else if (kind === 'motion') this.#lung = { velocity: velocity ?? 0, energized: energized ?? false };
    else return;
    this.changes.push({ atMs: Date.parse(at), on: this.on });
  }
}
