import { findCommand, suggestCommand } from '../commands/lookup.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Token } from '../source/token.ts';
import { tokenize } from '../source/tokenize.ts';
import { openAtGoal } from './at-form.ts';
import { readInclude } from './include.ts';
import type { SourceLine } from './line-cursor.ts';
import type { ReaderState } from './reader-state.ts';
import { StatementNode } from './statement-node.ts';
import { METADATA_KEYS, OPERATORS } from './words.ts';

/** Commands that are also likely names of parameters: an operator after them makes a condition line. */
const ALSO_NAMES = /^(?:TIMER|MIN|MAX|VAL|RESULT|RANGE|INPUT|OUT)$/i;
/** `p≥6bar` */
const JOINED_CONDITION = /^[^\s<>=!≤≥≠∈]+[≤≥≠∈<>]=?/;

export function readCommand(reader: ReaderState, line: SourceLine, word: string): void {
  const { tokens, comment } = tokenize(line.text, line.start, reader.file, line.number, reader.tokenFaults);
  const end = tokens.at(-1)?.end ?? line.start;
  const note = comment < 0 ? undefined : line.text.slice(comment).trimEnd();
  const command = commandOf(tokens, word);
  if (command === 'INCLUDE') return readInclude(reader, line, tokens, end, note);
  if (command === undefined) return unknownCommand(reader, line, word, end);
  const isAtTop = command === 'DEFAULT' && !reader.block;
  if (!isAtTop && (!reader.block || reader.block.header.kind === 'AT')) {
    if (!reader.block || command !== '→') return reader.outsideBlock(line, end);
    openAtGoal(reader, reader.at, 'implicit', line, line.start, -1);
  }
  if (command === '→') reader.legacySigns = true;
  const pos = reader.pos(line, line.start, end);
  if (line.indent === 0 && !isAtTop) reader.notIndented.push(pos);
  const naming =
    command === 'NAME'
      ? tokens[1]
      : command === 'SET' && tokens[1]?.text.toUpperCase() === 'NAME'
        ? nameToken(tokens)
        : undefined;
  if (naming) {
    reader.add(
      {
        type: 'naming',
        name: textFrom(line.text, tokens, naming),
        pos,
        ...(note === undefined ? {} : { comment: note }),
      },
      line,
    );
    return;
  }
  const source = line.text.slice(line.start, end);
  const statement = new StatementNode(
    command,
    source,
    line.indent,
    reader.file,
    line.number,
    line.start,
    note,
  );
  reader.definitions.note(command, tokens);
  reader.add(statement, line);
}

/** Canonical command of a line; `CONDITION` when an operator follows a name that is no command. */
function commandOf(tokens: readonly Token[], word: string): string | undefined {
  const first = tokens[0]!;
  const second = tokens[1];
  const spec = first.kind === 'bare' ? findCommand(word) : undefined;
  const operatorNext = second !== undefined && !second.quoted && OPERATORS.has(second.text);
  // With a value it is a variable of that name.
  if (spec?.name === 'SET' && tokens.length === 2 && /^optional$/i.test(second!.text)) return 'OPTIONAL';
  if (spec && !(operatorNext && ALSO_NAMES.test(word))) return spec.name;
  if (first.kind === 'bare') {
    if (/^func:/i.test(word)) return 'FUNC';
    if (/^or$/i.test(word) && second && /^if$/i.test(second.text)) return 'OR IF';
    if (word.startsWith('→') || word.startsWith('->')) return '→';
    if (JOINED_CONDITION.test(word)) return 'CONDITION';
  }
  return operatorNext ? 'CONDITION' : undefined;
}

function unknownCommand(reader: ReaderState, line: SourceLine, word: string, end: number): void {
  if (!reader.block && reader.noticeOtherLanguage(line, end)) return;
  const pos = reader.pos(line, line.start, end);
  reader.unknown(line, end);
  const near = suggestCommand(word);
  if (!reader.block) {
    reader.diagnostics.add(
      'SCN110',
      `this line stands before the first block; only metadata, INCLUDE and comments may`,
      pos,
      {
        suggestion: suggest(word.replace(/:$/, ''), ['GOAL', 'CONFIG', 'MACRO', 'FUNC', ...METADATA_KEYS]),
      },
    );
    return;
  }
  reader.diagnostics.add(
    'SCN120',
    `${word} is no command`,
    reader.pos(line, line.start, line.start + word.length),
    {
      suggestion: near,
      ...(near ? { fix: { pos: reader.pos(line, line.start, line.start + word.length), text: near } } : {}),
    },
  );
}

/** The token that holds the name in `SET NAME 'x'`, an `=` skipped. */
function nameToken(tokens: readonly Token[]): Token | undefined {
  const token = tokens[2];
  return token?.kind === 'bare' && token.text === '=' ? tokens[3] : token;
}

/** A quoted name as it is; a bare one up to the end of the line. */
function textFrom(line: string, tokens: readonly Token[], first: Token): string {
  return first.kind === 'bare' ? line.slice(first.start, tokens.at(-1)!.end) : first.text;
}
