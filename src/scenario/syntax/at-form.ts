import { findCommand } from '../commands/lookup.ts';
import { endOfText } from '../source/tokenize.ts';
import { unquote } from '../source/unquote.ts';
import { shorten } from '../values/number-fault.ts';
import { commandInTitle } from './command-word.ts';
import type { SourceLine } from './line-cursor.ts';
import type { Block } from './node.ts';
import type { ReaderState } from './reader-state.ts';
import { readSection } from './section.ts';
import { ATTRIBUTE_NAMES, METADATA_KEYS, SECTION_NAMES } from './words.ts';

export function readAtHeader(reader: ReaderState, line: SourceLine): void {
  const { end, comment } = endOfText(line.text, line.start);
  const match = /^@([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)\s*:?\s*(.*)$/u.exec(
    line.text.slice(line.start, end),
  );
  const pos = reader.pos(line, line.start, end);
  if (!match) {
    reader.unknown(line, end);
    reader.diagnostics.add(
      'SCN120',
      `an @ header names a scenario, for example @Rig.Mask; found ${line.text.slice(line.start, end)}`,
      pos,
    );
    return;
  }
  if (match[2])
    reader.diagnostics.add('SCN124', `text after the @ header is not used: ${match[2]}`, pos, {
      severity: 'W',
    });
  reader.at = match[1]!;
  reader.open(
    {
      kind: 'AT',
      keyword: `@${reader.at}`,
      name: reader.at,
      style: 'at',
      pos,
      missingColon: false,
      namespace: undefined,
      comment: comment < 0 ? undefined : line.text.slice(comment).trimEnd(),
    },
    line,
  );
}

export function openAtGoal(
  reader: ReaderState,
  name: string | undefined,
  style: Block['style'],
  line: SourceLine,
  end: number,
  comment: number,
): void {
  reader.open(
    {
      kind: 'GOAL',
      keyword: '',
      name,
      style,
      pos:
        style === 'implicit' ? reader.pos(line, line.start, line.start) : reader.pos(line, line.start, end),
      missingColon: false,
      namespace: reader.at,
      comment: comment < 0 ? undefined : line.text.slice(comment).trimEnd(),
    },
    line,
  );
}

/** Goals, attributes and sections of the @-form; false when the line is a command. */
export function readAtForm(reader: ReaderState, line: SourceLine, word: string): boolean {
  const { end, comment } = endOfText(line.text, line.start);
  const body = line.text.slice(line.start, end);
  const colon = body.indexOf(':');
  if (colon < 0) return false;
  const key = body.slice(0, colon).trim();
  const rest = body.slice(colon + 1).trim();
  const note = comment < 0 ? {} : { comment: line.text.slice(comment).trimEnd() };
  if (SECTION_NAMES.has(key)) {
    readSection(reader, key, line, end);
    return true;
  }
  const isAboutFile = METADATA_KEYS.has(key) && key !== 'VERSION' && reader.block?.header.kind === 'AT';
  if (ATTRIBUTE_NAMES.has(key) || isAboutFile) {
    reader.add(
      { type: 'attribute', key, value: unquote(rest), pos: reader.pos(line, line.start, end), ...note },
      line,
    );
    return true;
  }
  if (rest !== '' || line.indent > 2) return false;
  const plain = word.replace(/:$/, '');
  if (findCommand(word) && (word !== body || /^(save|task|else|repeat|loop)$/i.test(plain))) return false;
  openAtGoal(reader, unquote(key), 'at-goal', line, end, comment);
  return true;
}

export function readStep(reader: ReaderState, line: SourceLine): boolean {
  const { end, comment } = endOfText(line.text, line.start);
  const body = line.text.slice(line.start, end);
  const match = /^(\d+(?:\.\d+)*)(?:[.)]\s*|\s+)(?=\S)/.exec(body);
  const rest = body.slice(match?.[0].length);
  if (!match || /^(\.\.|[<>=≤≥≠∈!])/.test(rest)) return false;
  const title = (rest.endsWith(':') && rest.slice(0, -1).trimEnd()) || rest;
  const pos = reader.pos(line, line.start, end);
  reader.legacySigns = true;
  if (!reader.block && reader.at === undefined) {
    reader.outsideBlock(line, end);
    return true;
  }
  if (reader.block?.header.kind === 'AT') openAtGoal(reader, reader.at, 'implicit', line, line.start, -1);
  reader.diagnostics.add('SCN301', 'numbered steps are version 1 syntax', pos);
  const command = commandInTitle(rest.endsWith(':') ? `${title}:` : title);
  if (command !== undefined)
    reader.diagnostics.add(
      'SCN124',
      `"${shorten(command)}" is part of a step title and would be ignored; put it on its own line`,
      pos,
    );
  reader.add(
    {
      type: 'step',
      number: match[1]!,
      title: unquote(title),
      pos,
      ...(comment < 0 ? {} : { comment: line.text.slice(comment).trimEnd() }),
    },
    line,
  );
  return true;
}
