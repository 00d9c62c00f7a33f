import type { Clock } from '../../lib/clock/clock.ts';
import { askHolder } from '../../lib/lock/ask-holder.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { listenerPid } from '../../lib/lock/lock-listener.ts';
import { deviceLocks } from '../../rig/profiles/device-locks.ts';
import type { ServiceProcess, SupervisedService } from '../../rig/profiles/plan.ts';
import { ADC_SERVICES, isAdcService } from '../../rig/profiles/profile.ts';
import type { LockState } from '../../rig/profiles/profile-status.ts';
import { ownProcesses } from '../start/own-processes.ts';
import type { RuntimeFolder } from '../start/runtime-folder.ts';
import type { SupervisedApp } from '../start/supervisor.ts';
import type { Settings } from './rig-files.ts';

/** Asks the locks themselves who holds them. @throws TransportError, ProfileError `address_invalid` */
export function askLocks(settings: Settings, clock: Clock): Promise<LockState[]> {
  return Promise.all(
    deviceLocks(settings).map(async (lock) => {
      const answers = await Promise.all(
        lock.keys.map(async (key) => ({ key, answer: await askHolder(lockAddress(key), clock) })),
      );
      const held = answers.filter(({ answer }) => answer !== 'gone');
      // One that says its name reports more than one that does not.
      const best = held.find(({ answer }) => typeof answer !== 'string') ?? held[0];
      if (best === undefined || best.answer === 'gone') return { ...lock, holder: undefined, pid: undefined };
      const { key, answer } = best;
      return { ...lock, holder: answer, pid: typeof answer === 'string' ? lockOwner(key) : answer.pid };
    }),
  );
}

/** Processes of ADC services that belong to this rig. */
export const adcProcesses = (folder: RuntimeFolder): ServiceProcess[] =>
  ownProcesses(folder, ADC_SERVICES).flatMap(({ role, pid, bornSupervised }) =>
    isAdcService(role) ? [{ name: role, pid, bornSupervised }] : [],
  );

export const adcApps = (apps: readonly SupervisedApp[]): SupervisedService[] =>
  apps.flatMap(({ name, pid, state }) => (isAdcService(name) ? [{ name, pid, state }] : []));

/**
 * The process that holds a lock, as the kernel knows it: also one that hangs and does not say its name. Undefined when
 * no one holds it, or a program of another account. Linux only.
 */
export const lockOwner = (key: string): number | undefined => listenerPid(lockAddress(key));
