import { readProc } from '../../lib/proc.ts';

/** Units of systemd in which the two guards of an appliance run, by their names without `.service`. */
export const GUARD_UNITS = ['svc-guard', 'svc-guard-partner'] as const;
export type GuardUnit = (typeof GUARD_UNITS)[number];

/** Whether `rig.env` says `RIG_GUARD=systemd`: then PM2 starts no guard. */
export const isGuardOfSystemd = ({ RIG_GUARD }: Readonly<Record<string, string | undefined>>): boolean =>
  RIG_GUARD === 'systemd';

/** The unit that a process belongs to, by its control group; undefined for a guard that systemd did not start. */
export function guardUnitOf(pid: number): GuardUnit | undefined {
  const unit = /\/([^/]+)\.service$/m.exec(readProc(`/proc/${pid}/cgroup`))?.[1];
  return GUARD_UNITS.find((one) => one === unit);
}
