import type { ElseForm, Form } from '../../forms/form.ts';
import { parseForm } from '../../forms/parse-form.ts';
import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import type { Instruction } from '../instruction.ts';
import type { Condition } from '../operand.ts';
import { BodyContext } from './body-context.ts';
import { resolveCondition } from './conditions.ts';
import { checkOneDimension } from './limits.ts';
import { fillToken, textOf } from './scope.ts';

export function compileIf(
  body: BodyContext,
  form: Extract<Form, { form: 'if' }>,
  statement: Statement,
  tokens: readonly Token[],
): void {
  const { pos } = statement;
  const scope = body.scope;
  const site = body.site;
  const conditions = [resolveCondition(form.condition, pos, scope, site)];
  let { orElse } = form;
  let text = body.textOf(statement, tokens);
  for (const alternative of statement.alternatives ?? []) {
    const filled = site.args
      ? alternative.tokens.map((token) => fillToken(token, site.args!))
      : alternative.tokens;
    const parsed = parseForm('OR IF', filled, alternative.pos, site.report);
    if (parsed?.form !== 'if') continue;
    conditions.push(resolveCondition(parsed.condition, alternative.pos, scope, site));
    orElse ??= parsed.orElse;
    text += ` ${textOf(filled)}`;
  }
  const condition: Condition = conditions.length === 1 ? conditions[0]! : { kind: 'any', parts: conditions };
  if (conditions.length > 1) checkOneDimension(condition, pos, scope, site);
  if (statement.role === 'gate') {
    const then = body.nested(statement.body);
    const otherwise = [...compileElseLine(body, statement), ...body.nested(statement.otherwise)];
    body.push({ op: 'gate', condition, then, otherwise }, 'IF', text, pos);
    return;
  }
  const texts = body.open(pos, condition);
  if (orElse) body.applyElse(orElse, texts, pos);
  body.push({ op: 'check', form: 'IF', condition, texts }, 'IF', text, pos);
}

/** What stands on the ELSE line of a gate itself. */
export function compileElseLine(body: BodyContext, { elseLine }: Statement): Instruction[] {
  if (!elseLine) return [];
  const { args, report } = body.site;
  const tokens = args ? elseLine.tokens.map((token) => fillToken(token, args)) : elseLine.tokens;
  const form = parseForm('ELSE', tokens, elseLine.pos, report);
  if (form?.form !== 'else' || form.orElse.branch === 'open') return [];
  return elseBranch(body, form.orElse, body.textOf(elseLine, tokens), elseLine.pos);
}

/** What an ELSE with its text on the same line does. */
export function elseBranch(
  body: BodyContext,
  orElse: Exclude<ElseForm, { branch: 'open' }>,
  text: string,
  pos: Pos,
): Instruction[] {
  const inner = new BodyContext(body.scope, body.site);
  if (orElse.branch === 'goal') {
    body.noteGoal(orElse.goal, orElse.token.pos);
    inner.push({ op: 'goto', goal: orElse.goal }, 'ELSE', text, pos);
  } else {
    body.noteText(orElse.text, pos);
    inner.push(
      orElse.level === 'error'
        ? { op: 'fail-goal', message: orElse.text }
        : { op: 'log', level: orElse.level, message: orElse.text },
      'ELSE',
      text,
      pos,
    );
  }
  return inner.out;
}

export function compileConditionLine(
  body: BodyContext,
  form: Extract<Form, { form: 'condition' }>,
  statement: Statement,
  tokens: readonly Token[],
): void {
  const condition = resolveCondition(form.condition, statement.pos, body.scope, body.site);
  const text = body.textOf(statement, tokens);
  if (form.text !== undefined) body.noteText(form.text, statement.pos);
  if (form.action === 'WAIT') {
    body.push(
      { op: 'wait-until', condition, ...(form.text === undefined ? {} : { message: form.text }) },
      'CONDITION',
      text,
      statement.pos,
    );
    return;
  }
  const texts = body.open(statement.pos, condition);
  if (form.text !== undefined) texts[form.action === 'PASS' ? 'pass' : 'fail'] = form.text;
  body.push({ op: 'check', form: 'CONDITION', condition, texts }, 'CONDITION', text, statement.pos);
}
