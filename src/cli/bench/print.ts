import type { Io } from '../io/io.ts';
import type { BenchOptions } from './bench-command.ts';

/** The result: one JSON document, or the lines for people. */
export function print(
  { io, options }: { io: Io; options: BenchOptions },
  document: object,
  lines: () => readonly string[],
): void {
  const text = options.json ? [JSON.stringify(document)] : lines();
  if (text.length > 0) io.stdout.write(`${text.join('\n')}\n`);
}

/** Rows with the first columns padded to the widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
