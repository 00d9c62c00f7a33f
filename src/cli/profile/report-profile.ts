import { messageOf } from '../../lib/errors/coded-error.ts';
import { type Profile, servicesOf } from '../../rig/profiles/profile.ts';
import { holderText, type LockState, mismatches } from '../../rig/profiles/profile-status.ts';
import { adcApps, adcProcesses, askLocks } from './observe.ts';
import { readProfile } from './rig-files.ts';
import type { RigPlace } from './rig-place.ts';

export interface ProfileReport {
  ok: boolean;
  profile: Profile | null;
  file: string;
  supervisor: 'running' | 'not running';
  services: { name: string; pid: number; supervised: boolean }[];
  locks: {
    device: string;
    keys: readonly string[];
    holder: LockState['holder'] | null;
    pid: number | null;
  }[];
  mismatches: string[];
}

/** What the profile file says, what runs and who holds the devices. @throws CliError `supervisor_failed` */
export async function reportProfile({
  folder,
  settings,
  profileFile,
  supervisor,
  io,
}: RigPlace): Promise<ProfileReport> {
  const faults: string[] = [];
  let profile: Profile | undefined;
  try {
    profile = readProfile(profileFile);
  } catch (error) {
    faults.push(messageOf(error));
  }
  const running = await supervisor.isRunning();
  const [apps, locks] = await Promise.all([supervisor.list(), askLocks(settings, io.clock)]);
  const supervised = adcApps(apps);
  const processes = adcProcesses(folder);
  const pids = new Set(supervised.map(({ pid }) => pid));
  faults.push(...mismatches({ profile, supervised, processes, locks }));
  return {
    ok: faults.length === 0,
    profile: profile ?? null,
    file: profileFile,
    supervisor: running ? 'running' : 'not running',
    services: processes.map(({ name, pid }) => ({ name, pid, supervised: pids.has(pid) })),
    locks: locks.map(({ device, keys, holder, pid }) => ({
      device,
      keys,
      holder: holder ?? null,
      pid: pid ?? null,
    })),
    mismatches: faults,
  };
}

export function reportLines({
  profile,
  file,
  services,
  locks,
  supervisor,
  mismatches: faults,
}: ProfileReport): string[] {
  const chosen = profile === null ? 'none chosen' : `${profile} (${servicesOf(profile).join(', ')})`;
  const running = services.map(({ name, pid }) => `${name} (pid ${pid})`);
  return [
    `profile      ${chosen}`,
    `file         ${file}`,
    `supervisor   PM2 is ${supervisor}`,
    `runs         ${running.join(', ') || 'no ADC service'}`,
    ...locks.map(
      ({ device, holder, pid }) =>
        `${device.padEnd(13)}${holder ? `held by ${holderText({ holder, pid: pid ?? undefined })}` : 'free'}`,
    ),
    ...faults.map((fault) => `mismatch     ${fault}`),
    ...(faults.length > 0
      ? [`remedy       svcctl profile ${profile ?? 'stack'} brings the rig to that profile`]
      : []),
  ];
}
