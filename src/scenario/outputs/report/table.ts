import { escapeMarkup } from '../markup.ts';

export interface Column<Row> {
  readonly title: string;
  /** Plain text; it is escaped here. */
  readonly text: (row: Row) => string;
  readonly numeric?: boolean;
  /** Class of the cell, for example the outcome. */
  readonly kind?: (row: Row) => string;
}

/**
 * A table of plain texts; nothing in them can become markup.
 * @param groupOf a line of its own stands above rows of another group than the row before
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
  groupOf?: (row: Row) => string,
): string {
  if (rows.length === 0) return `<p class="none">${escapeMarkup(none)}</p>`;
  const numeric = ({ numeric }: Column<Row>) => (numeric ? ' class="n"' : '');
  const head = columns.map((column) => `<th${numeric(column)}>${escapeMarkup(column.title)}</th>`).join('');
  let group: string | undefined;
  const body = rows.flatMap((row) => {
    const line = `<tr>${columns.map((column) => cell(row, column)).join('')}</tr>`;
    const next = groupOf?.(row);
    if (next === undefined || next === group) return [line];
    group = next;
    return [`<tr class="group"><th colspan="${columns.length}">${escapeMarkup(next)}</th></tr>`, line];
  });
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

function cell<Row>(row: Row, { text, numeric, kind }: Column<Row>): string {
  const classes = [numeric ? 'n' : '', kind?.(row) ?? ''].filter((one) => one !== '').join(' ');
  return `<td${classes === '' ? '' : ` class="${escapeMarkup(classes)}"`}>${escapeMarkup(text(row))}</td>`;
}

/** Pairs of name and text. */
export const facts = (pairs: readonly (readonly [name: string, text: string])[]): string =>
  `<dl>${pairs.map(([name, text]) => `<dt>${escapeMarkup(name)}</dt><dd>${escapeMarkup(text)}</dd>`).join('\n')}</dl>`;
