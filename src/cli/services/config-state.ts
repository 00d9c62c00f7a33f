import type { ConfigStamp } from '../../lib/config/config-stamp.ts';
import type { RigConfig } from '../../rig/configuration/load-rig-config.ts';
import { serviceHash } from '../../rig/configuration/sections.ts';
import { changedAt } from '../config/rig-file.ts';

/** The configuration that a service runs with, beside the file as it is now. */
export interface ConfigState {
  /** False: the file says something else by now of what the service reads. */
  isCurrent: boolean;
  /** ISO time. */
  loadedAt: string;
}

/**
 * @param stamp as the service reports it
 * @param startedAt of a service that reports none, wall clock in milliseconds: what was changed later it has not read
 * @param now the file as it is now; undefined where it cannot be read
 * @returns null where nothing is known
 */
export function configState(
  service: string,
  stamp: ConfigStamp | undefined,
  startedAt: number | undefined,
  now: RigConfig | undefined,
): ConfigState | null {
  if (now === undefined) return null;
  if (stamp) return { isCurrent: stamp.sha256 === serviceHash(now.file, service), loadedAt: stamp.loaded_at };
  const changed = changedAt(now.path);
  if (startedAt === undefined || changed === undefined) return null;
  return { isCurrent: startedAt >= changed, loadedAt: new Date(startedAt).toISOString() };
}
