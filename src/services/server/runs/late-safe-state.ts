import type { LateSafeState } from '../../../scenario/records/recover-run.ts';
import type { Firmware } from '../firmware.ts';

const LEASE_TIMEOUT_MS = 2000;
/** It is bounded by 5 s. */
const SAFE_STATE_TIMEOUT_MS = 6000;

/** Under which a run takes the lease. */
export const ownerOf = (runId: string): string => `${runId}@svc-server`;

/**
 * Makes the rig safe when a run that was cut still holds it. Without that the bridge does it when the lease ends.
 * @returns undefined when the run holds the rig no more, or the bridge cannot be asked
 */
export async function makeSafeLate(runId: string, firmware: Firmware): Promise<LateSafeState | undefined> {
  const lease = await firmware.get('/api/v1/lease', LEASE_TIMEOUT_MS);
  if ('silence' in lease || lease.said.owner !== ownerOf(runId)) return undefined;
  const told = await firmware.post('/api/v1/hardware/safe-state?reason=run_recovered', SAFE_STATE_TIMEOUT_MS);
  if ('silence' in told)
    return { ok: false, simulated: false, steps: [{ name: 'safe-state', ok: false, error: told.silence }] };
  const { ok, outcome, steps, error } = told.said;
  const list = Array.isArray(steps) ? steps : [];
  return {
    ok: ok === true,
    simulated: outcome === 'simulated',
    steps:
      list.length > 0 ? list.map(stepOf) : [{ name: 'safe-state', ok: ok === true, error: String(error) }],
  };
}

function stepOf(step: unknown): LateSafeState['steps'][number] {
  const { name, ok, detail } = step as Record<string, unknown>;
  return { name: String(name), ok: ok === true, ...(ok === true ? {} : { error: String(detail) }) };
}
