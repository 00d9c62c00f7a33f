import { defineVariable } from '../../program/compile/define-variable.ts';
import type { LineContext } from '../../program/compile/line-context.ts';
import type { Instruction } from '../../program/instruction.ts';
import type { Token } from '../../source/token.ts';
import { compileElseLine, elseBranch } from '../else.ts';
import type { PromptParts } from './clauses.ts';

interface PromptRequest extends PromptParts {
  readonly name?: string;
  readonly nameToken?: Token;
  readonly task: boolean;
  /** A yes/no question whose answer is stored in a variable. */
  readonly confirms?: boolean;
}

/** PROMPT, `TASK ... CONFIRM` and `Operator.confirm`: all wait for a person in the same way. */
export function compilePrompt(request: PromptRequest, line: LineContext): void {
  const { text: message, name, choices, timeout, task } = request;
  const { body, pos } = line;
  for (const one of [message, ...choices]) body.noteText(one, pos);
  if (typeof timeout === 'object') body.noteText(timeout.template, pos);
  if (name !== undefined) defineVariable(name, request.nameToken?.pos ?? pos, line.scope, line.site);
  const otherwise = branchOf(request, line);
  line.push({
    op: 'prompt',
    message,
    asks: choices.length > 0 ? 'choice' : name === undefined || request.confirms ? 'confirmation' : 'value',
    choices,
    ...(name === undefined ? {} : { name }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    task,
    ...(otherwise ? { otherwise } : {}),
  });
}

function branchOf(
  { orElse }: PromptRequest,
  { body, statement, text, pos }: LineContext,
): readonly Instruction[] | undefined {
  if (orElse && orElse.branch !== 'open') return elseBranch(body, orElse, text, pos);
  if (!statement.elseLine) return undefined;
  return [...compileElseLine(body, statement), ...body.nested(statement.otherwise)];
}
