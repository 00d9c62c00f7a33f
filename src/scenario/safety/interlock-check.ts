import { type Interlock, isBroken } from '../../rig/interlocks/interlock.ts';
import type { Peripheral } from '../../rig/registry/registry.ts';
import type { Instruction } from '../program/instruction.ts';
import type { Analysis } from './analysis.ts';
import type { RigState } from './rig-states.ts';
import type { State } from './state.ts';

/** Whether a rule between actuators may be broken once an instruction has set one of them. */
export function checkInterlocks(
  instruction: Instruction,
  id: string,
  state: State,
  analysis: Analysis,
): void {
  for (const interlock of analysis.options.interlocks) {
    if (!interlock.while.has(id) && !interlock.states.has(id)) continue;
    for (const rigState of state.rigStates) {
      if (!isBroken(interlock, (one) => analysis.actuators.stateOf(rigState, one))) continue;
      const message = describe(interlock, rigState, analysis);
      analysis.findings.add('SCN276', interlock.id, message, instruction);
      break;
    }
  }
}

/** The rule, what stands against it, and how the run came there. */
function describe(interlock: Interlock, rigState: RigState, analysis: Analysis): string {
  const { actuators, options } = analysis;
  const described = (id: string): string => {
    const i = actuators.indexOf(id);
    const since = rigState.since[i];
    const kind = options.registry.peripheral(id)?.kind;
    return `${id} ${stateWord(kind, actuators.stateOf(rigState, id))} (${since === undefined ? 'from the start' : `since ${analysis.placeOf(since)}`})`;
  };
  const applies = [...interlock.while.keys()].map(described).join(' and ');
  const unmet = [...interlock.states].filter(([id, wanted]) => actuators.stateOf(rigState, id) !== wanted);
  const missing = unmet.map(([id]) => described(id)).join(', ');
  const demand = [...interlock.states]
    .map(([id, wanted]) => `${id} ${stateWord(options.registry.peripheral(id)?.kind, wanted)}`)
    .join(interlock.require === 'all' ? ' and ' : ' or ');
  const path = rigState.path.length === 0 ? '' : `; this happens when ${rigState.path.join(', then ')}`;
  const conditions = [...interlock.while]
    .map(([id, wanted]) => `${id} ${stateWord(options.registry.peripheral(id)?.kind, !wanted)}`)
    .join(' or ');
  return `the interlock "${interlock.id}" (${interlock.reason}) may be violated here: ${applies}, but ${missing}${path}; ensure ${demand} first, or ${conditions}`;
}

const WORDS: Readonly<Record<Peripheral['kind'], readonly [on: string, off: string, unknown: string]>> = {
  pump: ['on', 'off', 'may be on'],
  valve: ['open', 'closed', 'may be open or closed'],
  lung: ['moving', 'at rest', 'may be moving'],
  other: ['active', 'inactive', 'may be active or not'],
};

function stateWord(kind: Peripheral['kind'] | undefined, state: boolean | undefined): string {
  const [on, off, unknown] = WORDS[kind ?? 'other'];
  return state === undefined ? unknown : state ? on : off;
}
