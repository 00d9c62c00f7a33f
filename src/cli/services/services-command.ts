import type { CodedError } from '../../lib/errors/coded-error.ts';
import { type Profile, ProfileError } from '../../rig/profiles/profile.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { table } from '../io/table.ts';
import { readProfile } from '../profile/rig-files.ts';
import { type RigPlace, rigPlace } from '../profile/rig-place.ts';
import { startError } from '../start/start-error.ts';
import { type Adopted, adopt } from './adopt.ts';
import type { ConfigState } from './config-state.ts';
import { type ServiceRow, serviceRows, wantedServices } from './service-rows.ts';

export interface ServicesOptions {
  json?: true;
  /** End what has lost its supervisor, and start what does not run. */
  adopt?: true;
}

/**
 * `svcctl services`: what runs, and how it is.
 * @returns 0; 1 when a service is not as it should be; 3 when PM2 does not run or the profile cannot be read
 */
export async function servicesCommand(options: ServicesOptions, io: Io): Promise<number> {
  const place = rigPlace(io);
  const faults: CodedError[] = [];
  const wanted = wantedServices(place.settings, profileOf(place, faults));
  const adopted = options.adopt ? await adopt(place, wanted) : undefined;
  if (!(await place.supervisor.isRunning())) faults.push(notRunning(place.folder.path));
  const services = await serviceRows(place, wanted);
  const ok = faults.length === 0 && services.every((row) => row.ok);
  const [fault] = faults;
  const told = { services, ...(adopted ? { adopted } : {}) };
  const document = fault ? { ok, error: fault.message, code: fault.code, ...told } : { ok, ...told };
  if (adopted && !options.json) io.stdout.write(adoptedText(adopted));
  io.stdout.write(`${options.json ? JSON.stringify(document) : serviceLines(services).join('\n')}\n`);
  for (const { message } of faults) io.stderr.write(`svcctl: ${message}\n`);
  if (fault) return EXIT.error;
  return ok ? EXIT.ok : EXIT.failed;
}

function adoptedText({ ended, started }: Adopted): string {
  const ends = ended.map(({ role, pid }) => `ended ${role} (pid ${pid}), which had no supervisor\n`);
  return [...ends, ...started.map((name) => `started ${name}\n`)].join('');
}

/** A damaged profile file is reported, and the table is shown all the same. */
function profileOf({ profileFile }: RigPlace, faults: CodedError[]): Profile | undefined {
  try {
    return readProfile(profileFile);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    faults.push(error);
    return undefined;
  }
}

export const notRunning = (path: string) =>
  startError(
    'supervisor_down',
    `PM2 does not run for ${path}: npm start brings up the bench, svcctl profile the ADC services, ` +
      'svcctl services --adopt a rig whose PM2 was killed, and RIG_RUNTIME_DIR names the folder of another rig',
  );

export function serviceLines(services: readonly ServiceRow[]): string[] {
  return table([
    ['SERVICE', 'STATE', 'PID', 'UPTIME', 'MEMORY', 'RESTARTS', 'PORT', 'CONFIG', 'HEALTH'],
    ...services.map((row) => [
      row.name,
      row.state,
      text(row.pid),
      row.uptimeMs === null ? '-' : uptimeText(row.uptimeMs),
      row.memoryBytes === null ? '-' : `${(row.memoryBytes / 2 ** 20).toFixed(0)} MiB`,
      text(row.restarts),
      text(row.port),
      configText(row.config),
      row.health,
    ]),
  ]);
}

/** `older` marks a service that has not read what the file says now; `svcctl config apply` starts it again. */
function configText(config: ConfigState | null): string {
  if (config === null) return '-';
  return config.isCurrent ? 'current' : `older (${config.loadedAt.slice(0, 19)}Z)`;
}

const text = (value: number | null): string => (value === null ? '-' : String(value));

/** `42s`, `5m 3s`, `2h 5m`, `3d 4h` */
export function uptimeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const;
  const first = units.findIndex(([, size]) => seconds >= size);
  const shown = first < 0 ? [units[3]] : units.slice(first, first + 2);
  let rest = seconds;
  return shown
    .map(([unit, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return `${count}${unit}`;
    })
    .join(' ');
}
