import { failedStepsText } from '../../rig/safe-state/report.ts';
import type { Outcome } from '../events/event.ts';
import { RunFault, toFault } from '../rig/fault.ts';
import { NOWHERE } from './event-log.ts';
import { worstOf } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import { runMain, runTeardown, skipRest } from './run-order.ts';
import type { StopSwitch } from './stop-switch.ts';
import type { VerdictSummary } from './verdict-summary.ts';

/**
 * One run from the preflight to the safe state. Whatever happens in between: once there was a lease, the run ends
 * with the rig in its safe state, by its own command or by that of the one that ended the lease (LANG-079).
 */
export class Session {
  readonly #run: RunContext;
  readonly #verdicts: VerdictSummary;
  readonly #stop: StopSwitch;
  /** Outcomes that belong to no block. */
  readonly #outcomes: Outcome[] = [];
  #inTeardown = false;
  /** Why the lease was lost, if it was. */
  #lost: RunFault | undefined;

  constructor(run: RunContext, verdicts: VerdictSummary, stop: StopSwitch) {
    this.#run = run;
    this.#verdicts = verdicts;
    this.#stop = stop;
  }

  /** @returns the outcome of the run. Never rejects. */
  async perform(): Promise<Outcome> {
    const run = this.#run;
    if (await this.#prepare()) {
      try {
        await this.#main();
        await this.#teardown();
      } catch (thrown) {
        this.#fault(toFault(thrown));
      } finally {
        run.place = NOWHERE;
        await this.#makeSafe();
      }
    } else skipRest(run.program.blocks, run, this.#verdicts);
    run.place = NOWHERE;
    if (this.#stop.aborted) {
      this.#outcomes.push('aborted');
      const { reason } = this.#stop.mainSignal;
      if (reason instanceof RunFault) run.report(reason, NOWHERE);
    }
    for (const { block, message } of this.#verdicts.inconclusive())
      run.diagnose(
        'SCN416',
        `the goal "${block.name}" is inconclusive: ${message ?? 'no check ran'}. Add a check that always runs, or mark the goal OPTIONAL`,
        { goal: block.index, pos: block.pos },
      );
    const outcome = worstOf([...this.#verdicts.outcomes(), ...this.#outcomes]);
    if (outcome !== 'error' && outcome !== 'aborted' && !this.#verdicts.testedSomething) {
      run.diagnose('SCN401', 'nothing was tested: no goal was run', NOWHERE);
      return 'error';
    }
    return outcome;
  }

  /** The lease ended on the way, or a time-out: what runs now is stopped. */
  interrupt(fault: RunFault): void {
    if (fault.leaseLost) this.#lost = fault;
    if (this.#inTeardown) this.#stop.teardownFault(fault);
    else this.#stop.fault(fault);
  }

  #fault(fault: RunFault): void {
    this.#outcomes.push(fault.aborted ? 'aborted' : 'error');
    this.#run.report(fault, NOWHERE);
  }

  /** @returns false when nothing may run; the rig was not touched then */
  async #prepare(): Promise<boolean> {
    const { rig, program, log } = this.#run;
    const { mainSignal } = this.#stop;
    try {
      mainSignal.throwIfAborted();
      await rig.preflight(program.uses, mainSignal);
      log.release();
      // Not cut short by an abort: a lease that was granted is to be given back.
      await rig.acquire();
      return true;
    } catch (thrown) {
      log.release();
      this.#fault(toFault(thrown));
      return false;
    }
  }

  async #main(): Promise<void> {
    const { clock, settings } = this.#run;
    const ms = settings.timeouts.runMs;
    const late = new RunFault('SCN407', `the run took more than the run time-out of ${ms} ms`, {
      scope: 'run',
    });
    const cancel = Number.isFinite(ms) ? clock.after(ms, () => this.#stop.fault(late)) : () => {};
    const { mainSignal } = this.#stop;
    try {
      await runMain(this.#run, this.#verdicts, mainSignal);
    } finally {
      cancel();
    }
    // Stopped between two blocks: no block reports it.
    if (mainSignal.aborted && mainSignal.reason instanceof RunFault) this.#fault(mainSignal.reason);
  }

  /** Only while the lease is held: a safe state that this run did not ask for replaces its teardown. */
  async #teardown(): Promise<void> {
    const run = this.#run;
    if (!run.program.blocks.some(({ teardown }) => teardown)) return;
    if (!(await run.rig.confirmLease())) {
      await runTeardown(run, this.#verdicts, AbortSignal.abort());
      return;
    }
    this.#inTeardown = true;
    const ms = run.settings.timeouts.teardownMs;
    const late = new RunFault('SCN407', `the teardown took more than its time-out of ${ms} ms`, {
      scope: 'run',
    });
    const cancel = run.clock.after(ms, () => this.#stop.teardownFault(late));
    const { teardownSignal } = this.#stop;
    try {
      await runTeardown(run, this.#verdicts, teardownSignal);
    } finally {
      cancel();
    }
    if (teardownSignal.aborted && teardownSignal.reason instanceof RunFault)
      this.#fault(teardownSignal.reason);
  }

  async #makeSafe(): Promise<void> {
    const run = this.#run;
    const report = await run.rig.safeState();
    if (!report) return;
    const { ok, steps } = report;
    if (this.#lost) this.#fault(this.#lost);
    const worst = worstOf([...this.#verdicts.outcomes(), ...this.#outcomes]);
    const reason = this.#stop.aborted || worst === 'aborted' ? 'abort' : worst === 'error' ? 'error' : 'end';
    run.emit({ type: 'safe-state', reason, ok, steps });
    if (!ok) {
      const failed = steps.flatMap((step) =>
        step.ok ? [] : [{ name: step.name, why: step.error ?? 'failed' }],
      );
      this.#fault(
        new RunFault(
          'SCN405',
          `the rig was not brought to the safe state: ${failedStepsText(failed)}. Disconnect the supply of pump, lung and valves and check that they are off`,
          { scope: 'run' },
        ),
      );
    }
    await run.rig.release(ok);
  }
}
