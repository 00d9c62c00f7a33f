import type { Diagnostic, Severity } from '../../scenario/diagnostics/diagnostic.ts';
import { oneLine as joinLines } from '../../scenario/source/one-line.ts';
import { formatPos, type Pos } from '../../scenario/source/position.ts';
import { visible } from './cells.ts';
import { type Paint, PLAIN } from './colour.ts';
import { excerptOf } from './excerpt.ts';
import { SourceTexts } from './source-texts.ts';

export interface RenderOptions {
  readonly texts?: SourceTexts;
  readonly paint?: Paint;
  /** Terminal columns; default 100. */
  readonly columns?: number | undefined;
}

/** What is shown of a finding; issues of a validation profile have it without code and range. */
export interface Finding {
  readonly severity: Severity;
  /** In brackets after the severity: `SCN120`, or the name of a rule. */
  readonly label: string;
  readonly name?: string;
  readonly message: string;
  readonly pos?: Pos;
  readonly stack?: readonly Pos[];
  /** Remarks below the excerpt, each after `=`. */
  readonly notes: readonly (readonly [kind: string, text: string])[];
}

const DEFAULT_COLUMNS = 100;
const MIN_EXCERPT = 30;
/** Call sites shown in full; deeper ones are counted. */
const SHOWN_CALLS = 4;
const COLOUR_OF = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/**
 * A finding as lines of text: what, where, the source line with its range marked, what was probably meant, how to
 * mend it, and the macro calls that led there.
 */
export function renderDiagnostic(diagnostic: Diagnostic, options: RenderOptions = {}): string {
  return renderFinding(findingOf(diagnostic, options.texts ?? new SourceTexts()), options);
}

export function renderFinding(finding: Finding, options: RenderOptions = {}): string {
  const { paint = PLAIN, texts = new SourceTexts(), columns = DEFAULT_COLUMNS } = options;
  const { severity, label, name, message, pos, stack = [], notes } = finding;
  const mark = paint[COLOUR_OF[severity]];
  const title = `${mark(paint.bold(`${severity}[${label}]`))}${name ? ` ${name}` : ''}: ${paint.bold(oneLine(message))}`;
  const calls = stack.slice(0, SHOWN_CALLS);
  const places = [...(pos ? [pos] : []), ...calls];
  const gutter = Math.max(1, ...places.map(({ line }) => String(line).length));
  const excerptWidth = Math.max(MIN_EXCERPT, columns - gutter - 4);
  const place = (arrow: string, at: Pos, underline: (text: string) => string): string[] => {
    const head = `${' '.repeat(gutter)}${paint.blue(arrow)} ${oneLine(formatPos(at))}`;
    const line = texts.line(at.file, at.line);
    if (line === undefined) return [head];
    const endCol = at.endLine > at.line ? line.length + 1 : at.endCol;
    const { text, markStart, markWidth } = excerptOf(line, at.col, endCol, excerptWidth);
    const bar = paint.blue(`${' '.repeat(gutter)} |`);
    return [
      head,
      bar,
      `${paint.blue(`${String(at.line).padStart(gutter)} |`)} ${text}`.trimEnd(),
      `${bar} ${' '.repeat(markStart)}${underline('^'.repeat(markWidth))}`,
    ];
  };
  const lines = [title];
  if (pos && isWholeFile(pos)) lines.push(`${' '.repeat(gutter)}${paint.blue('-->')} ${oneLine(pos.file)}`);
  else if (pos) lines.push(...place('-->', pos, mark));
  for (const [kind, text] of notes)
    lines.push(`${' '.repeat(gutter)} ${paint.blue('=')} ${paint.bold(kind)}: ${oneLine(text)}`);
  for (const call of calls) lines.push(...place('::: called at', call, paint.blue));
  if (stack.length > calls.length)
    lines.push(`${' '.repeat(gutter)} ${paint.blue('=')} and ${stack.length - calls.length} more calls`);
  return lines.join('\n');
}

/** `2 errors, 1 warning`; empty when there is nothing to count. Information is not counted. */
export function countFindings(found: readonly { readonly severity: Severity }[]): string {
  const count = (severity: Severity) => found.filter((one) => one.severity === severity).length;
  const word = (n: number, one: string) => (n === 0 ? [] : [`${n} ${one}${n === 1 ? '' : 's'}`]);
  return [...word(count('error'), 'error'), ...word(count('warning'), 'warning')].join(', ');
}

function findingOf(diagnostic: Diagnostic, texts: SourceTexts): Finding {
  const { severity, code, name, message, pos, stack, suggestion, fix } = diagnostic;
  const notes: [string, string][] = [];
  if (suggestion !== undefined) notes.push(['help', `did you mean ${suggestion}?`]);
  if (fix) notes.push(['fix', fixText(texts.range(fix.pos), fix.text)]);
  return { severity, label: code, name, message, pos, ...(stack ? { stack } : {}), notes };
}

function fixText(old: string | undefined, text: string): string {
  if (text === '') return old ? `remove \`${old}\`` : 'remove it';
  const added = text.replace(/\r\n|\n|\r/g, '⏎');
  return old ? `write \`${added}\` in place of \`${old}\`` : `insert \`${added}\``;
}

/** The empty range at the start: the finding is about the file or the run, not about its first line. */
const isWholeFile = ({ line, col, endLine, endCol }: Pos): boolean =>
  line === 1 && col === 1 && endLine === 1 && endCol === 1;

const oneLine = (text: string): string => visible(joinLines(text));
