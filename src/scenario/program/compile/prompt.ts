import type { PromptParts } from '../../forms/form.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import type { Instruction } from '../instruction.ts';
import type { BodyContext } from './body-context.ts';
import { defineVariable } from './define-variable.ts';
import { compileElseLine, elseBranch } from './if.ts';

interface PromptRequest extends PromptParts {
  readonly name?: string;
  readonly nameToken?: Token;
  readonly task: boolean;
  /** Yes or no is asked for although a variable takes the answer. */
  readonly confirms?: boolean;
}

/** PROMPT, `TASK ... CONFIRM` and `Operator.confirm`: all wait for a person in the same way. */
export function compilePrompt(
  body: BodyContext,
  request: PromptRequest,
  statement: Statement,
  tokens: readonly Token[],
): void {
  const { text: message, name, choices, timeout, task } = request;
  const { pos, command } = statement;
  for (const one of [message, ...choices]) body.noteText(one, pos);
  if (typeof timeout === 'object') body.noteText(timeout.template, pos);
  if (name !== undefined) defineVariable(name, request.nameToken?.pos ?? pos, body.scope, body.site);
  const otherwise = branchOf(body, request, statement, tokens);
  body.push(
    {
      op: 'prompt',
      message,
      asks: choices.length > 0 ? 'choice' : name === undefined || request.confirms ? 'confirmation' : 'value',
      choices,
      ...(name === undefined ? {} : { name }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      task,
      ...(otherwise ? { otherwise } : {}),
    },
    command,
    body.textOf(statement, tokens),
    pos,
  );
}

function branchOf(
  body: BodyContext,
  { orElse }: PromptRequest,
  statement: Statement,
  tokens: readonly Token[],
): readonly Instruction[] | undefined {
  if (orElse && orElse.branch !== 'open')
    return elseBranch(body, orElse, body.textOf(statement, tokens), statement.pos);
  if (!statement.elseLine) return undefined;
  return [...compileElseLine(body, statement), ...body.nested(statement.otherwise)];
}
