import { commandOfWord } from '../commands/table.ts';
import { parseForm } from '../forms/parse-form.ts';
import type { BodyItem, Section, Statement } from '../syntax/node.ts';
import { printForm } from './print-form.ts';
import { quote } from './words.ts';

const indentOf = (level: number): string => '  '.repeat(level);
const withComment = (line: string, comment: string | undefined): string =>
  comment === undefined ? line : `${line}  ${comment}`;

/** Prints the lines of a block or body, two spaces per level. */
export function printBody(items: readonly BodyItem[], level: number): string[] {
  const lines: string[] = [];
  /** Column of the step that lines deeper than it belong to. */
  let stepCol: number | undefined;
  /** Level of the check that text lines still belong to. */
  let checkLevel: number | undefined;
  for (const item of items) {
    if (item.type === 'step' || (stepCol !== undefined && item.type !== 'comment' && item.pos.col <= stepCol))
      stepCol = undefined;
    const at = stepCol === undefined ? level : level + 1;
    if (item.type === 'statement') {
      const { takesTexts, continuesCheck } = commandOfWord(item.command);
      const isText: boolean = continuesCheck === true && item.command !== 'ELSE';
      const belongs: boolean = checkLevel !== undefined && continuesCheck === true;
      if (takesTexts && item.role !== 'branch') checkLevel = at;
      else if (!belongs) checkLevel = undefined;
      const own = belongs ? checkLevel! : at;
      lines.push(...printStatement(item, belongs && isText ? own + 1 : own));
      continue;
    }
    if (item.type === 'step') {
      lines.push(withComment(`${indentOf(level)}${item.number}. ${item.title}:`, item.comment));
      stepCol = item.pos.col;
      checkLevel = undefined;
    } else if (item.type === 'comment') lines.push(item.pos.col === 1 ? item.text : indentOf(at) + item.text);
    else lines.push(...printOther(item, at));
  }
  return lines;
}

function printOther(item: Exclude<BodyItem, Statement>, level: number): string[] {
  const line = (text: string) => [withComment(indentOf(level) + text, item.comment)];
  switch (item.type) {
    case 'naming':
      return line(`SET NAME ${quote(item.name)}`);
    case 'attribute':
      return line(
        `${item.key}: ${/^['"]|['"]$|(?:^|\s)#(?:\s|$)/.test(item.value) ? quote(item.value) : item.value}`.trimEnd(),
      );
    case 'include':
      return line(`INCLUDE ${quote(item.path?.text ?? '')}`);
    case 'section':
      return printSection(item, level);
    case 'unknown':
      return line(item.text);
    default:
      return [];
  }
}

/** A text on the line of the name stays there: on the next line it could be taken for the body. */
export function printSection(section: Section, level: number): string[] {
  const [first] = section.lines;
  const isInline = first?.pos.line === section.pos.line;
  const deeper = isInline ? section.lines.slice(1) : section.lines;
  const base = deeper.reduce((least, { pos }) => Math.min(least, pos.col), Number.POSITIVE_INFINITY);
  return [
    withComment(`${indentOf(level)}${section.name}:${isInline ? ` ${first.text}` : ''}`, section.comment),
    ...deeper.map((line) => indentOf(level + 1) + ' '.repeat(line.pos.col - base) + line.text),
  ];
}

function printStatement(statement: Statement, level: number): string[] {
  const lines = [printLine(statement, level)];
  for (const alternative of statement.alternatives ?? []) lines.push(printLine(alternative, level));
  if (statement.body) lines.push(...printBody(statement.body, level + 1));
  if (statement.elseLine) lines.push(printLine(statement.elseLine, level));
  if (statement.otherwise) lines.push(...printBody(statement.otherwise, level + 1));
  if (statement.closer) lines.push(printLine(statement.closer, level));
  return lines;
}

export function printLine(statement: Statement, level: number): string {
  let hasExtraText = false;
  const form = parseForm(statement.command, statement.tokens, statement.pos, (code) => {
    if (code === 'SCN124') hasExtraText = true;
  });
  // Unused text is kept, so the line stays as written.
  const text =
    form && !hasExtraText ? printForm(form, statement.command, statement.source) : statement.source;
  return withComment(indentOf(level) + text, statement.comment);
}
