import { join } from 'node:path';
import type { Program } from '../bench/program.ts';
import type { Case, ScenarioName } from './cases.ts';
import { boundariesOf, eventsIn } from './run-events.ts';
import type { SafetyRig } from './safety-rig.ts';

/** When each command of a scenario has ended in a run that passes, milliseconds since its start. */
export type Reference = Readonly<Record<ScenarioName, readonly number[]>>;

/** Begins the run of a case. One that is to exceed its time gets as much as its boundary took in the reference. */
export function startRun(rig: SafetyRig, one: Case, events: string, reference: Reference): Program {
  const timeMs = Math.max(1, Math.round(reference[one.scenario][one.boundary - 1] ?? 0));
  return execute(rig, one.scenario, events, one.end === 'time-out' ? ['--timeout-run', `${timeMs}ms`] : []);
}

/** @throws Error unless the run passes */
export async function measureBoundaries(rig: SafetyRig, scenario: ScenarioName): Promise<number[]> {
  const events = join(rig.folder.path, 'reference.ndjson');
  const { code, stdout, stderr } = await execute(rig, scenario, events, []).ended;
  if (code !== 0) throw new Error(`${scenario} does not pass on the rig (${code}): ${stdout}${stderr}`);
  return boundariesOf(eventsIn(events)).map(({ t }) => t);
}

function execute(rig: SafetyRig, scenario: ScenarioName, events: string, more: readonly string[]): Program {
  const place = ['--mode', 'execute', '--firmware-url', rig.bridgeUrl, '--events', events];
  return rig.svcctl('run', `scenarios/${scenario}.oql`, ...place, ...more);
}
