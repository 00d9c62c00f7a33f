import { EXIT } from '../errors/exit-code.ts';
import { askService } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import { type RigPlace, rigPlace } from '../profile/rig-place.ts';
import { type ServiceRow, serviceRows } from '../services/service-rows.ts';
import { notRunning } from '../services/services-command.ts';
import { endProcess } from '../start/own-processes.ts';
import { inUseError, startError } from '../start/start-error.ts';
import type { ConfigOptions } from './config-check.ts';
import { rigFile } from './rig-file.ts';

/** What the bridge reaches its devices through goes first; who starts runs goes last. */
const ORDER = [
  'svc-pump',
  'svc-lung',
  'svc-sensors',
  'svc-guard-partner',
  'svc-guard',
  'svc-bridge',
  'svc-server',
];
/** A service that moves something leaves it safe first, 10 s at most, and makes it safe again when it has started. */
const READY_LIMIT_MS = 30_000;
/** It finishes a safe state that is under way. */
const GUARD_END_LIMIT_MS = 10_000;
const POLL_MS = 500;

/**
 * `svcctl config apply`: starts those services again that run with an older configuration, one after the other. A file with faults
 * changes nothing, and a leased rig is left alone.
 * @returns 0; @throws ConfigError; CliError 75 while the rig is leased, 3 when a service cannot be started again
 */
export async function configApply({ json }: ConfigOptions, io: Io): Promise<number> {
  const place = rigPlace(io);
  const { path = null } = rigFile(place);
  if (!(await place.supervisor.isRunning())) throw notRunning(place.folder.path);
  const rows = await serviceRows(place, []);
  const older = rows.filter(isOlder).sort((one, other) => rankOf(one) - rankOf(other));
  const lost = older.filter(({ state }) => state !== 'online' && state !== 'systemd').map(({ name }) => name);
  if (lost.length > 0)
    throw startError(
      'no_supervisor',
      `${lost.join(', ')} cannot be started again, PM2 does not look after it: svcctl services --adopt`,
    );
  if (older.length > 0) await refuseWhileLeased(rows, io);
  for (const row of older) {
    // systemd starts a guard again that has ended.
    if (row.state === 'systemd') await endProcess(row.pid ?? 0, GUARD_END_LIMIT_MS, io.clock);
    else await place.supervisor.ask(['restart', row.name]);
    await current(place, row);
    if (!json) io.stdout.write(`${row.name} was started again\n`);
  }
  const document = { ok: true, file: path, restarted: older.map(({ name }) => name) };
  const said = `every service runs with ${path ?? 'the defaults'}`;
  io.stdout.write(`${json ? JSON.stringify(document) : said}\n`);
  return EXIT.ok;
}

const isOlder = ({ config }: ServiceRow): boolean => config?.isCurrent === false;

function rankOf({ name }: ServiceRow): number {
  const rank = ORDER.indexOf(name);
  return rank < 0 ? ORDER.length : rank;
}

/** A restart of the bridge, or of what it moves, would end the run of the one that holds the lease. */
async function refuseWhileLeased(rows: readonly ServiceRow[], { env, clock }: Io): Promise<void> {
  const port = rows.find(({ name }) => name === 'svc-bridge')?.port;
  if (typeof port !== 'number') return;
  const call = { token: env.SVC_API_TOKEN, timeoutMs: READY_LIMIT_MS, clock };
  const answer = await askService(`http://127.0.0.1:${port}/api/v1/lease`, call);
  // A bridge that does not answer grants no lease either.
  if (answer === undefined || answer.held === false) return;
  const who = answer.held === true ? `is leased to ${answer.owner}` : `does not report whether it is leased`;
  throw inUseError('lease_held', `the rig ${who}: wait for the end of its run, then apply again`);
}

/** Resolves when the service runs with the file as it is now. @throws CliError `service_not_ready` */
async function current(place: RigPlace, { name, pid }: ServiceRow): Promise<void> {
  const { clock } = place.io;
  const until = clock.monotonic() + READY_LIMIT_MS;
  while (clock.monotonic() < until) {
    const row = (await serviceRows(place, [])).find((one) => one.name === name && one.pid !== null);
    if (row && row.pid !== pid && row.config?.isCurrent) return;
    await clock.sleep(POLL_MS);
  }
  throw startError(
    'service_not_ready',
    `${name} was started again and does not run with the new configuration within ${READY_LIMIT_MS / 1000} s: svcctl services, and its log below ${place.folder.logs}`,
  );
}
