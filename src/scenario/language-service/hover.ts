import { findUnit } from '../../rig/units/units.ts';
import { findCommand } from '../commands/lookup.ts';
import type { CommandSpec } from '../commands/spec.ts';
import type { BlockKind } from '../syntax/node.ts';
import { BLOCK_KINDS } from '../syntax/words.ts';
import type { Analysis } from './analysis.ts';
import { cursorAt } from './cursor.ts';
import { peripheralSentences, sensorSentences } from './describe.ts';
import { type DefinedMacro, macroAt } from './macros.ts';
import type { TextRange } from './source-text.ts';

/** What an editor shows about the word under the pointer. Plain text: an adapter escapes it for its own form. */
export interface Hover extends TextRange {
  /** One line of the language: how it is written. */
  readonly signature: string;
  readonly sentences: readonly string[];
  /** Lines of the language. */
  readonly examples: readonly string[];
}

/** What is known about the word at an offset; undefined where there is nothing to say. */
export function hoverAt(analysis: Analysis, offset: number): Hover | undefined {
  const word = wordAt(analysis, offset);
  if (!word) return undefined;
  const { from, to, text } = word;
  const macro = macroAt(analysis, offset);
  if (macro) return { from, to, ...aboutMacro(macro) };
  const cursor = cursorAt(analysis, from);
  if (cursor.kind === 'first-word') {
    const about = aboutFirstWord(text);
    return about && { from, to, ...about };
  }
  if (cursor.kind !== 'argument' || cursor.argument?.kind === 'text') return undefined;
  const about = aboutName(analysis, text);
  return about && { from, to, ...about };
}

/** Words end at blanks, quotes, brackets and operators. */
const PIECES = /[^\s<>=!≤≥≠∈,;|[\]'"]+/g;

function wordAt({ source }: Analysis, offset: number): (TextRange & { text: string }) | undefined {
  const number = source.lineAt(offset);
  const start = source.offset(number, 1);
  for (const { 0: text, index } of source.line(number).matchAll(PIECES)) {
    const from = start + index;
    if (from <= offset && offset <= from + text.length) return { from, to: from + text.length, text };
  }
  return undefined;
}

type About = Omit<Hover, 'from' | 'to'>;

function aboutFirstWord(word: string): About | undefined {
  const kind = BLOCK_KINDS.get(word.replace(/:.*$/, '').toUpperCase());
  const spec = findCommand(word);
  // `FUNC x` is a command, `FUNC x:` a header: both are shown.
  if (spec) return aboutCommand(spec);
  return kind && { ...BLOCKS[kind], examples: [] };
}

const aboutCommand = ({
  name,
  aliases,
  args,
  since,
  legacy,
  notExecutable,
  doc,
  examples,
}: CommandSpec): About => ({
  signature: [name, ...args.map((arg) => (arg.optional ? `[${arg.name}]` : arg.name))].join(' '),
  sentences: [
    doc,
    ...(aliases.length > 0 ? [`Also written ${aliases.join(', ')}.`] : []),
    ...(notExecutable
      ? ['Known, but not executable.']
      : [`Since version ${since}${legacy ? '; a form of older versions' : ''}.`]),
  ],
  examples: examples.flatMap((example) => example.split('\n')),
});

const BLOCKS: Readonly<Record<BlockKind, Omit<About, 'examples'>>> = {
  GOAL: {
    signature: 'GOAL:',
    sentences: ['A part of the test that is judged. SET NAME below it names it.'],
  },
  CONFIG: {
    signature: 'CONFIG name:',
    sentences: ['Prepares the rig. After the last GOAL it is teardown, which runs after a failure too.'],
  },
  MACRO: {
    signature: 'MACRO name:',
    sentences: ['Commands to CALL; $1, $2 and so on stand for the arguments.'],
  },
  FUNC: {
    signature: "FUNC: 'name'",
    sentences: ['Commands to call by FUNC; $1, $2 and so on stand for the arguments.'],
  },
  HARDWARE: { signature: 'HARDWARE:', sentences: ['Accepted, but not executed.'] },
  EVENT: { signature: 'EVENT:', sentences: ['Accepted, but not executed.'] },
  AT: { signature: '@Namespace.Name', sentences: ['A scenario of the legacy form.'] },
};

function aboutMacro({ name, macro: { arity, block } }: DefinedMacro): About {
  const args = Array.from({ length: arity }, (_, index) => `$${index + 1}`);
  const file = block.pos.file.split('/').at(-1);
  return {
    signature: ['CALL', name, ...args].join(' '),
    sentences: [`Macro defined in ${file}, line ${block.header.line}.`],
    examples: [],
  };
}

function aboutName({ environment: { registry } }: Analysis, name: string): About | undefined {
  const sensor = registry.sensor(name);
  if (sensor) return { signature: name, sentences: sensorSentences(sensor), examples: [] };
  const peripheral = registry.peripheral(name);
  if (peripheral) return { signature: name, sentences: peripheralSentences(peripheral), examples: [] };
  const unit = findUnit(name);
  return unit && { signature: name, sentences: [`Unit of ${unit.dimension}.`], examples: [] };
}
