import type { Clock } from '../clock/clock.ts';
import type { LogFields, Logger } from '../log/logger.ts';

const SUMMARY_MS = 1000;

type Level = 'info' | 'warn' | 'error';

interface Counted {
  level: Level;
  /** Beside the one that was logged by itself. */
  more: number;
  /** Of the last one. */
  fields: LogFields;
}

/**
 * Logs requests that were not answered well: the first one of a reason as it is, those that follow within a second as one
 * line with their number. A client that is refused a thousand times a second must not fill the disk.
 */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  /** By reason. */
  readonly #counted = new Map<string, Counted>();

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** @param reason code of the problem and its status; few of them */
  log(reason: string, level: Level, message: string, fields: LogFields): void {
    const counted = this.#counted.get(reason);
    if (counted) {
      counted.more += 1;
      counted.fields = fields;
      return;
    }
    this.#logger[level](message, fields);
    this.#count(reason, level, fields);
  }

  #count(reason: string, level: Level, fields: LogFields): void {
    this.#counted.set(reason, { level, more: 0, fields });
    this.#clock.after(SUMMARY_MS, () => this.#summarize(reason));
  }

  #summarize(reason: string): void {
    const counted = this.#counted.get(reason);
    this.#counted.delete(reason);
    if (!counted || counted.more === 0) return;
    const { level, more, fields } = counted;
    this.#logger[level](`${more} more within 1 s: ${reason}`, { count: more, last: fields });
    // While it goes on, nothing but summaries is logged.
    this.#count(reason, level, fields);
  }
}
