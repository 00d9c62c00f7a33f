import { findCommand } from '../commands/lookup.ts';
import type { LineCursor, SourceLine } from './line-cursor.ts';

/** A header unique to this language; a single one makes the text a scenario. */
const OWN_HEADER = /^(?:(?:GOAL|TEST|CONFIG|MACRO|FUNC)\b[^[{]*:|@\p{L})/iu;

/** Lines unique to another language. */
const SIGNS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['a TestQL text', /^(?:[A-Z_]+\[\d+\]\{|API\s+(?:GET|POST|PUT|PATCH|DELETE)\b|(?:GUI|ENCODER)_[A-Z]+\b)/],
  [
    'a text of the event DSL',
    /^(?:(?:EMIT|NAVIGATE|CLICK|INPUT|START_TEST|STEP_COMPLETE|(?:SELECT|RECORD|OPEN|SESSION)_[A-Z_]+)\b|(?:EVENT|ON)\s+[\w."']+\s*(?:\{|->|$))/,
  ],
  ['JSON', /^[{[]\s*(?:["{[]|$)/],
  ['XML', /^<[?!a-z]/i],
  ['YAML', /^(?:---|- \S.*:|\w+:\s*[|>]?)$/],
  ['a Gherkin feature', /^(?:Feature|Scenario(?: Outline)?|Background):|^(?:Given|When|Then)\s/],
  ['a program', /^(?:#!|import\s|from\s+\S+\s+import\s|def\s|class\s|function\s|const\s|let\s)/],
];
/** Maximum characters of a line that its sign may need. */
const HEAD = 200;
/** A text of this many lines without a single command of this language is not a scenario. */
const FEW_LINES = 3;

/**
 * What a text is when it is not a scenario, decided at its first unknown line; undefined for a faulty scenario.
 */
export function otherLanguage(line: SourceLine, cursor: LineCursor): string | undefined {
  const votes = new Map<string, number>();
  let own = 0;
  let lines = 0;
  const mayBeForeign = ({ text, start }: SourceLine): boolean => {
    const head = text.slice(start, start + HEAD).trimEnd();
    if (head === '' || head.startsWith('# ')) return true;
    if (OWN_HEADER.test(head)) return false;
    lines++;
    const found = SIGNS.find(([, sign]) => sign.test(head));
    if (found) votes.set(found[0], (votes.get(found[0]) ?? 0) + 1);
    const command = findCommand(/^\S+/.exec(head)![0]);
    if (command && !command.notExecutable) own++;
    return true;
  };
  if (!mayBeForeign(line)) return undefined;
  for (const next of cursor.ahead()) if (!mayBeForeign(next)) return undefined;
  const [best] = [...votes].sort(([, a], [, b]) => b - a);
  if (best) return best[0];
  return own === 0 && lines >= FEW_LINES ? 'a text without one command of this language' : undefined;
}
