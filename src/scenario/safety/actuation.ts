import type { Instruction } from '../program/instruction.ts';
import { apiEffect } from './api-effect.ts';
import type { BlockWalk } from './block-walk.ts';
import type { Effect, Problem } from './effect.ts';
import { checkInterlocks } from './interlock-check.ts';
import { madeSafe } from './made-safe.ts';
import { resolveValue } from './resolve-value.ts';
import { type SetpointContext, setpointOf } from './setpoint.ts';
import { join, mapWorlds, type Reached, type State } from './state.ts';
import { takingTurn, type World, withState } from './worlds.ts';

const contextOf = (state: State, { analysis }: BlockWalk): SetpointContext => ({
  registry: analysis.options.registry,
  limits: analysis.options.limits,
  variables: state.variables,
});

function tell(problems: readonly Problem[], instruction: Instruction, { analysis }: BlockWalk): void {
  for (const { code, message } of problems) analysis.findings.add(code, message, message, instruction);
}

/** SET of an actuator. It acts or the run ends; when it fails, nobody knows whether it acted. */
export function actuate(
  instruction: Extract<Instruction, { op: 'actuate' }>,
  state: State,
  walk: BlockWalk,
): Reached {
  const { analysis, block } = walk;
  const peripheral = analysis.options.registry.peripheral(instruction.id);
  if (!peripheral) return state;
  const context = contextOf(state, walk);
  const values = resolveValue(instruction.value, state.variables);
  const { effects, problems } = setpointOf(peripheral, instruction.target, values, context);
  tell(problems, instruction, walk);
  const at = analysis.placeOf(instruction);
  const spent = walk.spend(state, walk.ownMs(instruction), instruction);
  const why = `${at} fails`;
  if (effects.length === 0) {
    walk.failRun(spent, why);
    return undefined;
  }
  const acted = changed(spent, analysis.actuators.indexOf(peripheral.id), effects, instruction);
  checkInterlocks(instruction, peripheral.id, acted, analysis);
  // No teardown could guard against a peripheral that cannot be set back itself.
  const setsBack =
    block.teardown && peripheral.kind === 'other' && effects.every(({ state: to }) => to === 'off');
  if (!block.teardown) analysis.cut(mapWorlds(acted, takingTurn(`the run is cut off after ${at}`)));
  walk.failRun(setsBack ? acted : (join(spent, acted) ?? acted), why);
  return acted;
}

/** An API_ command that moves something. Whether it was accepted ends nothing, so that both may be true afterwards. */
export function callApi(
  instruction: Extract<Instruction, { op: 'api' }>,
  state: State,
  walk: BlockWalk,
): Reached {
  const { analysis } = walk;
  const { changes, problems, makesSafe } = apiEffect(instruction, contextOf(state, walk));
  tell(problems, instruction, walk);
  const at = analysis.placeOf(instruction);
  let after: State = walk.spend(state, walk.ownMs(instruction), instruction);
  walk.mayFail(after, instruction);
  for (const { peripheral, effects } of changes) {
    const acted = changed(after, analysis.actuators.indexOf(peripheral.id), effects, instruction);
    checkInterlocks(instruction, peripheral.id, acted, analysis);
    after = join(after, acted) ?? after;
  }
  if (makesSafe) after = join(after, madeSafe(after, analysis, instruction)) ?? after;
  if (instruction.method !== 'GET') walk.failRun(after, `${at} fails`);
  return after;
}

function changed(state: State, index: number, effects: readonly Effect[], since: Instruction): State {
  if (index < 0) return state;
  const set = (world: World): World[] =>
    effects.map((effect) => withState(world, index, effect.state, since, effect.lungMs));
  return { ...state, worlds: state.worlds.flatMap(set) };
}
