import { relative } from 'node:path';
import * as z from 'zod';
import { bounded } from '../../../lib/clock/bounded.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { calibrationStatus } from '../../../rig/calibration/calibration-status.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { hasErrors } from '../../../scenario/load.ts';
import { performRun } from '../../../scenario/perform-run.ts';
import type { Fetch } from '../../../scenario/rig/http/bridge-client.ts';
import { HttpRig } from '../../../scenario/rig/http/http-rig.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import { givenVariables } from '../given-variables.ts';
import { type FoundScenario, readScenario } from './find-scenarios.ts';
import { findingLine, findingOf } from './finding.ts';
import { loadForRun } from './load-for-run.ts';
import { missingDevices } from './missing-devices.ts';
import { withRemedy } from './with-remedy.ts';

/** A rehearsal that takes longer is left out of the plan, ms. */
const REHEARSAL_MS = 3000;
/** Checks of a plan; a loop repeats the same ones. */
const MOST_CHECKS = 500;
const PREFLIGHT_MS = 4500;

export const planSchema = z.object({
  scenario_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  device_type: z.string().nullable(),
  /** Findings of text and safety that keep it from being run. */
  faults: z.array(z.string()),
  /** What was given, for which all of this holds. */
  variables: givenVariables,
  blocks: z.array(z.object({ name: z.string(), kind: z.enum(['GOAL', 'CONFIG']), teardown: z.boolean() })),
  parameters: z.array(
    z.object({ name: z.string(), value: z.union([z.string(), z.number()]), unit: z.string().nullable() }),
  ),
  /** What will be judged, in the order of a rehearsal; limits that follow from readings are those of the rehearsal. */
  checks: z.array(
    z.object({
      block: z.int().nullable(),
      kind: z.string(),
      sensor: z.string().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      unit: z.string().nullable(),
    }),
  ),
  /** Time that a rehearsal takes, ms; null where it was not completed. */
  expected_ms: z.number().nullable(),
  calibrations: z.array(
    z.object({
      sensor: z.string(),
      id: z.string(),
      due_at: z.string().nullable(),
      /** Why it may not be used now; null when it may. */
      fault: z.string().nullable(),
    }),
  ),
  /** Why a run in execute mode would be refused now, with the remedy; null when it would not. */
  obstacle: z.string().nullable(),
});
export type ScenarioPlan = z.output<typeof planSchema>;

/** A run that someone considers. */
export interface PlanRequest {
  variables: z.output<typeof givenVariables>;
  /** A bridge in mock mode will do. */
  simulated: boolean;
}

export interface PlanParts extends PlanRequest {
  rig: ConfiguredRig;
  /** Of the scenarios. */
  folder: string;
  firmwareUrl: string;
  token: string | undefined;
  clock: Clock;
  fetch: Fetch | undefined;
  /** The service is in mock mode. */
  requireMock: boolean;
}

/** What a scenario will do and check, and whether this rig would run it now. Nothing is actuated. */
export async function scenarioPlan(found: FoundScenario, parts: PlanParts): Promise<ScenarioPlan> {
  const { rig, folder, clock, variables } = parts;
  const source = readScenario(found);
  const { checked } = loadForRun(found, source, { mode: 'execute', variables }, rig, folder);
  const { program, diagnostics } = checked;
  const faults = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((one) => findingLine(findingOf(one, folder), relative(folder, found.path)));
  const dry = loadForRun(found, source, { mode: 'dry-run', variables }, rig, folder);
  const [rehearsal, obstacle] = await Promise.all([
    hasErrors(dry.checked.diagnostics) ? NOTHING : rehearsed(dry.checked, found.path, parts),
    faults.length > 0 ? null : obstacleOf(program.uses, parts),
  ]);
  return {
    scenario_id: found.id,
    name: program.scenario ?? found.id,
    description: program.metadata.DESCRIPTION ?? null,
    device_type: program.metadata.DEVICE_TYPE ?? null,
    faults,
    variables,
    blocks: program.blocks.map(({ name, kind, teardown }) => ({ name, kind, teardown })),
    parameters: Object.entries(program.defaults).map(([name, { value, unit }]) => ({
      name,
      value,
      unit: unit ?? null,
    })),
    ...rehearsal,
    calibrations: program.uses.calibrated.flatMap((sensor) => {
      const calibration = rig.registry.sensor(sensor)?.calibration;
      if (!calibration) return [];
      const { fault } = calibrationStatus(calibration, clock.now());
      return [{ sensor, id: calibration.id, due_at: calibration.dueAt ?? null, fault }];
    }),
    obstacle,
  };
}

type Rehearsal = Pick<ScenarioPlan, 'checks' | 'expected_ms'>;
const NOTHING: Rehearsal = { checks: [], expected_ms: null };

type Loaded = Parameters<typeof performRun>[0];

async function rehearsed(
  loaded: Loaded,
  path: string,
  { rig, clock, variables }: PlanParts,
): Promise<Rehearsal> {
  const checks = new Map<string, ScenarioPlan['checks'][number]>();
  let expectedMs: number | null = null;
  const stop = new AbortController();
  const cancel = clock.after(REHEARSAL_MS, () => stop.abort(new Error('the plan is limited in time')));
  const onEvent = (event: RunEvent) => {
    if (event.type === 'run.end' && event.outcome !== 'aborted') expectedMs = event.durationMs;
    if (event.type !== 'check' || checks.size >= MOST_CHECKS) return;
    const { goal: block, kind, sensor, low, high, unit } = event;
    checks.set(JSON.stringify([block, kind, sensor, low, high, unit]), {
      ...{ block, kind, sensor, low, high, unit },
    });
  };
  try {
    const { registry } = rig;
    const { signal } = stop;
    await performRun(loaded, path, { mode: 'dry-run', registry, clock, signal, onEvent, variables });
  } finally {
    cancel();
  }
  return { checks: [...checks.values()], expected_ms: expectedMs };
}

/** What a start would be refused for, then what the preflight of a run asks. */
async function obstacleOf(
  uses: Parameters<HttpRig['preflight']>[0],
  parts: PlanParts,
): Promise<string | null> {
  const { rig, firmwareUrl, token, simulated, requireMock, clock, fetch } = parts;
  const missing = simulated ? [] : missingDevices(uses, rig, firmwareUrl);
  if (missing.length > 0) return missing.map(withRemedy).join(' ');
  const ignore = () => {};
  const asked = new HttpRig({
    ...(token === undefined ? {} : { token }),
    firmwareUrl,
    registry: rig.registry,
    clock,
    ...(fetch === undefined ? {} : { fetch }),
    owner: 'plan',
    simulated,
    requireReal: rig.config.requireReal,
    requireMock,
    withoutGuard: false,
    mirror: false,
    observer: { event: ignore, marked: ignore, warning: ignore, finding: ignore, leaseLost: ignore },
  });
  const late = () => new Error(`the bridge has not answered within ${PREFLIGHT_MS / 1000} s`);
  try {
    await bounded((signal) => asked.preflight(uses, signal), { clock, limitMs: PREFLIGHT_MS, late });
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
