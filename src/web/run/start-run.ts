import type { ScenarioPlan } from '../../services/server/scenarios/scenario-plan.ts';
import { request } from '../api/request.ts';
import { sendEntries, station, stationFault } from './station.ts';

/**
 * Starts a run with the variables of the plan for the unit that is shown now, whatever is entered or scanned while the request is under way.
 * @param simulated a bridge in mock mode will do
 * @returns id of the run
 * @throws RequestError also when the entries did not reach the server
 */
export async function startRun(
  plan: Pick<ScenarioPlan, 'scenario_id' | 'variables'>,
  simulated: boolean,
): Promise<string> {
  const body = bodyOf(plan, simulated);
  await sendEntries();
  if (stationFault.value !== undefined) throw stationFault.value;
  const path = `/api/scenarios/${encodeURIComponent(plan.scenario_id)}/run`;
  const { run_id } = await request<{ run_id: string }>(path, { body });
  return run_id;
}

/** Empty entries are left out: the record says that nothing was given. */
function bodyOf({ variables }: Pick<ScenarioPlan, 'variables'>, simulated: boolean): object {
  const entries = station.value;
  const given = {
    operator: entries?.operator.trim(),
    unit_under_test: entries?.serial.trim(),
    part: entries?.part.trim(),
    revision: entries?.revision.trim(),
    batch: entries?.batch.trim(),
  };
  return {
    mode: 'execute',
    started_by: 'page',
    ...(simulated ? { simulated: true } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
  };
}
