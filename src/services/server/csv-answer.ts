import { csvCell } from '../../scenario/outputs/csv.ts';

type Cell = string | number | boolean | null;

/** Rows as a file for a spreadsheet (RFC 4180, UTF-8), with the columns of `columns` in their order. */
export function csvAnswer(
  name: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
) {
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column] ?? null)).join(','));
  return {
    status: 200,
    text: [columns.join(','), ...lines, ''].join('\r\n'),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  };
}
