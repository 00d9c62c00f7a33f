import { copyFile, stat, truncate } from 'node:fs/promises';
import type { Clock } from '../clock/clock.ts';

const LOOK_MS = 5000;
const BYTES_OF_MB = 1_000_000;

export interface LogFilesOptions {
  /** Files that a supervisor appends the output of this process to. */
  paths: readonly string[];
  /** Size of one of them with the one before, MB. */
  maxMb: number;
  clock: Clock;
}

/**
 * Keeps log files below a size. One that has grown to half of it is copied to `<path>.1` and emptied: the supervisor goes on
 * appending. On a full disk, where it cannot be copied, it is emptied all the same.
 */
export class LogFiles {
  readonly #options: LogFilesOptions;

  constructor(options: LogFilesOptions) {
    this.#options = options;
  }

  /** Looks now, and every 5 s as long as the process runs for something else. */
  start(): void {
    void this.rotate().finally(() => {
      this.#options.clock.after(LOOK_MS, () => this.start());
    });
  }

  /** Never throws: a service does not end because of its log. */
  async rotate(): Promise<void> {
    const { paths, maxMb } = this.#options;
    for (const path of paths) {
      const size = await stat(path).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      );
      if (size < (maxMb * BYTES_OF_MB) / 2) continue;
      await copyFile(path, `${path}.1`).catch(() => truncate(`${path}.1`).catch(() => {}));
      await truncate(path).catch(() => {});
    }
  }
}

/** `RIG_LOG_FILES` of PM2's file: what PM2 appends to and this program keeps small, with colons. */
export function logFilesOf(
  env: Readonly<Record<string, string | undefined>>,
  maxMb: number,
  clock: Clock,
): LogFiles {
  const paths = (env.RIG_LOG_FILES ?? '').split(':').filter((path) => path !== '');
  return new LogFiles({ paths, maxMb, clock });
}
