import { hostname } from 'node:os';
import { systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import type { Mode, Outcome, RunEvent } from '../events/event.ts';
import { hasErrors, type Loaded } from '../load.ts';
import { DryRig } from '../rig/dry/dry-rig.ts';
import { VirtualClock } from '../rig/dry/virtual-clock.ts';
import { RunFault } from '../rig/fault.ts';
import { HttpRig } from '../rig/http/http-rig.ts';
import type { RigObserver } from '../rig/observer.ts';
import { EventLog, NOWHERE } from './event-log.ts';
import { givenSensors, quantityOf } from './given-sensors.ts';
import type { InterpreterOptions } from './options.ts';
import { isOk, worse } from './outcome.ts';
import type { Result } from './result.ts';
import { RunContext } from './run-context.ts';
import { skipRest } from './run-order.ts';
import { Session } from './session.ts';
import type { StopSwitch } from './stop-switch.ts';
import { Tally } from './tally.ts';
import { TextOutput } from './text-output.ts';
import { DEFAULT_TIMEOUTS } from './timeouts.ts';
import { givenVariable, Variables } from './variables.ts';

const DEFAULT_FIRMWARE_URL = 'http://127.0.0.1:8202';
const DEFAULT_MAX_AGE_MS = 1000;

/** One run of one scenario. */
export class Execution {
  readonly #options: InterpreterOptions;
  readonly #mode: Mode;
  readonly #loaded: Loaded;
  readonly #filename: string;
  readonly #stop: StopSwitch;
  readonly #startedAt: number;
  readonly #log: EventLog;
  readonly #tally: Tally;
  readonly #run: RunContext;
  readonly #session: Session;
  #sinkFailed = false;

  constructor(
    options: InterpreterOptions,
    mode: Mode,
    registry: Registry,
    loaded: Loaded,
    filename: string,
    stop: StopSwitch,
  ) {
    this.#options = options;
    this.#mode = mode;
    this.#loaded = loaded;
    this.#filename = filename;
    this.#stop = stop;
    const wallClock = options.clock ?? systemClock;
    const execute = mode === 'execute';
    const clock = execute ? wallClock : new VirtualClock(wallClock.now());
    this.#startedAt = clock.now();
    const text = options.out && new TextOutput(options.out, { quiet: options.quiet === true });
    this.#log = new EventLog(clock, { simulated: mode === 'dry-run', bench: false }, (event) =>
      this.#hand(event, text),
    );
    const dryRig = execute
      ? undefined
      : new DryRig({ clock, registry, sensors: givenSensors(options.sensors) });
    const variables = new Variables(registry);
    const parameters = { ...loaded.program.defaults, ...options.variables };
    for (const [name, given] of Object.entries(parameters)) variables.set(name, givenVariable(given));
    this.#tally = new Tally(loaded.program);
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
      rig:
        dryRig ??
        new HttpRig({
          firmwareUrl: trimSlash(options.firmwareUrl ?? DEFAULT_FIRMWARE_URL),
          ...(options.serverUrl === undefined ? {} : { serverUrl: trimSlash(options.serverUrl) }),
          ...(options.lungUrl === undefined ? {} : { lungUrl: trimSlash(options.lungUrl) }),
          ...(options.token === undefined ? {} : { token: options.token }),
          registry,
          clock,
          fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
          owner: options.owner ?? `svc-run-${process.pid}@${hostname()}`,
          simulated: options.simulated === true,
          requireReal: options.requireReal === true,
          withoutGuard: options.withoutGuard === true,
          mirror: options.mirror === true,
          observer: this.#observer(),
        }),
      dryRig,
      log: this.#log,
      variables,
      given: new Set(Object.keys(options.variables ?? {})),
      diagnostics: [...loaded.diagnostics],
    });
    this.#session = new Session(this.#run, this.#tally, stop);
  }

  #observer(): RigObserver {
    return {
      event: (body) => this.#run.emit(body),
      marked: (marks) => this.#log.mark(marks),
      warning: (message) => this.#run.emit({ type: 'log', level: 'warning', message }),
      leaseLost: (fault) => this.#session.interrupt(fault),
    };
  }

  async run(): Promise<Result> {
    const { program, diagnostics } = this.#loaded;
    this.#log.emit(
      {
        type: 'run.start',
        scenario: program.scenario,
        file: this.#filename,
        version: program.version,
        dialect: program.dialect,
        mode: this.#mode,
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
    if (this.#mode === 'validate') return this.#end(hasErrors(diagnostics) ? 'error' : 'passed', false);
    if (hasErrors(diagnostics)) return this.#notRun();
    const refusal = this.#refusal();
    if (refusal) {
      this.#log.release();
      this.#run.report(refusal, NOWHERE);
      return this.#notRun();
    }
    this.#tellParameters();
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
  #tellParameters(): void {
    const { variables, given } = this.#run;
    for (const [name, { value, unit }] of Object.entries(variables.toRecord())) {
      const source = given.has(name) ? 'given' : 'default';
      this.#log.emit({ type: 'variable', name, value, unit: unit ?? null, source }, NOWHERE);
    }
  }

  #notRun(): Result {
    skipRest(this.#loaded.program.blocks, this.#run, this.#tally);
    return this.#end('error', true);
  }

  /** Options that would make a verdict worth nothing. */
  #refusal(): RunFault | undefined {
    const { sensors } = this.#options;
    if (this.#mode === 'execute') {
      const names = Object.keys(sensors ?? {});
      if (names.length === 0) return undefined;
      return new RunFault(
        'SCN409',
        `sensor values (${names.join(', ')}) are for dry-run; in execute mode the rig is read`,
      );
    }
    for (const [name, given] of Object.entries(sensors ?? {}))
      if (!quantityOf(given))
        return new RunFault(
          'SCN125',
          `the value of sensor ${name}, ${JSON.stringify(given)}, is no number with an optional unit`,
        );
    return undefined;
  }

  #end(found: Outcome, judged: boolean): Result {
    this.#log.release();
    const run = this.#run;
    const { passed, total, judgedSomething } = this.#tally;
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
      source: this.#filename,
      startedAt: new Date(this.#startedAt).toISOString(),
      durationMs,
      passed,
      total,
      goals: this.#tally.results(judged),
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
      this.#options.onEvent?.(event);
    } catch (thrown) {
      if (this.#sinkFailed) return;
      this.#sinkFailed = true;
      const fault = new RunFault('SCN406', `the events could not be recorded: ${messageOf(thrown)}`, {
        scope: 'run',
        cause: thrown,
      });
      // The teardown is not cut short for it.
      this.#stop.fault(fault);
      this.#run.report(fault, NOWHERE);
    }
  }
}

const trimSlash = (url: string): string => url.replace(/\/+$/, '');
