import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { clockSynchronised } from '../../lib/clock/clock-synchronised.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { exposureFrom } from '../../lib/http/exposure.ts';
import { HttpService } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { rigKey } from '../../lib/liveness/live-address.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { version } from '../../lib/version.ts';
import { ListeningPort, recordListening } from '../../rig/service/listening-port.ts';
import type { ProgramContext, RunningProgram } from '../../rig/service/program.ts';
import { RecordError } from '../../scenario/records/record-error.ts';
import { RunStore } from '../../scenario/records/run-store.ts';
import type { Fetch } from '../../scenario/rig/http/bridge-client.ts';
import { loadConfiguredRig } from './configured-rig.ts';
import { Firmware } from './firmware.ts';
import { CurrentRun } from './live/current-run.ts';
import { rigStatus } from './live/rig-status.ts';
import { Svcctl } from './maintenance/svcctl.ts';
import { operatorPage, pageScript } from './page.ts';
import { benchRoutes } from './routes/bench.ts';
import { dryRunRoutes } from './routes/dry-run.ts';
import { hardwareRoutes } from './routes/hardware.ts';
import { healthRoutes, knownBridge } from './routes/health.ts';
import { languageRoutes } from './routes/language.ts';
import { liveRoutes } from './routes/live.ts';
import { maintenanceRoutes } from './routes/maintenance.ts';
import { manualRoutes } from './routes/manual.ts';
import { mediaRoutes } from './routes/media.ts';
import { rigRoutes } from './routes/rig.ts';
import { runRoutes } from './routes/runs.ts';
import { scenarioTextRoutes } from './routes/scenario-texts.ts';
import { scenarioRoutes } from './routes/scenarios.ts';
import { serviceLogRoutes } from './routes/service-logs.ts';
import { sessionRoutes } from './routes/session.ts';
import { stationRoutes } from './routes/station.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { stopRoutes } from './routes/stop.ts';
import { threadEntry } from './run-index/thread/entry.ts';
import { IndexThread } from './run-index/thread/index-thread.ts';
import { recoverRuns } from './runs/recover-runs.ts';
import { startRetention } from './runs/retention-task.ts';
import { RunHistory } from './runs/run-history.ts';
import { Runs } from './runs/runs.ts';
import { ScenarioCatalog } from './scenarios/scenario-catalog.ts';
import { scenarioPlan } from './scenarios/scenario-plan.ts';
import { ScenarioTexts } from './scenarios/scenario-texts.ts';
import { serverSettings } from './settings.ts';
import { StationDesk } from './station/station.ts';
import { problemMembers, translate } from './translate.ts';

export const SERVICE = 'svc-server';
/** Scenarios may be long. */
const MAX_BODY_BYTES = 1_048_576;
/** For answers that are under way when the last run has ended; among them to the one that waits for it. */
const FINISH_MS = 300;

/** Of the index, to compare what it has with the directories when the server starts. */
const SUMMARY_LIMIT_MS = 15_000;

export interface ServerContext extends ProgramContext {
  cwd: string;
  /** Of what speaks to the bridge, in place of connections of its own. */
  fetch?: Fetch;
}

/**
 * Starts the API server. The records come first: runs that were cut are ended, and a rig that one of them still
 * holds is made safe, before anybody can ask for another. @throws StartRefusedError, ConfigError, LockHeldError,
 * ListenError
 */
export async function startServer(context: ServerContext): Promise<RunningProgram> {
  const { env, config, configuration, bind, clock, logger, cwd, fetch } = context;
  const exposure = { ...exposureFrom(env, bind.host, MAX_BODY_BYTES), acceptsSession: true };
  const settings = serverSettings(env, cwd);
  const hardwareMode = config.hardwareMode;
  if (exposure.insecure)
    logger.warn(`${bind.host} is reachable without a token (SVC_ALLOW_INSECURE=1)`, { host: bind.host });
  const startedAt = new Date(clock.now()).toISOString();
  let port: number | null = null;
  let live = (): string[] => [];
  // Two on the same records would end each other's runs.
  const lock = await acquireLock({
    key: `${SERVICE}-${rigKey(settings.stateDir)}`,
    identity: () => ({ service: SERVICE, pid: process.pid, port, since: startedAt, runs: live() }),
    clock,
  });
  const metrics = new MetricRegistry();
  metrics.set('svc_hardware_mode', 1, { mode: hardwareMode });
  const firmware = new Firmware(settings.firmwareUrl, settings.token, clock, fetch);
  const bridge = knownBridge(firmware, clock);
  const store = new RunStore(settings.stateDir);
  const index = new IndexThread({
    entry: threadEntry(),
    stateDir: settings.stateDir,
    clock,
    report: (message) => logger.warn(message),
  });
  const rig = () => loadConfiguredRig(env, cwd);
  const runs = new Runs({ store, settings, hardwareMode, rig, firmware, fetch, clock, logger, metrics });
  live = () => Object.keys(runs.liveStatuses());
  const history = new RunHistory(index, settings.stateDir);
  const catalog = new ScenarioCatalog({ folder: settings.scenarioDir, clock, rig });
  const { scenarioDir: folder, firmwareUrl, token } = settings;
  const planParts = { folder, firmwareUrl, token, requireMock: hardwareMode === 'mock', clock, fetch };
  const svcctl = new Svcctl(env, clock);
  const station = new StationDesk(settings.stateDir);
  const guard = new ListeningPort('svc-guard', { stateDir: settings.stateDir, env, clock });
  await guard.follow();
  const recordFault = () => faultOf(store)?.message;
  const fault = (await openFault(store, index)) ?? recordFault();
  for (const one of fault === undefined ? store.damaged : [fault]) logger.error(one);
  const endedBefore = (ids: readonly string[]) => index.ask('ended', ids, SUMMARY_LIMIT_MS);
  await recoverRuns({ store, firmware, clock, logger, endedBefore });
  const current = new CurrentRun(runs);
  await current
    .restore(history)
    .catch((thrown: unknown) => logger.warn(`the last run is not known: ${messageOf(thrown)}`));
  const http = new HttpService({
    service: SERVICE,
    version,
    exposure,
    clock,
    metrics,
    randomId: randomUUID,
    log: (line) => logger.info(line),
    logger,
    translate,
    problemMembers,
    configuration,
    routes: [
      ...healthRoutes({
        firmware,
        bridge,
        identity: { service: SERVICE, version, pid: process.pid, started_at: startedAt, mode: hardwareMode },
        recordFault,
        damaged: () => store.damaged.length,
        key: () => (recordFault() === undefined ? store.key().public : undefined),
      }),
      ...hardwareRoutes(firmware, config),
      ...scenarioRoutes({
        runs,
        folder: settings.scenarioDir,
        catalog,
        hardwareMode,
        clock,
        plan: (scenario, wanted) => scenarioPlan(scenario, { rig: rig(), ...wanted, ...planParts }),
      }),
      ...scenarioTextRoutes(new ScenarioTexts(settings.scenarioDir, settings.stateDir, clock)),
      ...languageRoutes(settings.scenarioDir, rig),
      ...stationRoutes(station, logger),
      ...mediaRoutes(settings.scenarioDir),
      ...rigRoutes(firmware, rig, clock),
      ...manualRoutes(firmware),
      ...maintenanceRoutes(svcctl, settings.firmwareUrl, clock),
      ...benchRoutes({ url: settings.benchUrl, firmware, fetch: fetch ?? globalThis.fetch }),
      ...serviceLogRoutes(env.RIG_LOG_FILES),
      ...dryRunRoutes(settings.scenarioDir, rig, clock),
      ...runRoutes(runs, history, bridge, clock),
      ...statisticsRoutes(history),
      ...sessionRoutes(exposure),
      ...stopRoutes(firmware, clock),
      ...liveRoutes({
        runs,
        current,
        station,
        bridge: rigStatus(firmware, clock),
        settings: () => ({
          rig: hostname(),
          version,
          mode: hardwareMode,
          guard_port: guard.port,
          has_bench: settings.benchUrl !== undefined,
        }),
        page: pageScript(),
        recordProblem: () => faultOf(store)?.problem,
        clock,
      }),
    ],
    page: operatorPage(() => guard.port),
  });
  const bound = await http.listen(bind.host, bind.port).catch(async (thrown: unknown) => {
    guard.close();
    await index.close();
    await lock.release();
    throw thrown;
  });
  port = bound.port;
  void recordListening(SERVICE, bound.port, { stateDir: settings.stateDir, logger });
  runs.serverUrl = bound.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

  const endRetention = startRetention({
    stateDir: settings.stateDir,
    rules: config.records,
    clock,
    logger,
    isClockSet: clockSynchronised,
  });
  const end = async (reason: string) => {
    endRetention();
    guard.close();
    svcctl.close();
    http.stopAccepting();
    const ok = await runs.shutDown(reason);
    await http.close(FINISH_MS);
    await index.close();
    await lock.release();
    return { ok };
  };
  let ending: Promise<{ ok: boolean }> | undefined;
  return {
    ...bound,
    ready: () => ({ mode: hardwareMode, runs: store.count }),
    shutDown: (reason) => {
      ending ??= end(reason);
      return ending;
    },
  };
}

/** Opens the records by their index; without one every record is read. @returns why they cannot be used */
async function openFault(store: RunStore, index: IndexThread): Promise<string | undefined> {
  try {
    store.makeFolder();
    store.open(await index.ask('summary', null, SUMMARY_LIMIT_MS).catch(() => undefined));
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** @returns why runs cannot be recorded; without records the server still lists and answers */
function faultOf(store: RunStore): { message: string; problem: string } | undefined {
  try {
    store.requireWritable();
    return undefined;
  } catch (thrown) {
    const message = messageOf(thrown);
    return { message, problem: thrown instanceof RecordError ? thrown.problem : message };
  }
}
