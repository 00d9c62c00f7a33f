import { GUARD_UNITS, isGuardOfSystemd } from '../../rig/profiles/guard-units.ts';
import { ADC_SERVICES } from '../../rig/profiles/profile.ts';
import { RIG_SERVICES } from '../../rig/profiles/rig-services.ts';
import type { RigPlace } from '../profile/rig-place.ts';
import { lastLines, readyOf } from '../start/await-ready.ts';
import { claimFolder, createParts } from '../start/folder-content.ts';
import { onlySwitch } from '../start/only-one.ts';
import { endOwnProcesses, type OwnProcess, ownProcesses, type Role } from '../start/own-processes.ts';
import { startError } from '../start/start-error.ts';
import { askGuard } from './health.ts';
import { requireSupervisor } from './require-supervisor.ts';

export interface Adopted {
  /** Processes that had lost their supervisor, in the order in which they were ended. */
  ended: readonly Pick<OwnProcess, 'role' | 'pid'>[];
  /** Services that PM2 has started in their place, or that it did not run. */
  started: readonly string[];
}

const SERVICES: readonly Role[] = [...RIG_SERVICES, 'svc-guard-partner', ...ADC_SERVICES, 'svc-bench'];
const READY_LIMIT_MS = 30_000;
const POLL_MS = 50;

/**
 * Ends the services of this rig that PM2 has started and does not know any more, because it was killed and started anew; each
 * leaves its device safe at its end. Then PM2 starts those of `wanted` that do not run. What was started by hand is left alone.
 * @throws CliError `switch_running`, `processes_left`, `service_not_ready`, `supervisor_failed`
 */
export async function adopt(place: RigPlace, wanted: readonly string[]): Promise<Adopted> {
  const { folder, supervisor, io } = place;
  claimFolder(folder);
  createParts(folder);
  const unlock = await onlySwitch(folder, io.clock);
  try {
    await requireSupervisor(place);
    const ended = await orphans(place);
    const pids = new Set(ended.map(({ pid }) => pid));
    await endOwnProcesses(folder, io.clock, SERVICES, ({ pid }) => pids.has(pid));
    const left = ownProcesses(folder, SERVICES).filter(({ pid }) => pids.has(pid));
    if (left.length > 0)
      throw startError(
        'processes_left',
        `${left.map(({ role, pid }) => `${role} (pid ${pid})`).join(', ')} cannot be ended: kill -9 them, then svcctl services --adopt`,
      );
    const apps = await supervisor.list();
    const units: readonly string[] = isGuardOfSystemd(place.settings) ? GUARD_UNITS : [];
    const missing = wanted.filter(
      (name) =>
        !units.includes(name) &&
        !apps.some((app) => app.name === name && app.state === 'online' && app.pid > 0),
    );
    const listed = apps.filter(({ name }) => missing.includes(name)).map(({ name }) => name);
    if (listed.length > 0) await supervisor.ask(['delete', `/^(${listed.join('|')})$/`]);
    if (missing.length > 0) await supervisor.start(missing);
    await allReady(place, missing);
    return { ended: ended.map(({ role, pid }) => ({ role, pid })), started: missing };
  } finally {
    await unlock();
  }
}

/** A partner of a guard that PM2 looks after is looked after by that guard. */
async function orphans({ folder, supervisor }: RigPlace): Promise<OwnProcess[]> {
  const known = new Set((await supervisor.list()).map(({ pid }) => pid));
  const found = ownProcesses(folder, SERVICES).filter(
    ({ pid, bornSupervised }) => bornSupervised && !known.has(pid),
  );
  const hasLostGuard = found.some(({ role }) => role === 'svc-guard');
  const inOrder = SERVICES.flatMap((role) => found.filter((one) => one.role === role));
  return inOrder.filter(({ role }) => role !== 'svc-guard-partner' || hasLostGuard || known.size === 0);
}

/** Until each has said that it can be used, as the process that PM2 has started. */
async function allReady(place: RigPlace, names: readonly string[]): Promise<void> {
  const { folder, supervisor, io } = place;
  const until = io.clock.monotonic() + READY_LIMIT_MS;
  for (;;) {
    const apps = names.length > 0 ? await supervisor.list() : [];
    let late: string | undefined;
    for (const name of names) {
      const pid = apps.find((app) => app.name === name)?.pid ?? 0;
      if (late === undefined && !(await isReady(name, pid, place))) late = name;
    }
    if (late === undefined) return;
    if (io.clock.monotonic() >= until)
      throw startError('service_not_ready', `${late} is not ready${lastLines(late, folder)}`);
    await io.clock.sleep(POLL_MS);
  }
}

/** A guard is ready as well when it stands by for another one of this rig. */
async function isReady(name: string, pid: number, { folder, settings, io }: RigPlace): Promise<boolean> {
  if (pid === 0) return false;
  if (name !== 'svc-guard') return readyOf(name, folder)?.pid === pid;
  const guards = ownProcesses(folder, ['svc-guard', 'svc-guard-partner']).map((one) => one.pid);
  return (await askGuard(pid, guards, settings, io)).ok === true;
}
