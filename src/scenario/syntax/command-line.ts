import { suggestCommand } from '../commands/lookup.ts';
import { commandOfWord } from '../commands/table.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { posBetween } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { tokenize } from '../source/tokenize.ts';
import { shorten } from '../values/number-fault.ts';
import { openAtGoal } from './at-form.ts';
import { commandOf } from './command-word.ts';
import { readInclude } from './include.ts';
import type { SourceLine } from './line-cursor.ts';
import type { ReaderState } from './reader-state.ts';
import { StatementNode } from './statement-node.ts';
import { METADATA_KEYS } from './words.ts';

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
    refuseExtra(reader, tokens, naming);
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
  const definition = commandOfWord(command);
  const first = tokens[1]?.text;
  // A name known only when a macro is expanded is skipped; a text for people may contain one.
  if (first !== undefined && (definition.isProse || !first.includes('$')))
    definition.defines?.(reader.definitions, first, tokens, command);
  reader.add(statement, line);
}

function unknownCommand(reader: ReaderState, line: SourceLine, word: string, end: number): void {
  if (!reader.block && reader.noticeOtherLanguage(line, end)) return;
  const pos = reader.pos(line, line.start, end);
  reader.unknown(line, end);
  const near = suggestCommand(word);
  if (!reader.block) {
    reader.diagnostics.add(
      'SCN110',
      `only metadata, INCLUDE and comments may precede the first block; move this line into a block`,
      pos,
      {
        suggestion: suggest(word.replace(/:$/, ''), ['GOAL', 'CONFIG', 'MACRO', 'FUNC', ...METADATA_KEYS]),
      },
    );
    return;
  }
  reader.diagnostics.add(
    'SCN120',
    `${word} is not a command`,
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

/** A limit after a quoted name would be lost (SCN124). */
function refuseExtra({ diagnostics }: ReaderState, tokens: readonly Token[], name: Token): void {
  const extra = name.kind === 'bare' ? undefined : tokens[tokens.indexOf(name) + 1];
  if (!extra) return;
  diagnostics.add(
    'SCN124',
    `"${shorten(extra.text)}" follows the name and would be ignored; put it on its own line, or remove it`,
    posBetween(extra.pos, tokens.at(-1)!.pos),
  );
}

/** A quoted name as it is; a bare one up to the end of the line. */
function textFrom(line: string, tokens: readonly Token[], first: Token): string {
  return first.kind === 'bare' ? line.slice(first.start, tokens.at(-1)!.end) : first.text;
}
