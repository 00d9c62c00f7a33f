import { quote } from '../format/words.ts';
import { Args } from '../forms/args.ts';
import type { Atom, WordAtom } from '../forms/atoms.ts';
import type { ElseForm, FormOf } from '../forms/form.ts';
import { BodyContext } from '../program/compile/body-context.ts';
import { fillToken } from '../program/compile/scope.ts';
import type { Instruction } from '../program/instruction.ts';
import type { Pos } from '../source/position.ts';
import type { Statement } from '../syntax/node.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    else: { readonly orElse: ElseForm };
  }
}

/** ELSE on its own line. */
export function parseElse(args: Args): FormOf<'else'> {
  const atoms: Atom[] = args
    .rest()
    .map((token) => ({ type: 'word', text: token.text, quoted: token.quoted, token }));
  return { form: 'else', orElse: readElse(atoms, args) ?? { branch: 'open' } };
}

/** What follows ELSE; undefined after a report. */
export function readElse(atoms: readonly Atom[], args: Args): ElseForm | undefined {
  const words = atoms.filter((atom): atom is WordAtom => atom.type === 'word');
  const [first, ...rest] = words;
  if (!first) return { branch: 'open' };
  const text = rest.map((word) => word.text).join(' ');
  const level = first.text.toLowerCase();
  if (level === 'error' || level === 'info' || level === 'warning') {
    if (text === '')
      args.missing(`a text after ELSE ${first.text}`, `ELSE ${first.text.toUpperCase()} 'too low'`);
    return { branch: 'message', level, text };
  }
  if (level === 'goal' && rest[0]) return { branch: 'goal', goal: text, token: rest[0].token };
  args.report(
    'SCN124',
    `on the line of an ELSE only ERROR, INFO, WARNING or GOAL may follow; found "${first.text}"`,
    first.token.pos,
    {
      severity: 'E',
    },
  );
  return undefined;
}

export function printElse(orElse: ElseForm): string {
  if (orElse.branch === 'open') return 'ELSE';
  return orElse.branch === 'goal'
    ? `ELSE GOAL ${quote(orElse.goal)}`
    : `ELSE ${orElse.level.toUpperCase()} ${quote(orElse.text)}`;
}

/** The text on the ELSE line of an IF or a prompt. */
export function compileElseLine(body: BodyContext, { elseLine }: Statement): Instruction[] {
  if (!elseLine) return [];
  const { args, report } = body.site;
  const tokens = args ? elseLine.tokens.map((token) => fillToken(token, args)) : elseLine.tokens;
  const { orElse } = parseElse(new Args('ELSE', tokens, elseLine.pos, report));
  if (orElse.branch === 'open') return [];
  return elseBranch(body, orElse, body.textOf(elseLine, tokens), elseLine.pos);
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

export const otherwise = defineCommand({
  words: {
    ELSE: {
      args: 'branch:rest?',
      effect: 'control',
      doc: 'The other branch of the preceding IF: ELSE, ELSE GOAL, ELSE ERROR, ELSE INFO, ELSE WARNING.',
      examples: ["IF AI01 > 1 V\n  LOG 'high'\nELSE\n  LOG 'low'\nENDIF"],
    },
  },
  form: 'else',
  parse: parseElse,
  print: ({ orElse }) => printElse(orElse),
  continuesCheck: true,
  compile({ orElse }, { body, site, pos }) {
    if (body.checkTexts) body.applyElse(orElse, body.checkTexts, pos);
    else if (orElse.branch !== 'open')
      site.report('SCN129', 'ELSE has no check before it; put it below its IF', pos);
  },
  operations: {},
});
