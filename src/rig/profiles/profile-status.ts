import type { LockHolder } from '../../lib/lock/lock.ts';
import type { DeviceLock } from './device-locks.ts';
import type { ServiceProcess, SupervisedService } from './plan.ts';
import { ADC_SERVICES, type Profile, servicesOf } from './profile.ts';

/** A lock and who answers on it. */
export interface LockState extends DeviceLock {
  /** `silent`: held by an unidentified program; `foreign`: by another account; undefined: free. */
  holder: LockHolder | 'silent' | 'foreign' | undefined;
  /** Of the holder; that of a silent one as the kernel knows it, undefined where it does not report. */
  pid: number | undefined;
}

export interface ProfileStatus {
  /** As the profile file says; undefined when none was chosen yet. */
  profile: Profile | undefined;
  supervised: readonly SupervisedService[];
  processes: readonly ServiceProcess[];
  locks: readonly LockState[];
}

/** `svc-adc-usb (pid 4123, port 8212, since ...)` */
export function holderText({ holder, pid }: Pick<LockState, 'holder' | 'pid'>): string {
  if (holder === undefined) return 'no process';
  if (holder === 'foreign') return 'a program of another account';
  if (holder === 'silent') return `a program that does not answer${pid === undefined ? '' : ` (pid ${pid})`}`;
  return `${holder.service} (pid ${holder.pid}, port ${holder.port ?? 'none'}, since ${holder.since})`;
}

/** Holders that hang: they own a device and do not even say their name. */
export const hungPids = (locks: readonly LockState[]): Set<number> =>
  new Set(locks.flatMap(({ holder, pid }) => (holder === 'silent' && pid !== undefined ? [pid] : [])));

/** Where what runs differs from what the profile says, one sentence each; empty when all is as it should be. */
export function mismatches({ profile, supervised, processes, locks }: ProfileStatus): string[] {
  const wanted: readonly string[] = profile === undefined ? [] : servicesOf(profile);
  const said = profile === undefined ? 'no profile was chosen' : `the profile is ${profile}`;
  const pids = new Set(supervised.map(({ pid }) => pid));
  const services = ADC_SERVICES.flatMap((name) => {
    const running = processes.filter((one) => one.name === name);
    const sentences = running
      .filter(({ pid }) => !pids.has(pid))
      .map(({ pid, bornSupervised }) =>
        bornSupervised
          ? `${name} (pid ${pid}) has lost its supervisor`
          : `${name} (pid ${pid}) was started by hand`,
      );
    if (!wanted.includes(name))
      return running.some(({ pid }) => pids.has(pid)) ? [`${name} runs, but ${said}`] : sentences;
    const state = supervised.find((one) => one.name === name)?.state;
    return running.length === 0 ? [`${name} does not run (${state ?? 'not started'})`] : sentences;
  });
  const own = new Set(processes.map(({ pid }) => pid));
  const hung = hungPids(locks);
  const hanging = processes
    .filter(({ pid }) => hung.has(pid))
    .map(({ name, pid }) => `${name} (pid ${pid}) hangs: it owns a device and does not answer`);
  const foreign = heldByOthers(locks, own).map(
    (lock) => `the ${lock.device} is held by ${holderText(lock)}, which does not belong to this rig`,
  );
  return [...services, ...hanging, ...foreign];
}

/** The locks whose holder is not one of `pids`; an unknown holder is none of them. */
export const heldByOthers = (locks: readonly LockState[], pids: ReadonlySet<number>): LockState[] =>
  locks.filter(({ holder, pid }) => holder !== undefined && (pid === undefined || !pids.has(pid)));

/** Whether each service of a profile owns a device and listens, and no other owns one. */
export function isUp(profile: Profile, locks: readonly LockState[]): boolean {
  const wanted: readonly string[] = servicesOf(profile);
  const holders = locks.flatMap(({ holder }) => (holder === undefined ? [] : [holder]));
  return (
    // The port comes after the lock.
    holders.every(
      (holder) => typeof holder !== 'string' && wanted.includes(holder.service) && holder.port !== null,
    ) &&
    wanted.every((name) => holders.some((holder) => typeof holder !== 'string' && holder.service === name))
  );
}
