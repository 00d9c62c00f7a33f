import { suggest } from '../diagnostics/suggest.ts';
import type { Pos } from '../source/position.ts';
import { endOfText } from '../source/tokenize.ts';
import { unquote } from '../source/unquote.ts';
import type { SourceLine } from './line-cursor.ts';
import type { Metadata } from './node.ts';
import type { ReaderState } from './reader-state.ts';
import { DEFAULT_VERSION, HIGHEST_VERSION, METADATA_KEYS, SECTION_NAMES } from './words.ts';

export function readMetadata(reader: ReaderState, line: SourceLine, word: string): boolean {
  const first = word.charCodeAt(0);
  if (first < 65 || first > 90) {
    if (!reader.started && /^[a-z_]+:/.test(word)) return lowerCaseMetadata(reader, line, word);
    return false;
  }
  const match = /^([A-Z][A-Z0-9_]*):/.exec(word);
  if (!match) return word === 'VERSION' && !reader.started ? versionWithoutColon(reader, line) : false;
  const key = match[1]!;
  // Commands that may be written with a colon; DEFAULT has none and is reported.
  if (key === 'TASK' || key === 'SAVE' || key === 'DEFAULT') return false;
  if (reader.started && !METADATA_KEYS.has(key)) return false;
  if (reader.at !== undefined && SECTION_NAMES.has(key)) return false;
  const { end, comment } = endOfText(line.text, line.start + match[0].length);
  const value = unquote(line.text.slice(line.start + match[0].length, end).trim());
  const pos = reader.pos(line, line.start, Math.max(end, line.start + match[0].length));
  const node: Metadata = {
    type: 'metadata',
    key,
    value,
    pos,
    ...(comment < 0 ? {} : { comment: line.text.slice(comment).trimEnd() }),
  };
  reader.add(node, line);
  if (reader.started) {
    reader.diagnostics.add('SCN119', `${key}: follows the first block; move it to the top of the file`, pos);
    return true;
  }
  if (value === '')
    reader.diagnostics.add('SCN105', `${key}: has no text; fill it in or remove the line`, pos);
  if (key === 'VERSION') declareVersion(reader, value, pos);
  else if (!METADATA_KEYS.has(key))
    reader.diagnostics.add('SCN104', `${key} is not a known metadata key; it is kept but not used`, pos, {
      suggestion: suggest(key, METADATA_KEYS),
    });
  return true;
}

function lowerCaseMetadata(reader: ReaderState, line: SourceLine, word: string): boolean {
  const key = word.slice(0, word.indexOf(':')).toUpperCase();
  if (!METADATA_KEYS.has(key)) return false;
  const { end } = endOfText(line.text, line.start);
  reader.unknown(line, end);
  reader.diagnostics.add(
    'SCN110',
    `metadata keys are upper case: write ${key}:`,
    reader.pos(line, line.start, end),
    {
      suggestion: `${key}:`,
      fix: { pos: reader.pos(line, line.start, line.start + key.length), text: key },
    },
  );
  return true;
}

function declareVersion(reader: ReaderState, value: string, pos: Pos): void {
  const number = /^\d+(\.0+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= 1 && number <= HIGHEST_VERSION))
    reader.diagnostics.add(
      'SCN103',
      `VERSION: ${value || '(empty)'} is not supported; write a number from 1 to ${HIGHEST_VERSION}`,
      pos,
    );
  if (reader.meaningful > 1)
    reader.diagnostics.add('SCN102', 'VERSION is not the first line; move it to the top', pos);
  reader.declaredVersion ??= Number.isNaN(number)
    ? DEFAULT_VERSION
    : Math.min(HIGHEST_VERSION, Math.max(1, Math.trunc(number)));
}

function versionWithoutColon(reader: ReaderState, line: SourceLine): boolean {
  const { end } = endOfText(line.text, line.start);
  const value = line.text.slice(line.start + 7, end).trim();
  const pos = reader.pos(line, line.start, end);
  reader.diagnostics.add('SCN101', `VERSION needs a colon: write VERSION: ${value || DEFAULT_VERSION}`, pos, {
    fix: { pos, text: `VERSION: ${value || DEFAULT_VERSION}` },
  });
  reader.add({ type: 'metadata', key: 'VERSION', value, pos }, line);
  if (/^[1-5]$/.test(value)) reader.declaredVersion ??= Number(value);
  return true;
}
