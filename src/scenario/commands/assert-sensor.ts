import { printName, printValue } from '../format/words.ts';
import { atomize } from '../forms/atoms.ts';
import { onlyWords, readBound } from '../forms/condition.ts';
import { reportMalformed } from '../forms/malformed.ts';
import { operatorOf } from '../forms/operator.ts';
import { checkLimits } from '../program/compile/limits.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { ComparisonOperator, Subject, Value } from '../program/operand.ts';
import { renderCheck, renderSubject, renderValue } from '../program/render-values.ts';
import type { Command, Flow } from '../run/command.ts';
import { conclude, evaluateHere, judgementOf, judgeReadings } from '../run/conclude.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readMs } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'assert-sensor': {
      readonly name: string;
      readonly token: Token;
      readonly operator: ComparisonOperator;
      readonly threshold: Value;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'assert-sensor': {
      readonly subject: Subject;
      readonly operator: ComparisonOperator;
      readonly threshold: Value;
      readonly texts: CheckTexts;
    };
  }
}

export const assertSensor = defineCommand({
  words: {
    ASSERT_SENSOR: {
      since: 2,
      args: 'sensor:sensor operator:word threshold:quantity',
      effect: 'check',
      doc: 'Compares a fresh reading with a threshold.',
      examples: ["ASSERT_SENSOR 'AI01' '>=' '0.5 V'"],
    },
  },
  form: 'assert-sensor',
  takesTexts: true,
  parse(args) {
    const token = args.take();
    const operator = operatorOf(args.take()?.text);
    const words = onlyWords(atomize(args.rest()), args);
    if (!words) return undefined;
    if (!token || !operator || words.length === 0)
      return reportMalformed(
        args,
        'needs a sensor, an operator and a threshold',
        "ASSERT_SENSOR 'AI01' '>=' '0.5 V'",
      );
    const threshold = readBound(words, args);
    return threshold && { form: 'assert-sensor', name: token.text, token, operator, threshold };
  },
  print: ({ name, operator, threshold }) =>
    `ASSERT_SENSOR ${printName(name)} ${operator} ${printValue(threshold)}`,
  compile({ name, token, operator, threshold }, line) {
    const { pos } = line;
    const subject = line.subjectNow(name, token.pos);
    const place = { pos, subjectPos: token.pos };
    checkLimits({ kind: 'subject', subject }, [threshold], place, line.scope, line.site);
    line.push({
      op: 'assert-sensor',
      subject,
      operator,
      threshold: line.value(threshold),
      texts: line.body.open(pos),
    });
  },
  operations: {
    'assert-sensor': {
      plan: ({ subject, operator, threshold, texts }) =>
        renderCheck(`assert-sensor ${renderSubject(subject)} ${operator} ${renderValue(threshold)}`, texts),
      cost: readMs,
      effect: moveNothing,
      run: judgeSensor,
    },
  },
});

/** ASSERT_SENSOR: a calibrated sensor may also be asked for volts, its raw unit. */
async function judgeSensor(
  { subject, operator, threshold, texts }: InstructionOf<'assert-sensor'>,
  command: Command,
): Promise<Flow> {
  const condition = {
    kind: 'comparison',
    left: { kind: 'subject', subject },
    operator,
    right: threshold,
  } as const;
  const evaluation = await evaluateHere(condition, command);
  const flow = conclude(judgementOf('ASSERT_SENSOR', evaluation), texts, command);
  judgeReadings(evaluation, command);
  return flow;
}
