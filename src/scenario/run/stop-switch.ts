import { messageOf } from '../../lib/errors/coded-error.ts';
import { RunFault } from '../rig/fault.ts';

/** The ways in which a run is stopped from outside: once for teardown and safe state, twice for the safe state only. */
export class StopSwitch {
  readonly #main = new AbortController();
  readonly #teardown = new AbortController();
  readonly #release: (() => void)[] = [];
  #aborted = false;

  constructor(signal: AbortSignal | undefined, hardSignal: AbortSignal | undefined) {
    this.#follow(signal, (reason) => this.abort(reason));
    this.#follow(hardSignal, (reason) => this.skipTeardown(reason));
  }

  #follow(signal: AbortSignal | undefined, act: (reason: unknown) => void): void {
    if (!signal) return;
    if (signal.aborted) {
      act(signal.reason);
      return;
    }
    const onAbort = () => act(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#release.push(() => signal.removeEventListener('abort', onAbort));
  }

  /** Aborts with the main part of the run, for whatever reason. */
  get mainSignal(): AbortSignal {
    return this.#main.signal;
  }

  get teardownSignal(): AbortSignal {
    return this.#teardown.signal;
  }

  /** Stopped by signal or caller. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Ends the main part by a fault of the run: lease lost, run time-out. */
  fault(fault: RunFault): void {
    if (!this.#main.signal.aborted) this.#main.abort(fault);
  }

  abort(reason: unknown): void {
    this.#aborted = true;
    this.fault(aborted(reason));
  }

  skipTeardown(reason: unknown): void {
    this.abort(reason);
    if (!this.#teardown.signal.aborted) this.#teardown.abort(aborted(reason));
  }

  /** Ends the teardown by a fault: its time-out, the lease lost once more. */
  teardownFault(fault: RunFault): void {
    if (!this.#teardown.signal.aborted) this.#teardown.abort(fault);
  }

  end(): void {
    for (const release of this.#release.splice(0)) release();
  }
}

function aborted(reason: unknown): RunFault {
  const named = reason instanceof Error && reason.name !== 'AbortError' ? `: ${messageOf(reason)}` : '';
  return new RunFault('SCN412', `the run was aborted${named}`, { scope: 'run', cause: reason });
}
