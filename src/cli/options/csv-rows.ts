export interface CsvRow {
  /** Of its first character, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const SEPARATORS = [';', '\t', ','] as const;

/**
 * Rows of a CSV text (RFC 4180), blank lines left out. The separator is the first of semicolon, tab and comma that the
 * first row holds outside quotes: with a semicolon the comma is that of a decimal number.
 */
export function csvRows(text: string): { readonly rows: readonly CsvRow[] } | { readonly fault: string } {
  const head = (/^[^\n]*\S[^\n]*/m.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const separator = SEPARATORS.find((one) => head.includes(one)) ?? ',';
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let wasQuoted = false;
  let line = 1;
  let start = 1;
  const endCell = () => {
    cells.push(wasQuoted ? cell : cell.trim());
    cell = '';
    wasQuoted = false;
  };
  const endRow = () => {
    endCell();
    if (cells.some((one) => one !== '')) rows.push({ line: start, cells });
    cells = [];
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\n') line++;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (char === '"' && cell.trim() === '' && !wasQuoted) {
      isQuoted = true;
      wasQuoted = true;
      cell = '';
    } else if (char === separator) endCell();
    else if (char === '\n') {
      endRow();
      start = line;
    } else if (!(wasQuoted && /\s/.test(char))) cell += char;
  }
  if (isQuoted) return { fault: `the quote that opens in the row of line ${start} is never closed` };
  endRow();
  return { rows };
}
