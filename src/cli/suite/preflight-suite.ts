import { type RunFault, toFault } from '../../scenario/rig/fault.ts';
import { BridgeClient } from '../../scenario/rig/http/bridge-client.ts';
import { preflight, requireCalibrations } from '../../scenario/rig/http/preflight.ts';
import type { Io } from '../io/io.ts';
import { firmwareUrl } from '../options/url.ts';
import type { LoadedScenario } from './load-suite.ts';

/**
 * The preflight of every scenario before the first one moves anything. Actuates nothing, takes no lease.
 * @returns the refusals, in order; undefined for those that could run now
 */
export async function preflightAll(
  scenarios: readonly LoadedScenario[],
  signal: AbortSignal,
  io: Io,
): Promise<(RunFault | undefined)[]> {
  const client = new BridgeClient(io.clock, undefined, io.env.SVC_API_TOKEN || undefined, {
    event: () => {},
  });
  // Scenarios that use the same get the same answer; it is asked for once.
  const known = new Map<string, Promise<RunFault | undefined>>();
  const faults: (RunFault | undefined)[] = [];
  for (const { request, loaded } of scenarios) {
    const key = JSON.stringify(loaded.program.uses);
    const asked = known.get(key) ?? refusalOf({ request, loaded }, client, signal, io);
    known.set(key, asked);
    faults.push(await asked);
    if (signal.aborted) break;
  }
  return faults;
}

async function refusalOf(
  { request, loaded }: Pick<LoadedScenario, 'request' | 'loaded'>,
  client: BridgeClient,
  signal: AbortSignal,
  io: Io,
): Promise<RunFault | undefined> {
  const { rig, options } = request;
  const { uses } = loaded.program;
  const base = firmwareUrl(options.firmwareUrl, io.env);
  const { requireReal, registry } = rig;
  const allowed = {
    simulated: options.simulated === true,
    requireReal,
    requireMock: false,
    withoutGuard: options.withoutGuard === true,
  };
  try {
    await preflight({ client, base, uses, registry, ...allowed, clock: io.clock, signal });
    requireCalibrations(uses.calibrated, registry, io.clock.now());
    return undefined;
  } catch (thrown) {
    return toFault(thrown);
  }
}
