import type { Clock } from '../../lib/clock/clock.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { type StepName, stepSpec } from '../safe-state/report.ts';
import type { SafeStateSteps } from '../safe-state/safe-state.ts';
import { BRIDGE } from './bridge-life.ts';

type Step = SafeStateSteps[StepName];

const AGAIN_MS = 40;
/** Before the cap the reason is reported, instead of only that the time was over. */
const LAST_WORD_MS = 60;

/**
 * A step that tries again while the device is held by a program that is just ending, or not there yet, until its cap is
 * near; what stood in the way last is its failure. A bridge that has come back is not waited for: it makes safe itself.
 */
export function retryUntilCap(name: StepName, step: Step, clock: Clock, onHeldByBridge: () => void): Step {
  return async (signal) => {
    const until = clock.monotonic() + stepSpec(name).capMs - LAST_WORD_MS;
    for (;;) {
      try {
        return await step(signal);
      } catch (thrown) {
        const isBridge = thrown instanceof LockHeldError && thrown.holder?.service === BRIDGE;
        if (isBridge) onHeldByBridge();
        const isOver = signal.aborted || clock.monotonic() + AGAIN_MS >= until;
        if (isBridge || isOver || !mayPass(thrown)) throw thrown;
        await clock.sleep(AGAIN_MS, signal);
      }
    }
  };
}

function mayPass(thrown: unknown): boolean {
  return thrown instanceof CodedError && ['held_by_other', 'device_unavailable'].includes(thrown.code);
}
