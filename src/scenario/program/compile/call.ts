import { suggest } from '../../diagnostics/suggest.ts';
import type { Form } from '../../forms/form.ts';
import { looseCall } from '../../forms/parse-flow.ts';
import type { Pos } from '../../source/position.ts';
import type { Token } from '../../source/token.ts';
import type { Statement } from '../../syntax/node.ts';
import type { Instruction } from '../instruction.ts';
import type { BodyContext } from './body-context.ts';
import type { Macro } from './scope.ts';

/** Most commands that macros may expand to. */
const EXPANSION_LIMIT = 100_000;

export function compileCall(
  body: BodyContext,
  written: Extract<Form, { form: 'call' }>,
  statement: Statement,
  tokens: readonly Token[],
): void {
  const { pos } = statement;
  const isKnown = (name: string) => body.scope.macros.has(name);
  const form = written.loose ? { ...written, ...looseCall(written, isKnown) } : written;
  const text = body.textOf(statement, tokens);
  const macro = body.scope.macros.get(form.macro);
  if (!macro) {
    if (body.site.definition && form.macro.includes('$')) return;
    body.site.report('SCN201', `no macro is named "${form.macro}"`, form.token.pos, {
      suggestion: suggest(form.macro, body.scope.macros.keys()),
      ...(form.loose ? { severity: 'W' as const } : {}),
    });
    body.push({ op: 'unknown-macro', macro: form.macro }, statement.command, text, pos);
    return;
  }
  checkArity(body, macro, form, pos);
  // The cycle itself is reported where the macros are defined; here its expansion just ends.
  if (body.site.definition) return;
  if (body.site.chain.includes(macro.name)) {
    // A name that came in as an argument closes a cycle that cannot be seen in the definitions.
    if (statement.source.includes('$')) {
      const cycle = [...body.site.chain.slice(body.site.chain.indexOf(macro.name)), macro.name].join(' -> ');
      body.site.report('SCN203', `these macros call each other: ${cycle}; break the circle`, pos);
    }
    return;
  }
  if (body.scope.expanded > EXPANSION_LIMIT) return;
  const args = form.args.map((token) => token.text);
  const expanded = expand(body, macro, args, pos);
  body.push({ op: 'call', macro: macro.name, args, body: expanded }, statement.command, text, pos);
}

function checkArity(body: BodyContext, macro: Macro, form: Extract<Form, { form: 'call' }>, pos: Pos): void {
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
  // The innermost call that goes too far is told, not again each call that led there.
  if (expanded <= EXPANSION_LIMIT)
    caller.site.report(
      'SCN004',
      `macros expand to more than ${EXPANSION_LIMIT} commands; use REPEAT instead of calls of calls`,
      pos,
    );
  return [];
}
