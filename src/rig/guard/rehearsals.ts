import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { RehearsalAnswer } from './bridge-watch.ts';
import { reactionReader } from './reaction.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

const ASK_EVERY_MS = 10_000;
const DAY_MS = 24 * 3_600_000;

/** `daily`: once the guard has been without a measurement for a day; `eager`: the first without waiting. */
export type Rehearse = 'never' | 'daily' | 'eager';

/** `SVC_GUARD_REHEARSE`: 0 never, 1 eager, not set daily. @throws ConfigError */
export function rehearseOf({
  SVC_GUARD_REHEARSE: value,
}: Readonly<Record<string, string | undefined>>): Rehearse {
  if (!value) return 'daily';
  if (value === '0') return 'never';
  if (value === '1') return 'eager';
  const message = 'must be 0 (never), 1 (the first without waiting), or not set (once a day)';
  throw new ConfigError('environment', [
    { path: 'SVC_GUARD_REHEARSE', value: JSON.stringify(value), message },
  ]);
}

export interface RehearsalsOptions {
  stateDir: string;
  clock: Clock;
  logger: Logger;
  isEager: boolean;
  /** Asks the bridge to act as if it stood still. It does so only where that is harmless and the rig is not in use. */
  ask: () => void;
}

/** Wall clock, milliseconds. */
interface Kept {
  /** A guard was there for the first time. */
  begun: number | undefined;
  rehearsed: number | undefined;
}

/**
 * Sees that the guard's own reaction is measured once a day. What counts is kept in the state folder, so that a restart of
 * the guard begins no new day: the last measurement, the last rehearsal, whatever came of it, and when a guard first began.
 */
export class Rehearsals {
  readonly #options: RehearsalsOptions;
  readonly #measured: ReturnType<typeof reactionReader>;
  readonly #path: string;
  readonly #kept: Kept;
  #toldWhyNot: string | undefined;
  #cancel = () => {};

  constructor(options: RehearsalsOptions) {
    this.#options = options;
    this.#measured = reactionReader(options.stateDir);
    this.#path = join(options.stateDir, 'guard-rehearsal.json');
    const { begun_at, rehearsed_at } = readStateFile(this.#path) ?? {};
    this.#kept = { begun: timeOf(begun_at), rehearsed: timeOf(rehearsed_at) };
  }

  start(): void {
    if (this.#past(this.#kept.begun) === undefined) this.#keep({ begun: this.#options.clock.now() });
    this.#next();
  }

  stop(): void {
    this.#cancel();
  }

  /** What the bridge said. One that tried and could not is not asked again before the next day. */
  answered({ tried, whyNot }: RehearsalAnswer): void {
    const { clock, logger } = this.#options;
    if (tried) this.#keep({ rehearsed: clock.now() });
    if (tried && whyNot !== undefined) logger.warn(`the rehearsal failed: ${whyNot}`);
    else if (whyNot !== undefined && whyNot !== this.#toldWhyNot)
      logger.info(`no rehearsal for now: ${whyNot}`);
    this.#toldWhyNot = whyNot;
  }

  #next(): void {
    const { clock, ask } = this.#options;
    this.#cancel = clock.after(ASK_EVERY_MS, () => {
      if (this.#isDue()) ask();
      this.#next();
    });
  }

  #isDue(): boolean {
    const { clock, isEager } = this.#options;
    const { begun, rehearsed } = this.#kept;
    const times = [timeOf(this.#measured()?.at), rehearsed, isEager ? undefined : begun];
    const last = Math.max(...times.map((time) => this.#past(time) ?? Number.NEGATIVE_INFINITY));
    return clock.now() - last >= DAY_MS;
  }

  /** A time that is still to come was written by a clock that was wrong. */
  #past(time: number | undefined): number | undefined {
    return time !== undefined && time <= this.#options.clock.now() ? time : undefined;
  }

  #keep(change: Partial<Kept>): void {
    Object.assign(this.#kept, change);
    const { begun, rehearsed } = this.#kept;
    try {
      writeStateFile(this.#path, { begun_at: isoOf(begun), rehearsed_at: isoOf(rehearsed) });
    } catch (fault) {
      this.#options.logger.warn(`when the guard rehearsed cannot be kept: ${reasonOf(fault)}`);
    }
  }
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const isoOf = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
