import { parseArgs } from 'node:util';
import { reportLines } from './report-lines.ts';
import { stressRecords } from './stress.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `npm run stress:records [-- --runs 10000 --seed 1 --folder FOLDER --piece 500 --verbose]`. With a folder each call goes on
 * where the one before ended or was killed, and the one that reaches `--runs` checks all records. Exits 1 when a promise
 * was broken.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      folder: { type: 'string' },
      piece: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  const { folder } = values;
  const piece = values.piece === undefined ? runs : Number(values.piece);
  if (![seed, runs, piece].every(Number.isInteger) || runs < 1 || piece < 1 || (piece < runs && !folder)) {
    process.stderr.write(
      'stress:records: --runs, --piece and --seed are whole numbers, the first two above 0; --piece needs a --folder\n',
    );
    process.exitCode = 2;
    return;
  }
  const report = await stressRecords({
    runs,
    seed,
    piece,
    ...(folder ? { folder } : {}),
    ...(values.verbose ? { progress: say } : {}),
  });
  for (const line of reportLines(report, runs)) say(line);
  if (report.broken.length > 0) process.exitCode = 1;
}

void main();
