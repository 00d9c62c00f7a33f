import type { Random } from '../../lib/random/seeded-random.ts';
import { COMMANDS } from '../../scenario/commands/table.ts';

const PIECES = [
  ...COMMANDS.flatMap((spec) => [spec.name, ...spec.examples]),
  'GOAL:',
  'GOAL: x',
  'CONFIG x:',
  'MACRO m:',
  "FUNC: 'm'",
  '@Rig.Mask',
  '  Hold:',
  'VERSION: 4',
  'VERSION 3',
  'INCLUDE',
  'REPEAT STOP',
  "SET NAME 'x'",
  '1. Fill:',
  '→ Pump.set 3 l/min',
  'AI01 ∈ [-11, -9] mbar | WAIT',
  'Timer ≤ 8 s | WAIT',
  'CALL m 1 2',
  '$1',
  '$' + '{x}',
  '$$',
  "'",
  '"',
  '[',
  ']',
  '..',
  '∞',
  '-',
  '−',
  '1e999',
  '1e-999',
  '5l/min',
  '0',
  ':',
  '=',
  '#',
  '\t',
  '\r',
  '\n',
  '\u0000',
  '\uFEFF',
  '\uD800',
  '𝔸',
  '€',
  'ai01',
  'pump',
  'valve-1',
  'lung',
  'AND',
  'OR',
  'ELSE',
  'THEN',
  '<',
  '<=',
  '≥',
  '≠',
  '100 %',
  '24 h',
  'mbar',
  '__proto__',
  'constructor',
  'toString',
];

const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;

type Mutation = (text: string, random: Random, corpus: readonly string[]) => string;

const cut: Mutation = (text, random) => {
  const from = below(random, text.length + 1);
  return text.slice(0, from) + text.slice(from + below(random, 30));
};
const insert: Mutation = (text, random) => {
  const at = below(random, text.length + 1);
  return `${text.slice(0, at)}${pick(random, PIECES)}${text.slice(at)}`;
};
const swapCharacter: Mutation = (text, random) => {
  const at = below(random, text.length + 1);
  return (
    text.slice(0, at) +
    String.fromCharCode(below(random, 3) === 0 ? below(random, 0x3000) : 32 + below(random, 95)) +
    text.slice(at + 1)
  );
};
const onLines =
  (change: (lines: string[], random: Random) => void): Mutation =>
  (text, random) => {
    const lines = text.split('\n');
    change(lines, random);
    return lines.join('\n');
  };
const dropLine = onLines((lines, random) => lines.splice(below(random, lines.length), 1));
const doubleLine = onLines((lines, random) => {
  const at = below(random, lines.length);
  lines.splice(below(random, lines.length), 0, lines[at]!);
});
const indentLine = onLines((lines, random) => {
  const at = below(random, lines.length);
  lines[at] = random() < 0.5 ? `  ${lines[at]}` : lines[at]!.replace(/^\s{1,2}/, '');
});
const newLine = onLines((lines, random) =>
  lines.splice(below(random, lines.length), 0, `  ${pick(random, PIECES)}`),
);
const swapLines = onLines((lines, random) => {
  const a = below(random, lines.length);
  const b = below(random, lines.length);
  [lines[a], lines[b]] = [lines[b]!, lines[a]!];
});
const splice: Mutation = (text, random, corpus) => {
  const other = pick(random, corpus);
  const at = below(random, other.length);
  return text.slice(0, below(random, text.length)) + other.slice(at, at + below(random, 400));
};

const MUTATIONS: readonly Mutation[] = [
  cut,
  insert,
  insert,
  swapCharacter,
  dropLine,
  doubleLine,
  indentLine,
  newLine,
  newLine,
  swapLines,
  splice,
];

/** Random text: words of the language, or bytes that are not text at all. */
function invented(random: Random): string | Uint8Array {
  if (random() < 0.3) return Uint8Array.from({ length: below(random, 200) }, () => below(random, 256));
  let text = random() < 0.5 ? "GOAL:\n  SET NAME 'x'\n" : '';
  for (let i = below(random, 40); i >= 0; i--)
    text += pick(random, ['\n', '\n  ', ' ', ' ', '']) + pick(random, PIECES);
  return text;
}

/** One input: a mutated scenario of the corpus, or an invented one. */
export function fuzzInput(random: Random, corpus: readonly string[]): string | Uint8Array {
  if (random() < 0.2) return invented(random);
  let text = pick(random, corpus);
  for (let i = below(random, 6); i >= 0; i--) text = pick(random, MUTATIONS)(text, random, corpus);
  return text.slice(0, 20_000);
}
