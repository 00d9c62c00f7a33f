import { looseCall } from '../commands/call.ts';
import { Diagnostics } from '../diagnostics/collector.ts';
import { parseForm } from '../forms/parse-form.ts';
import { gatherMacros } from '../program/compile/macros.ts';
import { statementsOf } from '../program/compile/names-prepass.ts';
import type { Macro } from '../program/compile/scope.ts';
import type { Pos } from '../source/position.ts';
import type { Statement } from '../syntax/node.ts';
import type { Analysis } from './analysis.ts';
import { macroNameAt } from './macro-name.ts';
import { contains, type Place, placeOf } from './place.ts';

/** A macro as defined, and the place of its name there; undefined in a file whose text is not known. */
export interface DefinedMacro {
  readonly name: string;
  readonly macro: Macro;
  readonly nameAt: Place | undefined;
}

/** The macros that a text can call, by name. */
export function macrosOf(analysis: Analysis): Map<string, DefinedMacro> {
  const macros = gatherMacros(analysis.document, new Diagnostics());
  return new Map(
    [...macros].map(([name, macro]) => [name, { name, macro, nameAt: macroNameAt(analysis, macro.block) }]),
  );
}

/** A name of a macro in a call. */
export interface MacroCall {
  readonly name: string;
  readonly at: Place;
  /** The bare words of `FUNC: two words` are one name. */
  readonly loose: boolean;
}

/** Every call of a macro in a text and its includes, of macros that do not exist too. */
export function callsOf(analysis: Analysis, macros = macrosOf(analysis)): MacroCall[] {
  const calls: MacroCall[] = [];
  for (const statement of statementsOf(analysis.document)) {
    const call = callOf(analysis, statement, macros);
    if (call) calls.push(call);
  }
  return calls;
}

function callOf(
  analysis: Analysis,
  { command, tokens, pos }: Statement,
  macros: ReadonlyMap<string, DefinedMacro>,
): MacroCall | undefined {
  if ((command !== 'CALL' && command !== 'FUNC') || tokens[2]?.text === '=') return undefined;
  const form = parseForm(command, tokens, pos, () => undefined);
  if (form?.form !== 'call') return undefined;
  const { token } = form;
  const { macro, args } = form.loose ? looseCall(form, (name) => macros.has(name)) : form;
  const last = form.args.length > args.length ? form.args[form.args.length - args.length - 1]! : token;
  // `FUNC:name` is one token.
  const skipped = tokens[0] !== token && tokens[0]!.start === token.start ? 'FUNC:'.length : 0;
  const range: Pos = { ...token.pos, col: token.pos.col + skipped, endCol: last.pos.endCol };
  const at = placeOf(analysis, range);
  return at && { name: macro, at, loose: form.loose };
}

/** The macro whose name stands at an offset, in a call or in its definition. */
export function macroAt(analysis: Analysis, offset: number): DefinedMacro | undefined {
  const macros = macrosOf(analysis);
  const isHere = (place: Place | undefined): boolean =>
    place !== undefined && place.file === analysis.file && contains(place, offset);
  for (const defined of macros.values()) if (isHere(defined.nameAt)) return defined;
  const call = callsOf(analysis, macros).find(({ at }) => isHere(at));
  return call && macros.get(call.name);
}

/**
 * The definition of a macro and its calls, in a text and its includes. The text may be another one than that in which
 * the macro was found; there a macro of its own with that name is not meant.
 */
export function macroReferences(analysis: Analysis, target: DefinedMacro): Place[] {
  const macros = macrosOf(analysis);
  const here = macros.get(target.name);
  if (!here || here.macro.block.pos.file !== target.macro.block.pos.file) return [];
  const calls = callsOf(analysis, macros).flatMap(({ name, at }) => (name === target.name ? [at] : []));
  return here.nameAt ? [here.nameAt, ...calls] : calls;
}
