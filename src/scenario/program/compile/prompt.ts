import { suggest } from '../../diagnostics/suggest.ts';
import type { PromptParts } from '../../forms/form.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import type { Instruction } from '../instruction.ts';
import type { BodyContext } from './body-context.ts';
import { compileElseLine, elseBranch, nested } from './if.ts';
import { reservedAs } from './scope.ts';

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
  if (name !== undefined) defineAnswer(body, name, request.nameToken?.pos ?? pos);
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

function defineAnswer({ scope, site }: BodyContext, name: string, pos: Statement['pos']): void {
  const taken = reservedAs(name, scope);
  if (name.includes('$')) return;
  if (!taken) return scope.names.define(name);
  site.report('SCN263', `"${name}" is ${taken} and cannot take the answer; use another name after AS`, pos, {
    suggestion: suggest(name, scope.names.known()),
  });
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
  return [...compileElseLine(body, statement), ...nested(body, statement.otherwise)];
}
