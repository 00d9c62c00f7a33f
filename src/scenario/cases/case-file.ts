/** One part of a case below an arrow: `==> events wait check` has the name `events` and the words `wait`, `check`. */
export interface Section {
  readonly name: string;
  readonly words: readonly string[];
  /** Lines below the arrow; blank lines at both ends are gone. */
  readonly lines: readonly string[];
  /** Line of the arrow in the case file. */
  readonly line: number;
}

export interface TextCase {
  readonly title: string;
  /** Case file and line, for messages. */
  readonly place: string;
  readonly options: readonly string[];
  readonly input: string;
  /** Further files that the input may include, by path beside it. */
  readonly files: ReadonlyMap<string, string>;
  readonly sections: readonly Section[];
}

const TITLE = '=== ';
const ARROW = '==>';
const FILE = '--- ';

/** The cases of a case file. Throws on text that belongs to no case, and on a case that checks nothing. */
export function parseCases(text: string, file: string): TextCase[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const cases: TextCase[] = [];
  let at = 0;
  for (; at < lines.length && !lines[at]!.startsWith(TITLE); at++) {
    const line = lines[at]!;
    if (line !== '' && !line.startsWith('//'))
      throw new Error(`${file}:${at + 1}: text before the first case: ${line}`);
  }
  while (at < lines.length) {
    const start = at++;
    while (at < lines.length && !lines[at]!.startsWith(TITLE)) at++;
    cases.push(parseCase(lines.slice(start, at), `${file}:${start + 1}`, start + 1));
  }
  if (cases.length === 0) throw new Error(`${file}: no case`);
  return cases;
}

function parseCase(lines: readonly string[], place: string, firstLine: number): TextCase {
  const title = lines[0]!.slice(TITLE.length).trim();
  if (title === '') throw new Error(`${place}: a case needs a title`);
  let at = 1;
  const options: string[] = [];
  for (; lines[at]?.startsWith('--') && !lines[at]!.startsWith(FILE); at++) options.push(lines[at]!.trim());

  const parts: { head: string; line: number; lines: string[] }[] = [
    { head: '', line: firstLine + at, lines: [] },
  ];
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith(ARROW) || line.startsWith(FILE))
      parts.push({ head: line, line: firstLine + at, lines: [] });
    else parts.at(-1)!.lines.push(line);
  }
  const [input, ...rest] = parts;
  const files = new Map<string, string>();
  const sections: Section[] = [];
  for (const { head, line, lines: content } of rest) {
    if (head.startsWith(FILE)) {
      if (sections.length > 0) throw new Error(`${place}: files stand before the first ${ARROW}`);
      files.set(head.slice(FILE.length).trim(), textOf(content));
      continue;
    }
    const [name, ...words] = head.slice(ARROW.length).trim().split(/\s+/);
    if (!name) throw new Error(`${place}: "${ARROW}" needs the name of a section`);
    const trimmed = withoutBlankEnds(content);
    if (trimmed.length === 0)
      throw new Error(`${place}: the section "${name}" expects nothing; write "none"`);
    sections.push({ name, words, lines: trimmed, line });
  }
  if (sections.length === 0) throw new Error(`${place}: "${title}" checks nothing`);
  return { title, place, options, input: textOf(input!.lines), files, sections };
}

const textOf = (lines: readonly string[]): string =>
  withoutBlankEnds(lines)
    .map((line) => `${line}\n`)
    .join('');

function withoutBlankEnds(lines: readonly string[]): string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]!.trim() === '') start++;
  while (end > start && lines[end - 1]!.trim() === '') end--;
  return lines.slice(start, end);
}
