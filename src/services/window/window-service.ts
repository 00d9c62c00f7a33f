import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { exposureFrom, StartRefusedError } from '../../lib/http/exposure.ts';
import { HttpService } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { version } from '../../lib/version.ts';
import type { ProgramContext, RunningProgram, ServiceProgram } from '../../rig/service/program.ts';
import { contextOf, type WindowSettings } from '../../window/operations/context.ts';
import { ThreadPool } from '../../window/worker/pool.ts';
import { problemMembers, WINDOW_PROBLEMS } from './failures.ts';
import { healthRoute } from './health.ts';
import { memoryFor, memoryOfThisMachine } from './machine-memory.ts';
import { operationRoutes } from './operation-routes.ts';
import { windowPage } from './page.ts';
import { modelSettings, refuseUnconfined, windowSettings } from './settings.ts';
import { uploadFolder, uploadRoutes } from './uploads.ts';

const SERVICE = 'svc-window';
const END_LIMIT_MS = 6000;
/** For requests that run when the service is commanded to end. */
const GRACE_MS = 3000;

/** @param entry the program, which is also that of its threads */
export function windowService(entry: URL): ServiceProgram {
  return {
    service: SERVICE,
    description: 'Window analysis: screen images to visual programs',
    prefix: 'SVC_WINDOW',
    defaultPort: 8216,
    endLimitMs: END_LIMIT_MS,
    start: (context) => startWindowService(entry, context),
  };
}

/** @throws StartRefusedError, ListenError */
export async function startWindowService(
  entry: URL,
  { env, configuration, bind, clock, logger }: Omit<ProgramContext, 'config'>,
): Promise<RunningProgram> {
  const exposure = exposureFrom(env, bind.host);
  const settings = windowSettings(env);
  refuseUnconfined(bind.host, settings);
  if (exposure.insecure)
    logger.warn(`${bind.host} is reachable without a token (SVC_ALLOW_INSECURE=1)`, { host: bind.host });
  const model = modelSettings(env);
  checkSettings(settings, clock);
  const uploads = await uploadFolder(settings.stateDir).catch((error: unknown) => {
    logger.warn(`the page can take no images: ${messageOf(error)}; set SVC_STATE_DIR`);
    return undefined;
  });
  const roots = settings.roots && uploads !== undefined ? [...settings.roots, uploads] : settings.roots;
  const pool = new ThreadPool({
    entry,
    settings: { ...settings, roots },
    clock,
    size: availableParallelism(),
    memoryBytes: memoryFor(memoryOfThisMachine()),
    crowding: () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()),
  });
  const started_at = new Date(clock.now()).toISOString();
  const performer = { run: pool.run.bind(pool), clock, model };
  const http = new HttpService({
    service: SERVICE,
    version,
    routes: [
      healthRoute({
        identity: { service: SERVICE, version, pid: process.pid, started_at },
        pool,
        model: model?.model,
        confined: roots !== undefined,
      }),
      ...operationRoutes(performer),
      ...(uploads === undefined ? [] : uploadRoutes(uploads)),
    ],
    exposure,
    clock,
    metrics: new MetricRegistry(),
    randomId: randomUUID,
    log: (line) => logger.info(line),
    logger,
    page: windowPage(),
    ownProblems: WINDOW_PROBLEMS,
    problemMembers,
    configuration,
  });
  const bound = await http.listen(bind.host, bind.port);
  let ending: Promise<{ ok: boolean }> | undefined;
  const end = async () => {
    await http.close(GRACE_MS);
    await pool.close();
    return { ok: true };
  };
  return {
    ...bound,
    shutDown: () => {
      ending ??= end();
      return ending;
    },
  };
}

/** What would fail in every thread fails at the start. @throws StartRefusedError */
function checkSettings(settings: WindowSettings, clock: ProgramContext['clock']): void {
  try {
    contextOf(settings, clock);
  } catch (cause) {
    throw new StartRefusedError(`SVC_WINDOW_ROOTS or SVC_WINDOW_CATALOGUES: ${messageOf(cause)}`);
  }
}
