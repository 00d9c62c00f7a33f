import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import type { Mode, Outcome, RunEvent } from '../events/event.ts';
import { hasErrors, type Loaded } from '../load.ts';
import { RunFault } from '../rig/fault.ts';
import type { RigObserver } from '../rig/observer.ts';
import type { Rig } from '../rig/rig.ts';
import { EventLog, NOWHERE } from './event-log.ts';
import { executor as asSpecified, type Executor } from './executor.ts';
import type { RunOptions } from './options.ts';
import { isOk, worse } from './outcome.ts';
import type { Result } from './result.ts';
import { RunContext } from './run-context.ts';
import { skipRest } from './run-order.ts';
import { Session } from './session.ts';
import type { StopSwitch } from './stop-switch.ts';
import { TextOutput } from './text-output.ts';
import { DEFAULT_TIMEOUTS } from './timeouts.ts';
import { givenVariable, Variables } from './variables.ts';
import { VerdictSummary } from './verdict-summary.ts';

const DEFAULT_MAX_AGE_MS = 1000;

/** What a run runs on. */
export interface Stage {
  readonly clock: Clock;
  readonly rig: (observer: RigObserver) => Rig;
  /** Default: each command as the language specifies it. */
  readonly executor?: Executor;
  /** Why nothing may run on it: options that would make a verdict worth nothing. */
  readonly refusal?: RunFault | undefined;
}

export interface ExecutionParts {
  readonly options: RunOptions;
  readonly mode: Mode;
  readonly registry: Registry;
  readonly loaded: Loaded;
  readonly filename: string;
  readonly stop: StopSwitch;
  readonly stage: Stage;
}

/** One run of one scenario. */
export class Execution {
  readonly #parts: ExecutionParts;
  readonly #startedAt: number;
  readonly #log: EventLog;
  readonly #verdicts: VerdictSummary;
  readonly #run: RunContext;
  readonly #session: Session;
  #sinkFailed = false;

  constructor(parts: ExecutionParts) {
    const { options, registry, loaded, stop } = parts;
    const { clock, rig, executor = asSpecified } = parts.stage;
    this.#parts = parts;
    this.#startedAt = clock.now();
    const text = options.out && new TextOutput(options.out, { quiet: options.quiet === true });
    this.#log = new EventLog(clock, (event) => this.#hand(event, text), options.keeps ?? (() => true));
    const variables = new Variables(registry);
    const parameters = { ...loaded.program.defaults, ...options.variables };
    for (const [name, given] of Object.entries(parameters)) variables.set(name, givenVariable(given));
    this.#verdicts = new VerdictSummary(loaded.program);
    this.#run = new RunContext({
      program: loaded.program,
      registry,
      settings: {
        maxAgeMs: options.maxAgeMs ?? DEFAULT_MAX_AGE_MS,
        timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
        stopOnFail: options.stopOnFail === true,
        simulated: options.simulated === true,
        onPrompt: options.onPrompt,
      },
      clock,
      rig: rig(this.#observer()),
      executor,
      log: this.#log,
      variables,
      given: new Set(Object.keys(options.variables ?? {})),
      diagnostics: [...loaded.diagnostics],
    });
    this.#session = new Session(this.#run, this.#verdicts, stop);
  }

  #observer(): RigObserver {
    return {
      event: (body) => this.#run.emit(body),
      marked: (marks) => this.#log.mark(marks),
      warning: (message) => this.#run.emit({ type: 'log', level: 'warning', message }),
      finding: (code, message) => this.#run.diagnose(code, message, this.#run.place, [], 'warning'),
      leaseLost: (fault) => this.#session.interrupt(fault),
    };
  }

  async run(): Promise<Result> {
    const { mode, filename, stage } = this.#parts;
    const { program, diagnostics } = this.#parts.loaded;
    if (mode !== 'validate') this.#log.mark(this.#run.rig.marks);
    this.#log.emit(
      {
        type: 'run.start',
        scenario: program.scenario,
        file: filename,
        version: program.version,
        dialect: program.dialect,
        mode,
        plan: program.blocks.map(({ index, kind, name, teardown, marks, leftOut }) => ({
          index,
          kind,
          name,
          teardown,
          ...marks,
          ...(leftOut ? { leftOut } : {}),
        })),
      },
      NOWHERE,
    );
    for (const diagnostic of diagnostics)
      this.#log.emit({ type: 'diagnostic', diagnostic }, { goal: null, pos: diagnostic.pos });
    if (mode === 'validate') return this.#end(hasErrors(diagnostics) ? 'error' : 'passed', false);
    if (hasErrors(diagnostics)) return this.#notRun();
    if (stage.refusal) {
      this.#log.release();
      this.#run.report(stage.refusal, NOWHERE);
      return this.#notRun();
    }
    this.#reportParameters();
    let outcome: Outcome;
    try {
      outcome = await this.#session.perform();
    } catch (thrown) {
      outcome = 'error';
      this.#run.diagnose('SCN411', `internal error: ${messageOf(thrown)}`, NOWHERE);
    }
    return this.#end(outcome, true);
  }

  /** The values that the limits of this run have, so that output and record show them. */
  #reportParameters(): void {
    const { variables, given } = this.#run;
    for (const [name, { value, unit }] of Object.entries(variables.toRecord())) {
      const source = given.has(name) ? 'given' : 'default';
      this.#log.emit({ type: 'variable', name, value, unit: unit ?? null, source }, NOWHERE);
    }
  }

  #notRun(): Result {
    skipRest(this.#parts.loaded.program.blocks, this.#run, this.#verdicts);
    return this.#end('error', true);
  }

  #end(found: Outcome, judged: boolean): Result {
    this.#log.release();
    const run = this.#run;
    const { passed, total, judgedSomething } = this.#verdicts;
    const durationMs = this.#log.elapsedMs();
    const recorded = () => (this.#sinkFailed ? worse(found, 'error') : found);
    const end = recorded();
    this.#log.emit(
      { type: 'run.end', outcome: end, ok: isOk(end), judged: judgedSomething, passed, total, durationMs },
      NOWHERE,
    );
    const { simulated, bench } = this.#log.marks;
    const outcome = recorded();
    return {
      ok: isOk(outcome),
      outcome,
      judged: judgedSomething,
      simulated,
      bench,
      source: this.#parts.filename,
      startedAt: new Date(this.#startedAt).toISOString(),
      durationMs,
      passed,
      total,
      goals: this.#verdicts.results(judged),
      events: this.#log.events,
      diagnostics: run.diagnostics,
      variables: run.variables.toRecord(),
      samples: run.series,
      exports: { ...run.exports },
    };
  }

  /** Hands an event on. A record that cannot be kept ends the run: a verdict without evidence is none. */
  #hand(event: RunEvent, text: TextOutput | undefined): void {
    try {
      text?.event(event);
    } catch {
      // The text output is for people; a closed terminal is no reason to leave a rig in the middle of a test.
    }
    try {
      this.#parts.options.onEvent?.(event);
    } catch (thrown) {
      if (this.#sinkFailed) return;
      this.#sinkFailed = true;
      const fault = new RunFault('SCN406', `the events could not be recorded: ${messageOf(thrown)}`, {
        scope: 'run',
        cause: thrown,
      });
      // The teardown is not cut short for it.
      this.#parts.stop.fault(fault);
      this.#run.report(fault, NOWHERE);
    }
  }
}
