import type { Registry } from '../../rig/registry/registry.ts';
import type { Instruction } from '../program/instruction.ts';
import { givenVariable } from '../run/variables.ts';
import { type Alternatives, ANY, abstractOf, joinAlternatives, MEASURED } from './abstract-value.ts';
import { calculate } from './calculate.ts';
import type { Environment } from './environment.ts';
import { resolveValue, textsOf } from './resolve-value.ts';

/** The variables after an instruction that sets one; the same for all others. */
export function setByInstruction(
  instruction: Instruction,
  variables: Environment,
  registry: Registry,
): Environment {
  switch (instruction.op) {
    case 'set-variable':
    case 'set-parameter':
      return assign(instruction.name, resolveValue(instruction.value, variables), variables);
    case 'calc':
      return assign(
        instruction.name,
        calculate(instruction.fn, instruction.args, variables, registry),
        variables,
      );
    case 'save':
      return assign(instruction.label, saved(instruction, variables), variables);
    case 'save-json':
      return assign(instruction.name, [ANY], variables);
    case 'prompt':
      return instruction.name === undefined
        ? variables
        : assign(instruction.name, answers(instruction), variables);
    default:
      return variables;
  }
}

/** What a person may answer: a choice is one of those that are written down. */
function answers({ asks, choices }: Extract<Instruction, { op: 'prompt' }>): Alternatives {
  if (asks === 'confirmation') return [{ kind: 'text', text: 'yes' }];
  if (asks === 'value' || choices.some((choice) => choice.includes('$'))) return [ANY];
  return choices.map((choice) => abstractOf(givenVariable(choice)));
}

/** A variable is saved as it is; all else that can be saved is a reading. */
function saved(
  { label, subject }: Extract<Instruction, { op: 'save' }>,
  variables: Environment,
): Alternatives {
  if (subject?.kind === 'variable' && !subject.name.includes('$')) return variables.get(subject.name);
  return joinAlternatives([MEASURED], variables.get(label));
}

/** No value at all means that the instruction is an error: nothing is set then. */
function assign(name: string, value: Alternatives, variables: Environment): Environment {
  const names = textsOf(name, variables);
  if (!names) return variables.lose();
  const [only] = names;
  if (only !== undefined && names.length === 1) return variables.set(only, value);
  return names.reduce((all, one) => all.set(one, joinAlternatives(all.get(one), value)), variables);
}
