import { resolve } from 'node:path';
import type { RunEvent } from '../../scenario/events/event.ts';
import { hasErrors } from '../../scenario/load.ts';
import { safeStatesOf } from '../../scenario/outputs/record.ts';
import type { RunWriter } from '../../scenario/records/run-writer.ts';
import type { Result } from '../../scenario/run/result.ts';
import { visible } from '../diagnostics/cells.ts';
import { countFindings } from '../diagnostics/render.ts';
import { EXIT, exitCodeOf } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { testedUnit } from '../options/tested-unit.ts';
import { firmwareUrl } from '../options/url.ts';
import type { ConsoleReporter } from '../run/console-reporter.ts';
import { type Interruption, interruption } from '../run/interruption.ts';
import type { RunRecords } from '../run/run-records.ts';
import { runScenario, voiceOf } from '../run/run-scenario.ts';
import type { RunOptions } from '../run/run-settings.ts';
import { runExitCode } from '../run/verdict.ts';
import type { LoadedScenario, LoadedSuite } from './load-suite.ts';
import { preflightAll } from './preflight-suite.ts';
import { SuiteOutputs } from './suite-outputs.ts';
import { endLine, type ScenarioEnd, suiteDocument, suiteLine } from './suite-result.ts';
import type { SuiteSummary } from './suite-summary.ts';

/**
 * Runs scenarios one after the other, each under a lease of its own and with the safe state at its end. All are checked,
 * and in execute mode preflighted, before the first one moves anything. @returns the exit code
 */
export async function performSuite(suite: LoadedSuite, options: RunOptions, io: Io): Promise<number> {
  // A bad address is wrong usage: before any file is made.
  firmwareUrl(options.firmwareUrl, io.env);
  const outputs = new SuiteOutputs(options, suite.scenarios.length, io.cwd);
  const records = options.record === undefined ? undefined : await openRecords(options.record, io);
  try {
    return await new SuiteRun(suite, options, outputs, records, io).perform();
  } finally {
    await records?.close();
  }
}

async function openRecords(folder: string, io: Io) {
  const { RunRecords } = await import('../run/run-records.ts');
  return RunRecords.open(resolve(io.cwd, folder), io);
}

class SuiteRun {
  readonly #suite: LoadedSuite;
  readonly #options: RunOptions;
  readonly #outputs: SuiteOutputs;
  readonly #records: RunRecords | undefined;
  readonly #io: Io;
  readonly #stop: Interruption;
  readonly #ends: ScenarioEnd[] = [];
  readonly #faults: string[] = [];
  #summary: SuiteSummary | undefined;
  #voice: ConsoleReporter | undefined;

  constructor(
    suite: LoadedSuite,
    options: RunOptions,
    outputs: SuiteOutputs,
    records: RunRecords | undefined,
    io: Io,
  ) {
    this.#suite = suite;
    this.#options = options;
    this.#outputs = outputs;
    this.#records = records;
    this.#io = io;
    const plain = { say: (text: string) => this.#say(text), ending: () => {} };
    this.#stop = interruption(() => this.#voice ?? plain);
  }

  async perform(): Promise<number> {
    const { mode } = this.#options;
    try {
      const refused = mode === 'validate' ? [] : this.#refused();
      if (refused.length > 0) return await this.#end(EXIT.usage);
      if (mode === 'execute' && !(await this.#areReady())) return await this.#end(EXIT.error);
      await this.#runAll();
      return await this.#end(this.#verdict());
    } finally {
      this.#stop.release();
    }
  }

  get #selected(): LoadedScenario[] {
    return this.#suite.scenarios.filter(({ leftOut }) => leftOut === undefined);
  }

  /** Scenarios with errors, all reported: nothing is run then. */
  #refused(): LoadedScenario[] {
    const refused = this.#selected.filter(({ loaded }) => hasErrors(loaded.diagnostics));
    if (refused.length === 0) return refused;
    for (const { request, loaded } of refused) {
      const voice = voiceOf(request, this.#io);
      for (const diagnostic of loaded.diagnostics) voice.diagnostic(diagnostic);
      voice.stop();
    }
    const reason = ({ loaded }: LoadedScenario) => `not run: ${countFindings(loaded.diagnostics)}`;
    this.#noneRuns((one) => (refused.includes(one) ? reason(one) : undefined), 'another scenario has errors');
    const files = refused.map(({ request }) => request.source.name).join(', ');
    this.#say(`no scenario was run: ${files} ${refused.length === 1 ? 'has' : 'have'} errors`);
    return refused;
  }

  async #areReady(): Promise<boolean> {
    const selected = this.#selected;
    const { signal } = this.#stop;
    const faults = await preflightAll(selected, signal, this.#io);
    if (signal.aborted) return true;
    const faultOf = (one: LoadedScenario) => faults[selected.indexOf(one)]?.message;
    const messages = new Set(faults.flatMap((fault) => (fault ? [fault.message] : [])));
    if (messages.size === 0) return true;
    this.#noneRuns(faultOf, 'the preflight of another scenario failed');
    for (const message of messages) this.#say(message);
    this.#say('no scenario was run: the rig is not ready for all of them');
    return false;
  }

  /** @param faultOf why a scenario itself could not be run */
  #noneRuns(faultOf: (one: LoadedScenario) => string | undefined, otherwise: string): void {
    for (const scenario of this.#suite.scenarios) {
      const fault = scenario.leftOut === undefined ? faultOf(scenario) : undefined;
      if (fault !== undefined) this.#ends.push({ scenario, outcome: 'error', reason: fault });
      else this.#skip(scenario, `not run: ${otherwise}`);
    }
  }

  #skip(scenario: LoadedScenario, reason: string): void {
    this.#ends.push({ scenario, outcome: 'skipped', reason: scenario.leftOut ?? reason });
  }

  async #runAll(): Promise<void> {
    const { scenarios, stopOnFail } = this.#suite;
    await this.#keepSummary(null);
    let rest: string | undefined;
    for (const [index, scenario] of scenarios.entries()) {
      if (this.#stop.signal.aborted) rest ??= 'not run: the suite was stopped';
      if (rest !== undefined || scenario.leftOut !== undefined) {
        this.#skip(scenario, rest ?? '');
        continue;
      }
      this.#heading(`[${index + 1}/${scenarios.length}] ${scenario.name} (${scenario.request.source.name})`);
      const end = await this.#runOne(scenario, index);
      this.#ends.push(end);
      await this.#keepSummary(null);
      const why = 'result' in end ? stopReason(end.result, stopOnFail) : end.reason;
      if (why !== undefined) rest = `not run: ${scenario.name}: ${why}`;
    }
  }

  async #runOne(scenario: LoadedScenario, index: number): Promise<ScenarioEnd> {
    const { name, request, loaded } = scenario;
    const records = this.#records;
    const tested = testedUnit(this.#options);
    let writer: RunWriter | undefined;
    let outputs: ReturnType<SuiteOutputs['ofRun']>;
    try {
      outputs = this.#outputs.ofRun(index, name);
      writer = records?.begin(request);
    } catch (thrown) {
      // A run without its evidence is none, and neither are those after it.
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#faults.push(reason);
      return { scenario, outcome: 'error', reason };
    }
    const onEvent = (event: RunEvent) => {
      writer?.append(event);
      outputs.append(event);
    };
    const quiet = this.#options.quiet === true;
    const voice = voiceOf(request, this.#io);
    this.#voice = voice;
    const { result } = await runScenario(
      request,
      loaded,
      { stop: this.#stop, voice, onEvent, silent: quiet },
      this.#io,
    );
    this.#voice = undefined;
    const faults = [
      ...(records && writer ? records.end(writer, result, request.options.mode) : []),
      ...(await outputs.finish(result, request.source.bytes, tested)),
    ];
    this.#faults.push(...faults.map(({ message }) => message));
    return { scenario, result, runId: writer?.identity.run_id ?? null };
  }

  /** The worst exit code of all. An abort between two scenarios is in no result. */
  #verdict(): number {
    const { mode } = this.#options;
    const codes = this.#ends.map((end) =>
      'result' in end ? runExitCode(end.result, mode) : exitCodeOf(end.outcome),
    );
    return Math.max(...codes, this.#aborted ? EXIT.aborted : EXIT.ok);
  }

  get #aborted(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Reports the whole, and leaves its files behind. @returns the exit code */
  async #end(code: number): Promise<number> {
    const { json = false, quiet = false } = this.#options;
    const tested = testedUnit(this.#options);
    const ends = this.#ends;
    for (const { message } of await this.#outputs.finish(this.#suite.name, ends, tested))
      this.#faults.push(message);
    await this.#keepSummary(new Date(this.#io.clock.now()).toISOString());
    for (const fault of this.#faults) this.#say(fault);
    if (!quiet) {
      this.#heading(`suite ${this.#suite.name}`);
      for (const end of ends) this.#print(`  ${endLine(end)}`);
    }
    this.#print(suiteLine(ends));
    const exitCode = this.#faults.length > 0 && code < EXIT.error ? EXIT.error : code;
    if (json) {
      const document = suiteDocument(this.#suite, ends, this.#aborted, tested, (result) => ({ result }));
      const ok = exitCode === EXIT.ok;
      this.#io.stdout.write(`${JSON.stringify({ ...document, ok })}\n`);
    }
    return exitCode;
  }

  async #keepSummary(endedAt: string | null): Promise<void> {
    if (this.#options.record === undefined) return;
    const { SuiteSummary } = await import('./suite-summary.ts');
    const folder = resolve(this.#io.cwd, this.#options.record);
    this.#summary ??= new SuiteSummary(folder, this.#suite, this.#io.clock);
    const tested = testedUnit(this.#options);
    const fault = this.#summary.write(this.#ends, this.#aborted, tested, endedAt);
    if (fault) this.#faults.push(fault.message);
  }

  #heading(text: string): void {
    if (this.#options.quiet !== true) this.#print(text);
  }

  /** A line of the result, or talk beside a JSON result. */
  #print(text: string): void {
    const { stdout, stderr } = this.#io;
    (this.#options.json ? stderr : stdout).write(`${visible(text)}\n`);
  }

  #say(text: string): void {
    this.#io.stderr.write(`svcctl: ${text}\n`);
  }
}

/**
 * Why nothing may follow a run; undefined when the next scenario may begin. A rig that was not left safe, or that belongs
 * to somebody else, gets no further scenario, whatever the suite says.
 */
function stopReason(result: Result, stopOnFail: boolean): string | undefined {
  const { outcome, ok, diagnostics } = result;
  if (outcome === 'aborted') return 'it was aborted';
  if (safeStatesOf(result).at(-1)?.ok === false) return 'the rig was not brought to the safe state';
  if (diagnostics.some(({ code, severity }) => code === 'SCN408' && severity === 'error'))
    return 'the lease could not be had or was lost';
  return stopOnFail && !ok ? `${outcome}, and the suite stops on a failure` : undefined;
}
