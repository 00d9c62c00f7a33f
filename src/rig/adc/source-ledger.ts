import { statSync } from 'node:fs';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { LOGICAL_NAMES, type LogicalName } from './settings.ts';
import {
  type ChannelSource,
  isSameSource,
  readSourceFile,
  type SourceFile,
  type Sources,
  sourcePath,
  writeSourceFile,
} from './source.ts';

/** Thousands of requests a second for one kept sample share a look at the file. */
const LONGEST_LOOK_MS = 20;

/**
 * Keeps the fingerprint of the sources for the stack service, and says for each channel whether the pressure calibration
 * was confirmed for its source. What cannot be read or kept is never confirmed.
 */
export class SourceLedger {
  readonly #stateDir: string;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  #current: Sources;
  #file: SourceFile | undefined;
  #stamp: string | undefined;
  /** When the stamp was taken, monotonic clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #fault: string | undefined;

  constructor(options: { stateDir: string; sources: Sources; log: (line: string) => void; clock?: Clock }) {
    this.#stateDir = options.stateDir;
    this.#path = sourcePath(options.stateDir);
    this.#clock = options.clock ?? systemClock;
    this.#current = options.sources;
    this.#log = options.log;
  }

  /** Why nothing is known of a confirmation; null when the file is sound. */
  get fault(): string | null {
    this.#refresh();
    return this.#fault ?? null;
  }

  get isConfirmationRequired(): boolean {
    return LOGICAL_NAMES.some((name) => !this.isConfirmed(name));
  }

  /**
   * @param maxAgeMs of the sample that is asked for, milliseconds; what is known of the file may be as old, up to 20 ms
   */
  isConfirmed(channel: LogicalName, maxAgeMs = 0): boolean {
    const lookMs = Math.min(maxAgeMs, LONGEST_LOOK_MS);
    if (lookMs <= 0 || this.#clock.monotonic() - this.#lookedAt > lookMs) this.#refresh();
    return this.#fault === undefined && isSameSource(this.#current[channel], this.#file?.confirmed[channel]);
  }

  /** Writes down the sources of this start. Those on board are the baseline of a first start. */
  begin(): void {
    this.#keeping(() => {
      const known = readSourceFile(this.#stateDir);
      this.#write(known ?? { confirmed: this.#baseline(), confirmed_at: null });
    });
    if (this.#fault !== undefined) this.#log(`the calibration counts as not confirmed: ${this.#fault}`);
    else if (this.isConfirmationRequired)
      this.#log('the sources of the voltages are not the confirmed ones; run svcctl adc-confirm');
  }

  /** The bank has said who it is. */
  noteBank(bankId: string): void {
    const isNews = (source: ChannelSource) => source.adapter === 'bank' && source.bank_id !== bankId;
    if (!Object.values(this.#current).some(isNews)) return;
    const named = Object.entries(this.#current).map(([name, source]) => [
      name,
      isNews(source) ? { ...source, bank_id: bankId } : source,
    ]);
    this.#current = Object.fromEntries(named) as Sources;
    this.#keeping(() => {
      const known = readSourceFile(this.#stateDir);
      this.#write(known ?? { confirmed: {}, confirmed_at: null });
    });
  }

  #baseline(): SourceFile['confirmed'] {
    const onBoard = Object.entries(this.#current).filter(([, { adapter }]) => adapter !== 'bank');
    return Object.fromEntries(onBoard);
  }

  #write({ confirmed, confirmed_at }: Pick<SourceFile, 'confirmed' | 'confirmed_at'>): void {
    writeSourceFile(this.#stateDir, { schema_version: 1, current: this.#current, confirmed, confirmed_at });
  }

  /** The file, when it was written since: a confirmation is made by another process. */
  #refresh(): void {
    this.#lookedAt = this.#clock.monotonic();
    const stamp = this.#stampNow();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#keeping(() => {
      this.#file = readSourceFile(this.#stateDir);
      if (!this.#file) throw new Error(`${this.#path} is not there; restart svc-adc-stack to write it`);
    });
  }

  #stampNow(): string {
    try {
      const { mtimeMs, size, ino } = statSync(this.#path);
      return `${mtimeMs} ${size} ${ino}`;
    } catch (cause) {
      return messageOf(cause);
    }
  }

  /** A fault is kept and shown, until the file changes; the voltages are served all the same. */
  #keeping(work: () => void): void {
    try {
      work();
      this.#fault = undefined;
    } catch (cause) {
      this.#fault = messageOf(cause);
      this.#stamp = this.#stampNow();
    }
  }
}
