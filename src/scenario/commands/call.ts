import { suggest } from '../diagnostics/suggest.ts';
import { printName, printWord } from '../format/words.ts';
import type { Args } from '../forms/args.ts';
import type { Form, FormOf } from '../forms/form.ts';
import type { BodyContext } from '../program/compile/body-context.ts';
import type { LineContext } from '../program/compile/line-context.ts';
import type { Macro } from '../program/compile/scope.ts';
import type { Instruction } from '../program/instruction.ts';
import { RunFault } from '../rig/fault.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import type { Pos } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { parseCalc } from './calc.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    call: {
      readonly macro: string;
      readonly token: Token;
      readonly args: readonly Token[];
      readonly loose: boolean;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** An expanded macro. Its instructions carry the call in their `stack`. */
    call: {
      readonly macro: string;
      readonly args: readonly string[];
      readonly body: readonly Instruction[];
    };
    /** `FUNC: m` without such a macro: SCN201 W when read, `error` when run. */
    'unknown-macro': { readonly macro: string };
  }
}

/** Most commands that macros may expand to. */
const EXPANSION_LIMIT = 100_000;
/** Words of a macro's name. */
const MOST_NAME_WORDS = 16;

/**
 * `FUNC: m` is the loose form: an unknown macro is a warning when read, and the bare words behind it may all belong to
 * the name.
 */
function parseCall(args: Args): Form | undefined {
  const word = args.tokens[0]!;
  const joined = /^func:(.+)$/i.exec(word.text)?.[1];
  const loose = joined !== undefined || word.text.endsWith(':');
  const token = joined === undefined ? args.need('a macro', 'CALL hold 2 500ms') : word.withText(joined);
  if (!token) return undefined;
  return { form: 'call', macro: token.text, token, args: args.rest(), loose };
}

/**
 * The name and arguments of a loose call: the longest name that is known, of the bare words at its start; all of them
 * when none is.
 */
export function looseCall(
  { macro, token, args }: FormOf<'call'>,
  isKnown: (name: string) => boolean,
): { macro: string; args: readonly Token[] } {
  let words = 0;
  if (token.kind === 'bare') while (args[words]?.kind === 'bare') words++;
  const nameOf = (count: number): string =>
    [macro, ...args.slice(0, count).map(({ text }) => text)].join(' ');
  for (let count = Math.min(words, MOST_NAME_WORDS); count >= 0; count--)
    if (isKnown(nameOf(count))) return { macro: nameOf(count), args: args.slice(count) };
  return { macro: nameOf(words), args: args.slice(words) };
}

export const call = defineCommand({
  words: {
    CALL: {
      since: 3,
      args: 'macro:macro arguments:rest?',
      effect: 'control',
      doc: 'Expands a macro; arguments fill $1, $2 and so on.',
      examples: [],
    },
    FUNC: {
      since: 4,
      args: 'macro:macro arguments:rest?',
      effect: 'control',
      doc: 'Expands a macro with quoted arguments; with = it computes as CALC does.',
      examples: [],
    },
  },
  form: 'call',
  defines({ defined }, first, tokens, command) {
    if (command === 'FUNC' && tokens[2]?.text === '=') defined.add(first);
  },
  parse: (args) =>
    args.command === 'FUNC' && args.peek(1)?.text === '=' ? parseCalc(args) : parseCall(args),
  print: ({ macro, args, loose }, command) =>
    [`${command}${loose ? ':' : ''}`, printName(macro), ...args.map(printToken)].join(' '),
  compile: compileCall,
  operations: {
    call: {
      plan: ({ macro, args, body }, nested) => [[`call ${macro}`, ...args].join(' '), ...nested(body)],
      cost: noTime,
      effect: ({ body }, state, walk) => walk.body(body, state),
      run: ({ body }, command) => command.body(body),
    },
    'unknown-macro': {
      plan: ({ macro }) => `unknown-macro ${macro}`,
      cost: noTime,
      effect: moveNothing,
      async run({ macro }) {
        throw new RunFault('SCN201', `no macro is named "${macro}"`);
      },
    },
  },
});

const printToken = (token: Token): string => (token.kind === 'bare' ? token.text : printWord(token.text));

function compileCall(written: FormOf<'call'>, line: LineContext): void {
  const { body, statement, pos } = line;
  const isKnown = (name: string) => body.scope.macros.has(name);
  const form = written.loose ? { ...written, ...looseCall(written, isKnown) } : written;
  const macro = body.scope.macros.get(form.macro);
  if (!macro) {
    if (body.site.definition && form.macro.includes('$')) return;
    body.site.report('SCN201', `no macro is named "${form.macro}"`, form.token.pos, {
      suggestion: suggest(form.macro, body.scope.macros.keys()),
      ...(form.loose ? { severity: 'W' as const } : {}),
    });
    line.push({ op: 'unknown-macro', macro: form.macro });
    return;
  }
  checkArity(body, macro, form, pos);
  // The cycle is reported where the macros are defined; the expansion just stops here.
  if (body.site.definition) return;
  if (body.site.chain.includes(macro.name)) {
    // A name passed as an argument can close a cycle that the definitions do not show.
    if (statement.source.includes('$')) {
      const cycle = [...body.site.chain.slice(body.site.chain.indexOf(macro.name)), macro.name].join(' -> ');
      body.site.report('SCN203', `recursive macros: ${cycle}; remove one of the calls`, pos);
    }
    return;
  }
  if (body.scope.expanded > EXPANSION_LIMIT) return;
  const args = form.args.map((token) => token.text);
  const expanded = expand(body, macro, args, pos);
  line.push({ op: 'call', macro: macro.name, args, body: expanded });
}

function checkArity(body: BodyContext, macro: Macro, form: FormOf<'call'>, pos: Pos): void {
  const given = form.args.length;
  if (given === macro.arity) return;
  const wanted = `${macro.arity} ${macro.arity === 1 ? 'argument' : 'arguments'}`;
  if (given < macro.arity)
    body.site.report('SCN202', `${macro.name} takes ${wanted}, ${given} given; missing $${given + 1}`, pos);
  else
    body.site.report('SCN202', `${macro.name} takes ${wanted}, ${given} given; the rest is not used`, pos, {
      severity: 'W',
    });
}

function expand(caller: BodyContext, macro: Macro, args: readonly string[], pos: Pos): Instruction[] {
  const { diagnostics } = caller.scope;
  const stack = [pos, ...caller.site.stack];
  const body = caller.scope.compileBody(macro.block.items, {
    stack,
    chain: [...caller.site.chain, macro.name],
    args,
    definition: false,
    report: (code, message, at, extra) => diagnostics.add(code, message, at, { ...extra, stack }),
  });
  const { expanded } = caller.scope;
  caller.scope.expanded += body.length;
  if (caller.scope.expanded <= EXPANSION_LIMIT) return body;
  // Only the innermost call over the limit is reported.
  if (expanded <= EXPANSION_LIMIT)
    caller.site.report(
      'SCN004',
      `macros expand to more than ${EXPANSION_LIMIT} commands; use REPEAT instead of nested calls`,
      pos,
    );
  return [];
}
