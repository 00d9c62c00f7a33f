// npm run bench:compare [-- COUNT [SEED]]: how well `compare` tells changes from harmless differences.
import process from 'node:process';
import { judgeEdits, judgeHarmless, type Row } from './judge.ts';

const [count = 200, seed = 1] = process.argv.slice(2).map(Number);
const percent = (part: number, whole: number) =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`.padStart(8);

async function main(): Promise<void> {
  for (const [title, rows, isEdit] of [
    ['changes', await judgeEdits(count, seed), true],
    ['harmless', await judgeHarmless(count, seed), false],
  ] as const) {
    print(`${title.padEnd(22)} judged    right${isEdit ? '  regions  regions by blocks alone' : ''}`);
    for (const row of [...rows, total(rows)]) {
      const regions = isEdit
        ? ` ${percent(row.located, row.judged)} ${percent(row.locatedByBlocks, row.judged)}`
        : '';
      const wrong = row.wrong.length > 0 && row.kind !== TOTAL ? `  seeds ${row.wrong.join(' ')}` : '';
      print(
        `${row.kind.padEnd(22)} ${String(row.judged).padStart(6)} ${percent(row.right, row.judged)}${regions}${wrong}`,
      );
    }
  }
}

const TOTAL = 'all' as Row['kind'];

function total(rows: readonly Row[]): Row {
  const sum = (key: 'judged' | 'right' | 'located' | 'locatedByBlocks') =>
    rows.reduce((all, row) => all + row[key], 0);
  const wrong = rows.flatMap((row) => row.wrong);
  return {
    kind: TOTAL,
    judged: sum('judged'),
    right: sum('right'),
    located: sum('located'),
    locatedByBlocks: sum('locatedByBlocks'),
    wrong,
  };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
