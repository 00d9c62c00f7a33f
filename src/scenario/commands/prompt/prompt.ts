import { printWord, quote } from '../../format/words.ts';
import type { DurationForm } from '../../forms/form.ts';
import type { Instruction, InstructionOf } from '../../program/instruction.ts';
import { givenVariable } from '../../run/variables.ts';
import { type Alternatives, ANY, abstractOf } from '../../safety/abstract-value.ts';
import { assign } from '../../safety/assign.ts';
import type { BlockWalk } from '../../safety/block-walk.ts';
import { turned } from '../../safety/common-effects.ts';
import { pauseRange } from '../../safety/pause-range.ts';
import { join, type Reached, type State } from '../../safety/state.ts';
import type { Token } from '../../source/token.ts';
import { defineCommand } from '../define-command.ts';
import { ask } from './ask.ts';
import { type PromptParts, printClauses, readClauses, readText } from './clauses.ts';
import { compilePrompt } from './compile-prompt.ts';

declare module '../../forms/form.ts' {
  interface Forms {
    prompt: PromptParts & { readonly name?: string; readonly nameToken?: Token };
  }
}

declare module '../../program/instruction.ts' {
  interface Operations {
    prompt: {
      readonly message: string;
      /** Yes or no, one of the choices, or a text or quantity. */
      readonly asks: 'confirmation' | 'choice' | 'value';
      /** Empty unless a choice is asked for. May hold `$name`. */
      readonly choices: readonly string[];
      /** The variable that takes the answer. */
      readonly name?: string;
      readonly timeoutMs?: DurationForm;
      /** The text is an instruction: it is also reported as a task. */
      readonly task: boolean;
      /** The branch of ELSE, for the answer no and for no answer in time; without one both are errors. */
      readonly otherwise?: readonly Instruction[];
    };
  }
}

/** `PROMPT 'text' [AS name] [CHOICES 'a' 'b'] [TIMEOUT 5 min] [ELSE ...]`, the clauses in any order, ELSE last. */
export const prompt = defineCommand({
  words: {
    PROMPT: {
      since: 5,
      args: 'text:text options:rest?',
      effect: 'control',
      doc: 'Waits for the operator: yes or no, one of CHOICES, or with AS alone a text or quantity, stored under that name. No, or no answer within TIMEOUT, is an error that ends the goal unless ELSE handles it.',
      examples: [
        "PROMPT 'Is the mask fitted?' TIMEOUT 5 min",
        "PROMPT 'Is the lamp green?' TIMEOUT 1 min ELSE ERROR 'the lamp stays dark'",
        "PROMPT 'Which size?' AS size CHOICES 'S' 'M' 'L'\nLOG 'size $size'",
        "PROMPT 'Serial number?' AS serial TIMEOUT 2 min\nELSE\n  LOG 'no serial number'\nENDIF\nLOG '$serial'",
      ],
    },
  },
  form: 'prompt',
  isProse: true,
  defines({ defined }, _text, tokens) {
    const as = tokens.findIndex((token, i) => i > 1 && token.kind === 'bare' && /^as$/i.test(token.text));
    const name = as < 0 ? undefined : tokens[as + 1]?.text;
    if (name !== undefined && !name.includes('$')) defined.add(name);
  },
  parse(args) {
    const text = readText(args);
    if (text === undefined) return undefined;
    const clauses = readClauses(args, ['AS', 'CHOICES', 'TIMEOUT', 'ELSE']);
    if (!clauses) return undefined;
    const { nameToken, parts } = clauses;
    return { form: 'prompt', text, ...parts, ...(nameToken ? { name: nameToken.text, nameToken } : {}) };
  },
  print: (form) =>
    [
      'PROMPT',
      quote(form.text),
      ...(form.name === undefined ? [] : ['AS', printWord(form.name)]),
      ...printClauses(form),
    ].join(' '),
  compile: (form, line) => compilePrompt({ ...form, task: false }, line),
  operations: {
    prompt: {
      plan: ({ asks, message, name, choices, timeoutMs, task, otherwise }, nested) => [
        [
          `prompt ${asks} '${message}'`,
          ...(name === undefined ? [] : [`as ${name}`]),
          ...choices.map((choice) => `choice '${choice}'`),
          ...(timeoutMs === undefined
            ? []
            : [`timeout ${typeof timeoutMs === 'number' ? timeoutMs : `\`${timeoutMs.template}\``}`]),
          ...(task ? ['task'] : []),
        ].join(' '),
        ...(otherwise ? ['else', ...nested(otherwise)] : []),
      ],
      // A TIMEOUT is counted by the effect; without one the time-out of the goal ends it.
      cost: (_, timeouts) => timeouts.goalMs,
      effect: waitForPerson,
      sets: ({ name }) => (name === undefined ? undefined : { name, isLiteral: false }),
      run: ask,
    },
  },
});

/**
 * An operator may take any time. TIMEOUT bounds the wait; without it only the goal time-out does, which is too long
 * to leave an output on.
 */
function waitForPerson(one: InstructionOf<'prompt'>, state: State, walk: BlockWalk): Reached {
  const { timeoutMs, otherwise, name } = one;
  walk.mayFail(state, one);
  const bound = timeoutMs === undefined ? undefined : pauseRange(timeoutMs, state.variables);
  // An invalid duration is an error before the question is asked.
  if (timeoutMs !== undefined && !bound) return undefined;
  const isBounded = bound !== undefined && Number.isFinite(bound.high);
  const on = isBounded ? [] : outputsOn(state, walk);
  if (on.length > 0) reportWaitWith(on.join(' and '), one, walk);
  const waited = walk.spend(state, isBounded ? bound.high : walk.ownMs(one), one);
  walk.mayFail(waited, one);
  const variables = name === undefined ? waited.variables : assign(name, answersTo(one), waited.variables);
  if (!otherwise) return { ...waited, variables };
  const turn = `${walk.placeOf(one)} is answered no or times out`;
  return join({ ...waited, variables }, walk.body(otherwise, turned(waited, turn)));
}

/** The possible answers: a choice is one of those listed. */
function answersTo({ asks, choices }: InstructionOf<'prompt'>): Alternatives {
  if (asks === 'confirmation') return [{ kind: 'text', text: 'yes' }];
  if (asks === 'value' || choices.some((choice) => choice.includes('$'))) return [ANY];
  return choices.map((choice) => abstractOf(givenVariable(choice)));
}

/** Ids of the outputs that may be on here. */
function outputsOn({ rigStates }: State, { analysis }: BlockWalk): readonly string[] {
  return analysis.actuators.all
    .filter((_, i) =>
      [...rigStates].some(
        ({ states, since }) => since[i] !== undefined && (states[i] === 'on' || states[i] === 'unknown'),
      ),
    )
    .map(({ id }) => id);
}

function reportWaitWith(outputs: string, one: Instruction, walk: BlockWalk): void {
  walk.analysis.findings.add(
    'SCN272',
    'prompt',
    `${outputs} may be on while this waits for the operator, bounded only by the goal time-out; add TIMEOUT 5 min, or switch off before`,
    one,
  );
}
