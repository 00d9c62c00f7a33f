import { printCondition, printWord } from '../format/words.ts';
import { isOpen } from '../forms/args.ts';
import { atomize } from '../forms/atoms.ts';
import { readCondition } from '../forms/condition.ts';
import { resolveCondition } from '../program/compile/conditions.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { Condition } from '../program/operand.ts';
import { renderCondition } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import type { Command, Flow } from '../run/command.ts';
import { evaluateHere, judgeReadings } from '../run/conclude.ts';
import { setVariable } from '../run/set-variable.ts';
import { noTime, readsMs } from '../safety/costs.ts';
import { walkLoop } from '../safety/loops.ts';
import { parseNumber } from '../values/number.ts';
import { defineCommand } from './define-command.ts';

type Times = number | { readonly template: string };

declare module '../forms/form.ts' {
  interface Forms {
    loop: { readonly times?: Times; readonly condition?: Condition };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** LOOP n TIMES or LOOP WHILE: ITER counts from 0; WHILE beyond 1000 rounds is `error`. */
    loop: {
      readonly times?: Times;
      readonly condition?: Condition;
      readonly body: readonly Instruction[];
    };
  }
}

/** `LOOP n TIMES`, `LOOP WHILE cond` */
export const loop = defineCommand({
  words: {
    LOOP: {
      since: 2,
      legacy: true,
      args: 'kind:rest',
      effect: 'control',
      doc: 'LOOP n TIMES or LOOP WHILE condition, up to ENDLOOP.',
      examples: ['LOOP 2 TIMES\n  WAIT 10\nENDLOOP'],
    },
  },
  form: 'loop',
  defines: ({ defined }) => defined.add('ITER'),
  parse(args) {
    const first = args.peek();
    args.report('SCN301', 'LOOP is version 2 syntax; write REPEAT n:', args.pos);
    if (first && /^while$/i.test(first.text)) {
      args.take();
      const condition = readCondition(atomize(args.rest()), args);
      return condition && { form: 'loop', condition };
    }
    if (first && isOpen(first.text)) {
      args.take();
      if (/^times:?$/i.test(args.peek()?.text ?? '')) args.take();
      args.end();
      return { form: 'loop', times: { template: first.text } };
    }
    const times = args.integer('number of rounds', 'LOOP 3 TIMES', 1, 1000);
    if (/^times:?$/i.test(args.peek()?.text ?? '')) args.take();
    args.end();
    return times === undefined ? undefined : { form: 'loop', times };
  },
  print({ condition, times }) {
    if (condition) return `LOOP WHILE ${printCondition(condition, 'chain')}`;
    return `LOOP ${typeof times === 'object' ? printWord(times.template) : times} TIMES`;
  },
  compile({ times, condition: written }, line) {
    const { scope, site } = line;
    const condition = written && resolveCondition(written, line.pos, scope, site);
    scope.names.define('ITER');
    if (!site.definition) scope.names.reach('ITER');
    line.push({
      op: 'loop',
      ...(times === undefined ? {} : { times }),
      ...(condition ? { condition } : {}),
      body: line.body.nested(line.statement.body),
    });
  },
  operations: {
    loop: {
      plan({ times, condition, body }, nested) {
        const count = typeof times === 'number' ? ` ${times}` : times ? ` \`${times.template}\`` : '';
        return [`loop${count}${condition ? ` while ${renderCondition(condition)}` : ''}`, ...nested(body)];
      },
      cost: ({ condition }, timeouts) => (condition ? readsMs(condition, timeouts) : noTime()),
      effect: walkLoop,
      sets: () => ({ name: 'ITER', isLiteral: false }),
      run: runRounds,
    },
  },
});

/** Maximum rounds of LOOP WHILE and of a counted loop. */
const MAX_ROUNDS = 1000;

/** LOOP n TIMES, LOOP WHILE; with both, at most that many rounds. */
async function runRounds(instruction: InstructionOf<'loop'>, command: Command): Promise<Flow> {
  const { condition, body } = instruction;
  const times = timesOf(instruction, command);
  for (let round = 0; ; round++) {
    if (round === times) return undefined;
    if (condition) {
      const evaluation = await evaluateHere(condition, command);
      judgeReadings(evaluation, command);
      if (!evaluation.holds) return undefined;
      if (round === MAX_ROUNDS)
        throw new RunFault('SCN407', `LOOP WHILE did not end within ${MAX_ROUNDS} rounds`);
    }
    setVariable('ITER', { value: round }, command);
    const flow = await command.body(body);
    if (flow) return flow;
  }
}

function timesOf({ times }: InstructionOf<'loop'>, { run }: Command): number | undefined {
  if (typeof times !== 'object') return times;
  const text = run.strictText(times.template);
  const count = parseNumber(text);
  if (count === undefined || !Number.isInteger(count) || count < 1 || count > MAX_ROUNDS)
    throw new RunFault(
      'SCN411',
      `LOOP ${text} TIMES: the count must be a whole number from 1 to ${MAX_ROUNDS}`,
    );
  return count;
}
