import { basename } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { processIdOf, processIds, readProc } from '../../lib/proc.ts';
import { PARTNER_MARK } from '../../rig/guard/partner-mark.ts';
import { ADC_SERVICES, type AdcService } from '../../rig/profiles/profile.ts';
import { RIG_SERVICES, type RigService } from '../../rig/profiles/rig-services.ts';
import type { RuntimeFolder } from './runtime-folder.ts';

/** `svc-guard-partner`: a guard that a guard has started, not PM2. */
export type Role =
  | 'svcctl'
  | 'pm2-command'
  | 'pm2'
  | 'svc-bench'
  | 'svc-guard-partner'
  | RigService
  | AdcService;

export interface OwnProcess {
  pid: number;
  role: Role;
  /** PM2 started it, perhaps one that has died since: it carries PM2's number of it. */
  bornSupervised: boolean;
}

/**
 * In this order they are ended, where PM2 has not done it: the run makes its teardown; PM2, and what still asks it to
 * start something, goes before the services, which it would start again; the bridge makes the rig safe while
 * what it moves is still there. Each within the time it needs itself, then by SIGKILL.
 */
const ENDING: readonly { role: Role; limitMs: number }[] = [
  { role: 'svcctl', limitMs: 70_000 },
  { role: 'pm2-command', limitMs: 1000 },
  { role: 'pm2', limitMs: 25_000 },
  ...RIG_SERVICES.map((role) => ({ role, limitMs: 10_000 })),
  { role: 'svc-guard-partner', limitMs: 10_000 },
  ...ADC_SERVICES.map((role) => ({ role, limitMs: 8_000 })),
  { role: 'svc-bench', limitMs: 5_000 },
];

const PROGRAMS: readonly Role[] = ['svcctl', 'svc-bench', ...RIG_SERVICES, ...ADC_SERVICES];
const ROLES: readonly Role[] = ENDING.map(({ role }) => role);

/** Commands of PM2 after which other processes run than before; `pm2 logs` and the like end when they are ended. */
const CHANGING = ['start', 'restart', 'reload', 'resurrect', 'stop', 'delete', 'save', 'kill'];

const POLL_MS = 25;

/**
 * Living processes of a start in this folder. A pid alone proves nothing: the process must carry the folder in its
 * environment and be one of our programs or PM2's daemon. Reads Linux's /proc.
 */
export function ownProcesses(folder: RuntimeFolder, roles: readonly Role[] = ROLES): OwnProcess[] {
  const mark = `RIG_RUNTIME_DIR=${folder.path}`;
  return processIds().flatMap((pid) => {
    if (pid === process.pid) return [];
    const environment = readProc(`/proc/${pid}/environ`).split('\0');
    if (!environment.includes(mark)) return [];
    const role = roleOf(readProc(`/proc/${pid}/cmdline`), environment);
    if (role === undefined || !roles.includes(role)) return [];
    return [{ pid, role, bornSupervised: environment.some((one) => one.startsWith('pm_id=')) }];
  });
}

/** Ends them all, or those of some roles, or of them only `which`. */
export async function endOwnProcesses(
  folder: RuntimeFolder,
  clock: Clock,
  roles: readonly Role[] = ROLES,
  which: (process: OwnProcess) => boolean = () => true,
): Promise<void> {
  for (const { role, limitMs } of ENDING) {
    const found = roles.includes(role) ? ownProcesses(folder, [role]).filter(which) : [];
    await Promise.all(found.map(({ pid }) => endProcess(pid, limitMs, clock)));
  }
}

/** By SIGTERM; by SIGKILL when that has not ended it within `limitMs`. */
export async function endProcess(pid: number, limitMs: number, clock: Clock): Promise<void> {
  for (const [signal, timeMs] of [
    ['SIGTERM', limitMs],
    ['SIGKILL', 2000],
  ] as const) {
    send(pid, signal);
    const until = clock.monotonic() + timeMs;
    while (processIdOf(pid) && clock.monotonic() < until) await clock.sleep(POLL_MS);
    if (!processIdOf(pid)) return;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Our programs are bundles run by node. PM2's daemon gives itself a title, of which as much is left as fits into the
 * command line it was started with; just forked it is still that command line.
 */
function roleOf(commandLine: string, environment: readonly string[]): Role | undefined {
  if (/^PM2 v[\d.]+: God/.test(commandLine)) return 'pm2';
  const [, script = '', command = ''] = commandLine.split('\0');
  if (script.endsWith('/pm2/lib/Daemon.js')) return 'pm2';
  if (script.endsWith('/pm2/bin/pm2') && CHANGING.includes(command)) return 'pm2-command';
  const role = PROGRAMS.find((one) => basename(script) === `${one}.cjs`);
  const isPartner = environment.some((one) => one.startsWith(`${PARTNER_MARK}=`));
  return role === 'svc-guard' && isPartner ? 'svc-guard-partner' : role;
}
