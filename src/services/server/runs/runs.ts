import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { HttpError } from '../../../lib/http/http-error.ts';
import type { Metrics } from '../../../lib/http/metrics.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { Mode } from '../../../scenario/events/event.ts';
import type { RunRecord } from '../../../scenario/outputs/record.ts';
import { sha256 } from '../../../scenario/records/event-chain.ts';
import { RecordError } from '../../../scenario/records/record-error.ts';
import type { RunFile } from '../../../scenario/records/run-file.ts';
import type { RunStore } from '../../../scenario/records/run-store.ts';
import type { SealState, Verification } from '../../../scenario/records/verify-record.ts';
import type { Fetch } from '../../../scenario/rig/http/bridge-client.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import type { Firmware } from '../firmware.ts';
import { readScenario } from '../scenarios/find-scenarios.ts';
import { loadForRun } from '../scenarios/load-for-run.ts';
import { requireRunnable } from '../scenarios/require-runnable.ts';
import type { ServerSettings } from '../settings.ts';
import type { Followed } from './follow-events.ts';
import { followedLive, followedRecord } from './followed.ts';
import { ownerOf } from './late-safe-state.ts';
import { LiveRun } from './live-run.ts';
import { factsOf, type RunRequest } from './run-request.ts';
import { endedView, type RunStatus, type RunView } from './run-view.ts';

/** Runs at the same time that move nothing. */
const MOST_DRY_RUNS = 4;
/** Of the end of this process, for the teardown; the safe state may take 5 s more. */
const TEARDOWN_AT_END_MS = 2500;

export interface RunsOptions {
  store: RunStore;
  settings: ServerSettings;
  /** Of this service. */
  hardwareMode: 'mock' | 'real';
  /** @throws ConfigError */
  rig: () => ConfiguredRig;
  firmware: Firmware;
  /** Used in place of connections of its own. */
  fetch: Fetch | undefined;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** The runs of this machine: those that go on here, and the records of all others. */
export class Runs {
  readonly #options: RunsOptions;
  readonly #live = new Map<string, LiveRun>();
  /** Base of this service, for scenarios that ask it something. */
  serverUrl: string | undefined;
  #isEnding = false;
  #lastExecuted: string | undefined;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** The last run in execute mode that this process has begun. */
  get lastExecuted(): string | undefined {
    return this.#lastExecuted;
  }

  /** Status of each run that goes on here. */
  liveStatuses(): Record<string, RunStatus> {
    return Object.fromEntries([...this.#live].map(([id, run]) => [id, run.view().status]));
  }

  isLive(runId: string): boolean {
    return this.#live.has(runId);
  }

  /** @throws HttpError `unknown_run` */
  view(runId: string): RunView {
    return this.viewOf(this.#file(runId));
  }

  /** A record as the API shows it. @param seal what it is worth; null: not compared */
  viewOf(file: RunFile, seal: SealState | null = null): RunView {
    const { run_id: id } = file.identity;
    const live = this.#live.get(id);
    if (live) return live.view();
    // It may have ended since the file was read.
    const latest = file.ending === null ? this.#latest(file) : file;
    // Its ending came after the comparison.
    return endedView(latest, latest === file ? seal : null);
  }

  #latest(file: RunFile): RunFile {
    try {
      return this.#options.store.get(file.identity.run_id) ?? file;
    } catch (thrown) {
      if (thrown instanceof RecordError) return file;
      throw thrown;
    }
  }

  /** @throws HttpError `unknown_run`; RecordError */
  #file(runId: string): RunFile {
    const file = this.#options.store.get(runId);
    if (file) return file;
    throw this.#unknown(runId);
  }

  #unknown(runId: string): HttpError {
    return new HttpError('unknown_run', `no run ${JSON.stringify(runId)}; GET /api/runs lists them`);
  }

  /**
   * Begins a run. @returns its id
   * @throws HttpError `run_active`, `scenario_differs`, `invalid_scenario`, `device_unavailable`; RecordError; ConfigError
   */
  start(request: RunRequest): string {
    this.#requireFree(request.mode);
    const { store, settings, clock, firmware, fetch, hardwareMode } = this.#options;
    const rig = this.#options.rig();
    const source = readScenario(request.scenario);
    requireText(request, source);
    const loaded = loadForRun(request.scenario, source, request, rig, settings.scenarioDir);
    requireRunnable(request, loaded.checked, rig, {
      folder: settings.scenarioDir,
      firmwareUrl: firmware.url,
    });
    const facts = factsOf(request, rig, {
      includes: loaded.includes,
      sha256: sha256(source),
      hardwareMode,
      firmwareUrl: firmware.url,
    });
    const writer = store.create(facts, source, clock.now());
    const { run_id: id } = writer.identity;
    const { lungUrl, token } = settings;
    const run = new LiveRun({
      writer,
      checked: loaded.checked,
      registry: rig.registry,
      clock,
      options: {
        firmwareUrl: firmware.url,
        ...(this.serverUrl === undefined ? {} : { serverUrl: this.serverUrl }),
        ...(lungUrl === undefined ? {} : { lungUrl }),
        ...(token === undefined ? {} : { token }),
        ...(fetch === undefined ? {} : { fetch }),
        variables: request.variables,
        simulated: request.simulated,
        withoutGuard: request.withoutGuard,
        requireReal: rig.config.requireReal,
        requireMock: hardwareMode === 'mock',
        owner: ownerOf(id),
      },
    });
    this.#live.set(id, run);
    if (request.mode === 'execute') this.#lastExecuted = id;
    void run.done.then(
      ({ file, fault }) => this.#ended(id, file, fault),
      (thrown: unknown) => this.#lost(id, thrown),
    );
    return id;
  }

  #requireFree(mode: Mode): void {
    if (this.#isEnding)
      throw new HttpError('device_unavailable', 'svc-server ends and begins no run', {
        members: { device: 'svc-server' },
      });
    const alike = [...this.#live.values()]
      .map(({ writer }) => writer.identity)
      .filter((one) => (one.mode === 'execute') === (mode === 'execute'));
    if (alike.length < (mode === 'execute' ? 1 : MOST_DRY_RUNS)) return;
    const ids = alike.map(({ run_id }) => run_id);
    const message =
      mode === 'execute'
        ? `${ids[0]} has the rig: wait for its end or abort it`
        : `${ids.length} runs without hardware go on, which is the most: wait for one of ${ids.join(', ')}`;
    throw new HttpError('run_active', message, { members: { active: ids } });
  }

  #ended(id: string, file: RunFile, fault: Error | undefined): void {
    const { store, logger, metrics } = this.#options;
    store.ended(file);
    this.#live.delete(id);
    const { status = 'error', safe_state } = file.ending ?? {};
    metrics.count('svc_runs_total', { status });
    logger.info(`${id} ${status}`, { run_id: id, status, safe_state: safe_state?.outcome });
    if (fault) logger.error(`the ending of ${id} is not on the disk: ${messageOf(fault)}`, { run_id: id });
  }

  /** A defect of ours. Its record has no ending; the next start gives it one. */
  #lost(id: string, thrown: unknown): void {
    this.#live.delete(id);
    this.#options.metrics.count('svc_runs_total', { status: 'error' });
    this.#options.logger.error(`${id} is lost: ${messageOf(thrown)}`, { run_id: id });
  }

  /** Resolves when the run has ended and its record is written. */
  async ended(runId: string): Promise<void> {
    const run = this.#live.get(runId);
    if (run) await run.done.catch(() => {});
  }

  /** @throws HttpError `unknown_run`, `run_finished` */
  abort(runId: string): void {
    const run = this.#live.get(runId);
    if (run && !run.isOver) {
      run.abort('by request');
      return;
    }
    throw this.#finished(runId);
  }

  #finished(runId: string): HttpError {
    const { status } = this.view(runId);
    return new HttpError('run_finished', `${runId} has ended already: ${status}`, { members: { status } });
  }

  /**
   * Answers a prompt of a run that goes on. @returns the answer as it counts
   * @throws HttpError `unknown_run`, `run_finished`, `unknown_prompt`, `prompt_closed`, `invalid_parameter`
   */
  answer(runId: string, n: number, said: string): string {
    const run = this.#live.get(runId);
    if (run && !run.isOver) return run.answer(n, said);
    throw this.#finished(runId);
  }

  /** The events of a run, also while it goes on. @throws HttpError `unknown_run` */
  followed(runId: string): Followed {
    const file = this.#file(runId);
    const path = this.#options.store.eventsPath(file);
    const run = this.#live.get(runId);
    return run ? followedLive(run) : followedRecord(file, path);
  }

  /** The text of the scenario as it was run. @throws HttpError `unknown_run`; RecordError */
  scenarioText(runId: string): { file: RunFile; text: string } {
    const file = this.#file(runId);
    return { file, text: this.#options.store.scenarioText(file) };
  }

  /** Of a run that has ended. @throws HttpError `unknown_run`, `run_not_finished`; RecordError */
  async record(runId: string): Promise<{ view: RunView; file: RunFile; record: RunRecord }> {
    const file = this.#file(runId);
    const view = this.viewOf(file);
    if (this.#live.has(runId))
      throw new HttpError('run_not_finished', `${runId} is ${view.status}; its report comes with its end`);
    if (file.ending === null)
      throw new HttpError(
        'run_not_finished',
        `the record of ${runId} has no ending, so there is no report; the log of svc-server has the cause`,
      );
    return { view: { ...view, seal: 'sealed' }, file, record: await this.#options.store.read(file) };
  }

  /** Compares a record with its seal. @throws HttpError `unknown_run`; RecordError */
  verify(runId: string): Promise<Verification> {
    return this.#options.store.verify(runId).then((found) => {
      if (found) return found;
      throw this.#unknown(runId);
    });
  }

  /** Aborts what goes on and waits for its record. @returns whether the rig was left safe */
  async shutDown(reason: string): Promise<boolean> {
    this.#isEnding = true;
    const why = `svc-server ends (${reason})`;
    const runs = [...this.#live.values()];
    for (const run of runs) {
      if (run.writer.identity.mode === 'execute') run.abort(why);
      else run.abortTeardown(why);
    }
    const cancel = this.#options.clock.after(TEARDOWN_AT_END_MS, () => {
      for (const run of runs) run.abortTeardown(why);
    });
    const ended = await Promise.allSettled(runs.map(({ done }) => done));
    cancel();
    return ended.every((one) => one.status === 'fulfilled' && isSafe(one.value.file));
  }
}

/** @throws HttpError `scenario_differs` */
function requireText({ scenario, scenarioSha256: wanted }: RunRequest, source: Uint8Array): void {
  const found = sha256(source);
  if (wanted === null || wanted === found) return;
  const message = `no run was started: ${scenario.path} of svc-server has another text (SHA-256 ${found}) than the file that was named (${wanted}); save the text on the server, or name the scenario as GET /api/scenarios lists it`;
  throw new HttpError('scenario_differs', message);
}

/** A run that never had the rig left it as it was. */
function isSafe({ ending }: RunFile): boolean {
  const outcome = ending?.safe_state?.outcome ?? 'safe';
  return outcome === 'safe' || outcome === 'simulated';
}
