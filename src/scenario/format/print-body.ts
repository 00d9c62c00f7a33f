import { parseForm } from '../forms/parse-form.ts';
import type { BodyItem, Section, Statement } from '../syntax/node.ts';
import { printForm } from './print-form.ts';
import { quote } from './words.ts';

const indentOf = (level: number): string => '  '.repeat(level);
const withComment = (line: string, comment: string | undefined): string =>
  comment === undefined ? line : `${line}  ${comment}`;

/** Lines after which CORRECT and ERROR are texts of a check and stand one level deeper. */
const JUDGES = /^(CHECK|IF|CONDITION|IF_DELTA|EXPECT_|ASSERT_)/;

/** Prints the lines of a block or of a body, two blanks a level. */
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
      const isText: boolean = item.command === 'CORRECT' || item.command === 'ERROR';
      const belongs: boolean = checkLevel !== undefined && (isText || item.command === 'ELSE');
      if (JUDGES.test(item.command) && item.role !== 'gate' && item.command !== 'IF_FAIL') checkLevel = at;
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

function printSection(section: Section, level: number): string[] {
  const base = Math.min(...section.lines.map((line) => line.pos.col));
  return [
    withComment(`${indentOf(level)}${section.name}:`, section.comment),
    ...section.lines.map((line) => indentOf(level + 1) + ' '.repeat(line.pos.col - base) + line.text),
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
  // Text that the command does not use is kept, so the line stays as it was written.
  const text =
    form && !hasExtraText ? printForm(form, statement.command, statement.source) : statement.source;
  return withComment(indentOf(level) + text, statement.comment);
}
