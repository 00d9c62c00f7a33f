import type { Sensor } from '../../rig/registry/registry.ts';
import { RunFault } from '../rig/fault.ts';
import type { LimitedQuantity } from '../rig/measurable.ts';
import type { Limit } from './limit.ts';
import type { RunContext } from './run-context.ts';

/**
 * Refuses a limit that no reading of its sensor can reach. Limits that are written down were judged before the run;
 * these are those that a variable brings.
 * @throws RunFault SCN250
 */
export function requireMeasurable(
  sensor: Sensor | undefined,
  limit: Limit,
  run: RunContext,
  quantity: LimitedQuantity = 'value',
): void {
  const why = sensor && run.rig.unreachable(sensor, limit, quantity);
  if (why !== undefined) throw new RunFault('SCN250', why);
}
