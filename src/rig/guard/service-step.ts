import type { Clock } from '../../lib/clock/clock.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { exchangeJson, TransportError } from '../../transports/index.ts';
import type { StepName } from '../safe-state/report.ts';
import type { SafeStateSteps, StepResult } from '../safe-state/safe-state.ts';
import { killMarked, listenerOf, runsProgram } from './process-mark.ts';

type Step = SafeStateSteps[StepName];

/** A service that lives has stopped its device by then, or at least answers that it lives. */
const STOP_PATIENCE_MS = 250;
const HEALTH_LIMIT_MS = 150;
const KILL_LIMIT_MS = 200;
const MAX_BYTES = 65_536;

export interface OwnedDevice {
  /** For example `svc-pump`. */
  service: string;
  baseUrl: string;
  /** Lock of the device that the service owns; undefined where no process of this machine can hold it. */
  lockKey: string | undefined;
  clock: Clock;
  /** Told when the service was ended. @param who for example `svc-pump (pid 4300)` */
  onKilled: (who: string) => void;
}

/**
 * Makes safe a device that a service owns: the service is asked first; one that gives no sign of life is ended, and the
 * device is driven directly. A service that lives and could not do it is not ended: it goes on trying, and two would
 * disturb each other.
 */
export class ServiceSteps {
  readonly #device: OwnedDevice;
  #isGone = false;

  constructor(device: OwnedDevice) {
    this.#device = device;
  }

  step(viaService: Step, direct: Step): Step {
    return async (signal) => {
      const answer = this.#isGone ? undefined : await this.#ask(viaService, signal);
      if (answer) return answer;
      await this.#end();
      return direct(signal);
    };
  }

  /** @returns undefined when the service gives no sign of life */
  async #ask(step: Step, signal: AbortSignal): Promise<StepResult | undefined> {
    const { clock } = this.#device;
    const stop = new AbortController();
    const asked = step(AbortSignal.any([signal, stop.signal]));
    // What comes of it after it was given up is nobody's concern.
    asked.catch(() => {});
    const late = clock.sleep(STOP_PATIENCE_MS, stop.signal).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    try {
      const first = await Promise.race([asked, late]);
      if (first !== 'late') return first;
      if (await this.#lives()) return await asked;
    } catch (thrown) {
      if (!isNoAnswer(thrown)) throw thrown;
    } finally {
      stop.abort(new Error('given up'));
    }
    return undefined;
  }

  async #lives(): Promise<boolean> {
    const { baseUrl, clock } = this.#device;
    const url = `${baseUrl.replace(/\/$/, '')}/health`;
    const asked = exchangeJson(url, { clock, timeoutMs: HEALTH_LIMIT_MS, maxBytes: MAX_BYTES });
    return asked.then(
      () => true,
      () => false,
    );
  }

  /** Only its own program is ended; any other holder is named by the lock. */
  async #end(): Promise<void> {
    const { service, lockKey, clock, onKilled } = this.#device;
    this.#isGone = true;
    const holder = lockKey === undefined ? undefined : listenerOf(lockAddress(lockKey));
    if (!holder || !runsProgram(holder, service)) return;
    onKilled(`${service} (pid ${holder.pid})`);
    await killMarked(holder, KILL_LIMIT_MS, clock);
  }
}

/** No word came from the service itself, as opposed to a refusal. */
export function isNoAnswer(thrown: unknown): boolean {
  return (
    thrown instanceof Error && (thrown.cause instanceof TransportError || thrown instanceof TransportError)
  );
}
