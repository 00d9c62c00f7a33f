import { RigError } from './rig-error.ts';

const MAX_WAITING = 16;

interface Job {
  start: () => void;
  supersede: (error: RigError) => void;
}

/**
 * One actuation of a device at a time, in order of arrival. Each is sent once. A safe-state command does not stand in
 * line: it supersedes whatever waits or runs here, so that nothing queued earlier can undo it.
 */
export class ActuationQueue {
  readonly #device: string;
  #waiting: Job[] = [];
  #running: Job | undefined;

  /** @param device plugin id, for messages */
  constructor(device: string) {
    this.#device = device;
  }

  /**
   * @param task its signal aborts when the actuation is superseded
   * @param wait aborts while the job still waits; a job that has started is not stopped by it
   * @throws RigError `superseded`, `device_busy`
   */
  run<T>(task: (signal: AbortSignal) => Promise<T>, wait?: AbortSignal): Promise<T> {
    if (this.#waiting.length >= MAX_WAITING) {
      const text = `${MAX_WAITING} actuations are waiting already; try again later`;
      return Promise.reject(new RigError('device_busy', this.#device, text));
    }
    return new Promise<T>((resolve, reject) => {
      const stop = new AbortController();
      const onWaitAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== job);
        reject(wait?.reason);
      };
      const job: Job = {
        start: () => {
          wait?.removeEventListener('abort', onWaitAbort);
          const finished = () => {
            if (this.#running === job) this.#running = undefined;
            this.#next();
          };
          Promise.resolve()
            .then(() => task(stop.signal))
            .then(resolve, reject)
            .finally(finished);
        },
        supersede: (error) => {
          wait?.removeEventListener('abort', onWaitAbort);
          reject(error);
          stop.abort(error);
        },
      };
      if (wait?.aborted) {
        reject(wait.reason);
        return;
      }
      wait?.addEventListener('abort', onWaitAbort, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Ends everything that waits and makes what runs stop at its next frame boundary. */
  supersede(reason: string): void {
    const error = new RigError(
      'superseded',
      this.#device,
      `superseded by ${reason}; nothing more was sent for it`,
    );
    const jobs = this.#waiting;
    this.#waiting = [];
    for (const job of jobs) job.supersede(error);
    this.#running?.supersede(
      new RigError(
        'superseded',
        this.#device,
        `superseded by ${reason} while it was being sent; it may have had an effect before`,
      ),
    );
  }

  #next(): void {
    if (this.#running) return;
    this.#running = this.#waiting.shift();
    this.#running?.start();
  }
}
