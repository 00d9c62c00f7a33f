import type { Clock } from '../../lib/clock/clock.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import type { ProcessId } from '../../lib/proc.ts';
import { exchangeJson, TransportError } from '../../transports/index.ts';
import type { StepName } from '../safe-state/report.ts';
import type { SafeStateSteps, StepResult } from '../safe-state/safe-state.ts';
import { killMarked, listenerOf, runsProgram } from './process-id.ts';

type Step = SafeStateSteps[StepName];

/** A service that lives has stopped its device by then, or at least answers that it lives. */
const STOP_PATIENCE_MS = 250;
const HEALTH_LIMIT_MS = 150;
const KILL_LIMIT_MS = 200;
const MAX_BYTES = 65_536;

/** What a life line shows now. `heard`: it lives, however long its device keeps it. `silent`: it has stood still for 2 s. */
export type LifeSign = 'heard' | 'silent' | 'unknown';

export interface OwnedDevice {
  /** For example `svc-pump`. */
  service: string;
  baseUrl: string;
  /** Lock of the device that the service owns; undefined where no process of this machine can hold it. */
  lockKey: string | undefined;
  clock: Clock;
  /** Without it nothing is known of a life line. */
  sign?: () => LifeSign;
  /** Called when the service was ended. @param who for example `svc-pump (pid 4300)` */
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
      // A program of its kind that holds the device after the first was gone is a new one.
      if (!this.#isGone || this.#holder()) {
        const answer = await this.#askWhoHolds(viaService, signal);
        if (answer) return answer;
      }
      return direct(signal);
    };
  }

  /** @returns undefined when there is none that gives a sign of life; the one that held the device is ended then */
  async #askWhoHolds(step: Step, signal: AbortSignal): Promise<StepResult | undefined> {
    let answer = await this.#ask(step, signal);
    if (typeof answer === 'object') return answer;
    const holder = this.#holder();
    // It may have come just after it was asked, and it makes its device safe itself.
    if (answer === 'refused' && holder) answer = await this.#ask(step, signal);
    if (typeof answer === 'object') return answer;
    this.#isGone = true;
    if (holder) await this.#end(holder);
    return undefined;
  }

  /** @returns `refused`: the call was not accepted; `silent`: it was, and there is no sign of life */
  async #ask(step: Step, signal: AbortSignal): Promise<StepResult | 'refused' | 'silent'> {
    const { clock, sign } = this.#device;
    if (sign?.() === 'silent') return 'silent';
    const stop = new AbortController();
    const asked = step(AbortSignal.any([signal, stop.signal]));
    // Its result after it was given up is ignored.
    asked.catch(() => {});
    const late = clock.sleep(STOP_PATIENCE_MS, stop.signal).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    try {
      const first = await Promise.race([asked, late]);
      if (first !== 'late') return first;
      return (await this.#lives()) ? await asked : 'silent';
    } catch (thrown) {
      if (!isNoAnswer(thrown)) throw thrown;
      return 'refused';
    } finally {
      stop.abort(new Error('given up'));
    }
  }

  async #lives(): Promise<boolean> {
    const { baseUrl, clock, sign } = this.#device;
    if (sign?.() === 'heard') return true;
    const url = `${baseUrl.replace(/\/$/, '')}/health`;
    const asked = exchangeJson(url, { clock, timeoutMs: HEALTH_LIMIT_MS, maxBytes: MAX_BYTES });
    return asked.then(
      () => true,
      () => false,
    );
  }

  /** Only its own program is ever ended; any other holder is named by the lock. */
  #holder(): ProcessId | undefined {
    const { service, lockKey } = this.#device;
    const holder = lockKey === undefined ? undefined : listenerOf(lockAddress(lockKey));
    return holder && runsProgram(holder, service) ? holder : undefined;
  }

  async #end(holder: ProcessId): Promise<void> {
    const { service, clock, onKilled } = this.#device;
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
