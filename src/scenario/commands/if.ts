import { printCondition } from '../format/words.ts';
import { Args } from '../forms/args.ts';
import { atomize } from '../forms/atoms.ts';
import { readCondition } from '../forms/condition.ts';
import type { FormOf } from '../forms/form.ts';
import { resolveCondition } from '../program/compile/conditions.ts';
import { checkOneDimension } from '../program/compile/limits.ts';
import { fillToken, textOf } from '../program/compile/scope.ts';
import { decidesByError } from '../program/judgement.ts';
import type { Condition } from '../program/operand.ts';
import { renderCondition } from '../program/render-values.ts';
import { evaluateHere, judgeReadings } from '../run/conclude.ts';
import { turned } from '../safety/common-effects.ts';
import { readsMs } from '../safety/costs.ts';
import { join } from '../safety/state.ts';
import { defineCommand } from './define-command.ts';
import { compileElseLine, printElse, readElse } from './else.ts';

declare module '../forms/form.ts' {
  interface Forms {
    if: { readonly condition: Condition; readonly isRange: boolean; readonly orElse?: ElseForm };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** IF with lines that depend on it: no verdict; an untaken branch has no outcome. */
    if: {
      readonly condition: Condition;
      readonly then: readonly Instruction[];
      readonly otherwise: readonly Instruction[];
    };
  }
}

/** IF and OR IF: range or comparison, with an ELSE on the same line. */
function parseIf(args: Args): FormOf<'if'> | undefined {
  if (args.command === 'OR IF') args.take();
  const atoms = atomize(args.rest());
  const last = atoms.at(-1);
  if (last?.type === 'word' && !last.quoted && /^then:?$/i.test(last.text)) atoms.pop();
  const at = atoms.findIndex((atom) => atom.type === 'else');
  const head = at < 0 ? atoms : atoms.slice(0, at);
  const condition = readCondition(head, args);
  const orElse = at < 0 ? undefined : readElse(atoms.slice(at + 1), args);
  if (!condition) return undefined;
  return {
    form: 'if',
    condition,
    isRange: head.some((atom) => atom.type === 'dots'),
    ...(orElse ? { orElse } : {}),
  };
}

export const ifCommand = defineCommand({
  words: {
    IF: {
      args: 'condition:condition',
      effect: 'check',
      doc: 'A range is a check; a comparison is a check, or a branch when lines depend on it.',
      examples: [
        "IF AI01 0 .. 4 V\n  CORRECT 'good'\n  ERROR 'bad'",
        "IF AI01 >= 0 V ELSE ERROR 'low'",
        "IF AI01 > 1 V\n  LOG 'high'\nENDIF",
      ],
    },
    'OR IF': {
      since: 2,
      args: 'condition:condition',
      effect: 'control',
      doc: 'An alternative condition of the preceding IF.',
      examples: ["IF AI01 > 1 V\nOR IF AI02 > 1 V\n  LOG 'one is high'\nENDIF"],
    },
  },
  form: 'if',
  takesTexts: true,
  parse: parseIf,
  print: ({ condition, isRange, orElse }, command) =>
    `${command} ${printCondition(condition, isRange ? 'dots' : 'chain')}${orElse ? ` ${printElse(orElse)}` : ''}`,
  compile(form, { body, scope, site, statement, pos, text: ownText }) {
    const conditions = [resolveCondition(form.condition, pos, scope, site)];
    let { orElse } = form;
    let text = ownText;
    for (const alternative of statement.alternatives ?? []) {
      const { args } = site;
      const tokens = args ? alternative.tokens.map((token) => fillToken(token, args)) : alternative.tokens;
      const parsed = parseIf(new Args('OR IF', tokens, alternative.pos, site.report));
      if (!parsed) continue;
      conditions.push(resolveCondition(parsed.condition, alternative.pos, scope, site));
      orElse ??= parsed.orElse;
      text += ` ${textOf(tokens)}`;
    }
    const condition: Condition =
      conditions.length === 1 ? conditions[0]! : { kind: 'any', parts: conditions };
    if (conditions.length > 1) checkOneDimension(condition, pos, scope, site);
    if (statement.role === 'branch') {
      const then = body.nested(statement.body);
      const otherwise = [...compileElseLine(body, statement), ...body.nested(statement.otherwise)];
      body.push({ op: 'if', condition, then, otherwise }, 'IF', text, pos);
      return;
    }
    const texts = body.open(pos, condition);
    if (orElse) body.applyElse(orElse, texts, pos);
    body.push({ op: 'check', form: 'IF', condition, texts }, 'IF', text, pos);
  },
  operations: {
    if: {
      plan: ({ condition, then, otherwise }, nested) => [
        `if ${renderCondition(condition)}`,
        ...nested(then),
        ...(otherwise.length > 0 ? ['else', ...nested(otherwise)] : []),
      ],
      cost: ({ condition }, timeouts) => readsMs(condition, timeouts),
      effect(one, state, walk) {
        walk.mayFail(state, one);
        const evaluated = walk.spend(state, walk.ownMs(one), one);
        const at = walk.placeOf(one);
        return join(
          walk.body(one.then, turned(evaluated, `the IF at ${at} is true`)),
          walk.body(one.otherwise, turned(evaluated, `the IF at ${at} is not true`)),
        );
      },
      async run(one, command) {
        const evaluation = await evaluateHere(one.condition, command);
        judgeReadings(evaluation, command);
        if (decidesByError(one)) command.goal.errorConditions++;
        return command.body(evaluation.holds ? one.then : one.otherwise);
      },
    },
  },
});
