import { isCheckMark, withoutCheckMarks } from '../source/check-mark.ts';
import type { Token } from '../source/token.ts';
import { isConfirm } from '../syntax/flat-item.ts';
import { VARIABLE_NAME } from '../values/variable-name.ts';
import { Args, isOpen } from './args.ts';
import type { ElseForm, Form, PromptParts } from './form.ts';
import { parseElse } from './parse-judging.ts';

type Clause = 'AS' | 'CHOICES' | 'TIMEOUT' | 'ELSE';

const CLAUSE = /^(as|choices|timeout|else)$/i;
/** Behind a text without quotes only capitals are a clause: `as` is a word of many texts. */
const CLAUSE_IN_CAPITALS = /^(AS|CHOICES|TIMEOUT|ELSE)$/;
const EXAMPLE = "PROMPT 'Is the mask fitted?' TIMEOUT 5 min";

const isClause = (token: Token | undefined, pattern: RegExp): token is Token =>
  token?.kind === 'bare' && pattern.test(token.text);

/** `PROMPT 'text' [AS name] [CHOICES 'a' 'b'] [TIMEOUT 5 min] [ELSE ...]`, the clauses in any order, ELSE last. */
export function parsePrompt(args: Args): Form | undefined {
  const text = readText(args);
  if (text === undefined) return undefined;
  const clauses = readClauses(args, ['AS', 'CHOICES', 'TIMEOUT', 'ELSE']);
  if (!clauses) return undefined;
  const { nameToken, parts } = clauses;
  return {
    form: 'prompt',
    text,
    ...parts,
    ...(nameToken ? { name: nameToken.text, nameToken } : {}),
  };
}

/**
 * `✓SAVE name` behind a question of the arrow form: where it stands, or -1. Within a text without quotes the word needs
 * its mark, because such a text may speak of saving.
 */
function saveClause(tokens: readonly Token[], textAt: number): number {
  let isText = tokens[textAt]?.kind === 'bare';
  return tokens.findIndex((token, i) => {
    if (i <= textAt || token.kind !== 'bare') return false;
    if (CLAUSE_IN_CAPITALS.test(token.text)) isText = false;
    const word = withoutCheckMarks(token.text);
    const isMarked = word !== token.text || isMark(tokens[i - 1]);
    return /^save:?$/i.test(word) && (isMarked || !isText);
  });
}

const isMark = (token: Token | undefined): boolean => token?.kind === 'bare' && isCheckMark(token.text);

/** `Operator.confirm 'text' [TIMEOUT d] [✓SAVE name]` of the arrow form. */
export function parseConfirm(
  args: Args,
): (Omit<PromptParts, 'choices' | 'orElse'> & { readonly nameToken?: Token }) | undefined {
  const skip = args.tokens.length - args.left;
  const at = saveClause(args.tokens, skip);
  const tokens = args.tokens
    .map((token, i) => (i === at ? asClause(token) : token))
    .filter((token, i) => i < skip || !isMark(token));
  const own = new Args(args.command, tokens, args.pos, args.report, skip);
  const text = readText(own);
  const clauses =
    text === undefined ? undefined : readClauses(own, at < 0 ? ['TIMEOUT'] : ['AS', 'TIMEOUT'], 'SAVE');
  args.rest();
  if (text === undefined || !clauses) return undefined;
  const { nameToken, parts } = clauses;
  return {
    text,
    ...(nameToken ? { nameToken } : {}),
    ...(parts.timeout === undefined ? {} : { timeout: parts.timeout }),
  };
}

const asClause = (token: Token): Token => token.withText('AS');

/** `TASK 'p' 't'`, `TASK TITLE 't'`, `TASK 't' CONFIRM [TIMEOUT d] [ELSE ...]` */
export function parseTask(args: Args): Form | undefined {
  const tokens = args.tokens.slice(1);
  const at = tokens.findIndex((token, i) => isConfirm(token, tokens[i - 1]));
  const count = at < 0 ? tokens.length : at;
  const [first, ...rest] = Array.from({ length: count }, () => args.take()!);
  if (!first) {
    args.missing('a text', "TASK TITLE 'Connect the mask'");
    return undefined;
  }
  const task = {
    form: 'task',
    ...(rest.length === 0
      ? { label: '', text: first.text }
      : { label: first.text, text: rest.map((token) => token.text).join(' ') }),
  } as const;
  if (at < 0) return task;
  args.take();
  const clauses = readClauses(args, ['TIMEOUT', 'ELSE']);
  return clauses && { ...task, confirm: { ...clauses.parts, text: task.text } };
}

/** The question: one quoted token, or the words up to the first clause in capitals. */
function readText(args: Args): string | undefined {
  const first = args.peek();
  const words: string[] = [];
  if (first && first.kind !== 'bare') words.push(args.take()!.text);
  else while (args.left > 0 && !isClause(args.peek(), CLAUSE_IN_CAPITALS)) words.push(args.take()!.text);
  const text = words.join(' ').trim();
  if (text !== '') return text;
  args.missing('a text', EXAMPLE);
  return undefined;
}

function readClauses(
  args: Args,
  allowed: readonly Clause[],
  naming: 'AS' | 'SAVE' = 'AS',
): { readonly nameToken?: Token; readonly parts: Omit<PromptParts, 'text'> } | undefined {
  const seen = new Set<Clause>();
  let nameToken: Token | undefined;
  let choices: readonly string[] = [];
  let timeout: PromptParts['timeout'];
  let orElse: ElseForm | undefined;
  for (let token = args.take(); token; token = args.take()) {
    const clause = isClause(token, CLAUSE) ? (token.text.toUpperCase() as Clause) : undefined;
    if (!clause || !allowed.includes(clause)) return malformed(args, token, allowed, naming);
    if (seen.has(clause))
      return fault(args, `${clause === 'AS' ? naming : clause} stands twice; keep one of them`, token);
    seen.add(clause);
    if (clause === 'AS') {
      nameToken = args.need(
        `a name after ${naming}`,
        naming === 'AS'
          ? `${args.command} 'Serial number?' AS serial`
          : `${args.command} Operator.confirm 'mask fitted?' ✓SAVE fitted`,
      );
      if (!nameToken) return undefined;
      if (!VARIABLE_NAME.test(nameToken.text) && !isOpen(nameToken.text))
        return fault(
          args,
          `"${nameToken.text}" cannot be the name of a variable; start with a letter`,
          nameToken,
        );
    } else if (clause === 'CHOICES') {
      const found = readChoices(args, token);
      if (!found) return undefined;
      choices = found;
    } else if (clause === 'TIMEOUT') {
      timeout = args.duration('a time after TIMEOUT', 'TIMEOUT 5 min');
      if (timeout === undefined) return undefined;
      if (timeout === 0) return fault(args, 'TIMEOUT is above 0; write for example TIMEOUT 5 min', token);
    } else {
      if (args.left === 0)
        return fault(args, 'an ELSE with a branch stands on a line of its own, below the command', token);
      const form = parseElse(args);
      if (form.form !== 'else' || form.orElse.branch === 'open') return undefined;
      orElse = form.orElse;
    }
  }
  return {
    ...(nameToken ? { nameToken } : {}),
    parts: { choices, ...(timeout === undefined ? {} : { timeout }), ...(orElse ? { orElse } : {}) },
  };
}

function readChoices(args: Args, clause: Token): readonly string[] | undefined {
  const choices: string[] = [];
  const known = new Set<string>();
  while (args.left > 0 && !isClause(args.peek(), CLAUSE)) {
    const text = args.take()!.text.trim();
    if (text === '') return fault(args, 'a choice has no text; write one, or remove it', clause);
    if (known.has(text.toLowerCase()))
      return fault(args, `the choice "${text}" stands twice; keep one of them`, clause);
    known.add(text.toLowerCase());
    choices.push(text);
  }
  if (choices.length >= 2) return choices;
  return fault(args, "CHOICES needs two choices or more, for example CHOICES 'left' 'right'", clause);
}

function malformed(args: Args, token: Token, allowed: readonly Clause[], naming: string): undefined {
  const names = allowed.map((clause) => (clause === 'AS' ? naming : clause));
  const words = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return fault(
    args,
    `"${token.text}" is no part of ${args.command}; after the text write ${words}, and quote texts`,
    token,
  );
}

function fault(args: Args, message: string, token: Token): undefined {
  args.report('SCN263', message, token.pos);
  args.rest();
  return undefined;
}
