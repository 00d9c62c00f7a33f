import { printDuration, quote } from '../../format/words.ts';
import { type Args, isOpen } from '../../forms/args.ts';
import type { DurationForm, ElseForm } from '../../forms/form.ts';
import type { Token } from '../../source/token.ts';
import { VARIABLE_NAME } from '../../values/variable-name.ts';
import { parseElse, printElse } from '../else.ts';

/** What PROMPT, `TASK ... CONFIRM` and `Operator.confirm` share. */
export interface PromptParts {
  readonly text: string;
  /** Empty without CHOICES. */
  readonly choices: readonly string[];
  readonly timeout?: DurationForm;
  readonly orElse?: ElseForm;
}

type Clause = 'AS' | 'CHOICES' | 'TIMEOUT' | 'ELSE';

const CLAUSE = /^(as|choices|timeout|else)$/i;
/** Behind a text without quotes only capitals are a clause: `as` is a word of many texts. */
export const CLAUSE_IN_CAPITALS = /^(AS|CHOICES|TIMEOUT|ELSE)$/;

const isClause = (token: Token | undefined, pattern: RegExp): token is Token =>
  token?.kind === 'bare' && pattern.test(token.text);

/** The question: one quoted token, or the words up to the first clause in capitals. */
export function readText(args: Args): string | undefined {
  const first = args.peek();
  const words: string[] = [];
  if (first && first.kind !== 'bare') words.push(args.take()!.text);
  else while (args.left > 0 && !isClause(args.peek(), CLAUSE_IN_CAPITALS)) words.push(args.take()!.text);
  const text = words.join(' ').trim();
  if (text !== '') return text;
  args.missing('a text', "PROMPT 'Is the mask fitted?' TIMEOUT 5 min");
  return undefined;
}

export function readClauses(
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
      return fault(args, `${clause === 'AS' ? naming : clause} is given twice; keep one`, token);
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
      if (timeout === 0)
        return fault(args, 'TIMEOUT must be above 0; write for example TIMEOUT 5 min', token);
    } else {
      if (args.left === 0)
        return fault(args, 'write an ELSE with a branch on its own line, below the command', token);
      const { orElse: branch } = parseElse(args);
      if (branch.branch === 'open') return undefined;
      orElse = branch;
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
      return fault(args, `the choice "${text}" is given twice; keep one`, clause);
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
    `"${token.text}" is not a part of ${args.command}; after the text write ${words}, and quote texts`,
    token,
  );
}

function fault(args: Args, message: string, token: Token): undefined {
  args.report('SCN263', message, token.pos);
  args.rest();
  return undefined;
}

export const printClauses = ({ choices, timeout, orElse }: PromptParts): string[] => [
  ...(choices.length === 0 ? [] : ['CHOICES', ...choices.map(quote)]),
  ...(timeout === undefined ? [] : ['TIMEOUT', printDuration(timeout)]),
  ...(orElse ? [printElse(orElse)] : []),
];
