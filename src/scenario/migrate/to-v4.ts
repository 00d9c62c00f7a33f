import { Registry } from '../../rig/registry/registry.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { formatScenario } from '../format/format.ts';
import { quote } from '../format/words.ts';
import { hasErrors, type Loaded, type LoadOptions, loadScenario } from '../load.ts';
import type { Block, Document } from '../syntax/node.ts';
import { firstDifference, usesIter } from './difference.ts';
import { printV4, type Unsupported } from './v4-printer.ts';

export type Migrated =
  | { readonly status: 'migrated'; readonly text: string }
  /** It declares version 4 already. */
  | { readonly status: 'unchanged' }
  | { readonly status: 'unsupported'; readonly unsupported: readonly Unsupported[] }
  /** It has errors: what it means is not known. */
  | { readonly status: 'invalid'; readonly errors: readonly Diagnostic[] };

/**
 * Writes a scenario of an older version in version 4. Both texts are read and their plans compared: a text whose meaning
 * would change, or that uses what version 4 does not have, is unsupported.
 */
export function toV4(source: string, file: string, options: LoadOptions = {}): Migrated {
  const loaded = loadScenario(source, file, options);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return { status: 'invalid', errors };
  const { document, program } = loaded;
  if (document.declaredVersion === 4) return { status: 'unchanged' };
  if (document.version > 4)
    return unsupported([
      { pos: start(document), reason: `it declares version ${document.version}, not an older one` },
    ]);

  const macros = macrosOf(document);
  const printed = printV4(document, {
    registry: options.registry ?? new Registry(),
    macros: new Set(macros.map(({ name }) => name)),
    usesIter: usesIter(program),
  });
  if (printed.unsupported.length > 0) return unsupported(printed.unsupported);
  const text = `${printed.lines.map((line) => line.text).join('\n')}\n`;
  const again = loadScenario(text, file, options);
  if (hasErrors(again.diagnostics))
    return unsupported(
      again.diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ message, pos, stack }) => {
          const line = (stack?.at(-1) ?? pos).line;
          const origin = pos.file === file ? printed.lines[line - 1]?.origin : undefined;
          return {
            pos: origin ?? pos,
            reason: `no form in version 4: ${message}`,
          };
        }),
    );
  const formatted = formatScenario(text, file, options);
  const result = 'text' in formatted ? formatted.text : text;
  const difference = differenceOf(loaded, loadScenario(result, file, options));
  if (difference) return unsupported([difference]);
  const inMacro = differenceOf(...probed(source, result, macros, file, options));
  if (inMacro)
    return unsupported([
      { pos: inMacro.pos, reason: `${NOT_THE_SAME}: a macro would do something else here` },
    ]);
  return { status: 'migrated', text: result };
}

const NOT_THE_SAME = 'the plan would not be the same';

/** Where and how the plan of a text differs from that of another. Undefined when they mean the same. */
export function differenceOf(before: Loaded, after: Loaded): Unsupported | undefined {
  const found = firstDifference(before.program, after.program, start(before.document));
  return found && { pos: found.pos, reason: `${NOT_THE_SAME}: ${found.what}` };
}

/** Arguments that macros are tried with: a number, a word, a sensor. */
const PROBES = ['1', 'on', 'AI01'];

/** Both texts with goals that call every macro, so that macros that nothing calls are compared too. */
function probed(
  before: string,
  after: string,
  macros: readonly Macro[],
  file: string,
  options: LoadOptions,
): [Loaded, Loaded] {
  const calls = macros.flatMap(({ name, arity }) =>
    PROBES.map((probe) => `  CALL ${quote(name)}${` ${quote(probe)}`.repeat(arity)}`),
  );
  const goal = calls.length === 0 ? '' : `\nGOAL:\n  SET NAME 'probe'\n${calls.join('\n')}\n`;
  return [loadScenario(before + goal, file, options), loadScenario(after + goal, file, options)];
}

interface Macro {
  readonly name: string;
  readonly arity: number;
}

/** The macros of a file and of all that it includes. */
function macrosOf(document: Document): Macro[] {
  const own = document.items.filter(
    (item): item is Block => item.type === 'block' && (item.kind === 'MACRO' || item.kind === 'FUNC'),
  );
  return [
    ...own.map((block) => ({ name: block.name, arity: highestArgument(JSON.stringify(block.items)) })),
    ...document.includes.flatMap(macrosOf),
  ];
}

const highestArgument = (text: string): number =>
  [...text.matchAll(/\$\{?(\d+)/g)].reduce((highest, [, digits]) => Math.max(highest, Number(digits)), 0);

const unsupported = (found: readonly Unsupported[]): Migrated => ({
  status: 'unsupported',
  unsupported: found,
});

const start = ({ pos }: Document) => ({ ...pos, endLine: pos.line, endCol: pos.col });
