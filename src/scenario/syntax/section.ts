import { findCommand } from '../commands/lookup.ts';
import { afterCheckMarks } from '../source/check-mark.ts';
import type { Pos } from '../source/position.ts';
import { endOfText } from '../source/tokenize.ts';
import type { SourceLine } from './line-cursor.ts';
import type { ReaderState } from './reader-state.ts';
import { METADATA_KEYS, SECTION_NAMES } from './words.ts';

const HEAD = /^([A-Z][A-Z0-9_]*)[^\S\r\n]*:/;

/**
 * `SENSORS:` and its like above the first block, with their deeper lines. Of other names only those that have deeper
 * lines and no text: the others are metadata.
 */
export function readTopSection(reader: ReaderState, line: SourceLine): boolean {
  if (reader.started) return false;
  const key = HEAD.exec(line.text.slice(line.start, line.start + 80))?.[1];
  if (key === undefined || key === 'TASK' || key === 'SAVE' || key === 'VERSION') return false;
  const { end } = endOfText(line.text, line.start);
  const text = line.text.slice(line.text.indexOf(':', line.start) + 1, end).trim();
  if (SECTION_NAMES.has(key)) {
    readSection(reader, key, line, end);
    return true;
  }
  if (text !== '') return false;
  const next = reader.lines.peekMeaningful();
  if (!next || next.indent <= line.indent || (METADATA_KEYS.has(key) && line.indent > 0)) return false;
  readSection(reader, key, line, end);
  return true;
}

/** Keeps the text and the deeper lines of a section as they are. */
export function readSection(reader: ReaderState, name: string, line: SourceLine, end: number): void {
  const lines: { text: string; pos: Pos }[] = [];
  const inline = inlineText(line, end);
  if (inline < end) lines.push({ text: line.text.slice(inline, end), pos: reader.pos(line, inline, end) });
  let last = line;
  for (let next = reader.lines.peek(); next; next = reader.lines.peek()) {
    const blank = next.start >= next.text.length;
    if (!blank && next.indent <= line.indent && !isCommentInside(reader, next, line)) break;
    if (reader.at !== undefined && !blank && startsGoal(reader, next)) break;
    reader.lines.next();
    if (blank) continue;
    last = next;
    const nextEnd = next.text.trimEnd().length;
    lines.push({ text: next.text.slice(next.start, nextEnd), pos: reader.pos(next, next.start, nextEnd) });
  }
  const head = reader.pos(line, line.start, end);
  const pos = {
    ...head,
    endLine: last.number,
    endCol: last === line ? head.endCol : last.text.trimEnd().length + 1,
  };
  reader.add({ type: 'section', name, lines, pos }, line);
  reader.diagnostics.add('SCN118', `${name} is accepted but not executed`, head);
}

function inlineText(line: SourceLine, end: number): number {
  let i = line.text.indexOf(':', line.start) + 1;
  while (i < end && /\s/.test(line.text[i]!)) i++;
  return i;
}

/** A comment at the margin between the lines of a section. */
const isCommentInside = (reader: ReaderState, comment: SourceLine, section: SourceLine): boolean =>
  comment.text[comment.start] === '#' && (reader.lines.peekMeaningful()?.indent ?? 0) > section.indent;

/** `Name:` within a section, with a step or a command below it: a goal, which must not become part of the section. */
function startsGoal(reader: ReaderState, line: SourceLine): boolean {
  if (line.indent > 2) return false;
  const { end } = endOfText(line.text, line.start);
  if (line.text[end - 1] !== ':') return false;
  for (const next of reader.lines.ahead()) {
    if (next.number <= line.number || next.start >= next.text.length) continue;
    if (next.indent <= line.indent) return false;
    if (isAction(next)) return true;
  }
  return false;
}

function isAction(line: SourceLine): boolean {
  const start = afterCheckMarks(line.text, line.start);
  if (start > line.start) return true;
  const head = line.text.slice(start, start + 40);
  if (/^(?:→|->|\d+(?:\.\d+)*[.)])/.test(head)) return true;
  const word = /^\S+/.exec(head)?.[0] ?? '';
  return /^(?:SAVE|TASK):$/i.test(word) || (!word.endsWith(':') && findCommand(word) !== undefined);
}
