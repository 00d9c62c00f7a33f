import { askService } from '../io/call-service.ts';
import { inUseError } from '../start/start-error.ts';
import { bridgeUrl, rigEnvironment } from '../stop/rig-environment.ts';
import type { RigPlace } from './rig-place.ts';

/** A bridge that gives no answer for longer is hung: the guard ends every lease of it. */
const ANSWER_LIMIT_MS = 2000;

/**
 * Before anything is stopped: a run measures with the services that a switch stops. A bridge that does not answer has
 * no lease to protect, and the switch is then part of the repair.
 * @throws CliError `lease_held` with exit code 75, which names the holder
 */
export async function refuseWhileLeased({ io, settings }: RigPlace, again: string): Promise<void> {
  const env = { ...settings, ...rigEnvironment(io) };
  const lease = await askService(`${bridgeUrl(undefined, env)}/api/v1/lease`, {
    token: env.SVC_API_TOKEN,
    timeoutMs: ANSWER_LIMIT_MS,
    clock: io.clock,
  });
  if (lease?.held !== true) return;
  throw inUseError(
    'lease_held',
    `the rig is leased to ${String(lease.owner)}, nothing was stopped or started: wait until that ends, or end it (svcctl stop), then ${again}`,
  );
}
