import { parseArgs } from 'node:util';
import { stressRecords } from './stress.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run stress:records [-- --runs 10000 --seed 1 --verbose]`. Exits 1 when a promise was broken. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  if (!Number.isInteger(seed) || !(Number.isInteger(runs) && runs > 0)) {
    process.stderr.write('stress:records: --runs and --seed are whole numbers, --runs above 0\n');
    process.exitCode = 2;
    return;
  }
  const report = await stressRecords({ runs, seed, ...(values.verbose ? { progress: say } : {}) });
  say(`runs       ${report.reported} reported, ${report.records} records`);
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  say(`kills      ${report.kills}: ${counts(report.rounds)}`);
  say(`torn       ${counts(report.torn)}`);
  for (const one of report.broken.slice(0, 20)) say(`broken     ${one}`);
  say(
    report.broken.length > 0
      ? `BROKEN: ${report.broken.length}`
      : 'kept: no verdict lost, none twice, none left running, every record verifies, the index agrees',
  );
  if (report.broken.length > 0) process.exitCode = 1;
}

void main();
