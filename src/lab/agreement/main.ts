import { parseArgs } from 'node:util';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { measureAgreement } from './agreement.ts';
import { MemoryBench } from './memory-bench.ts';
import { RandomJudgement, YAML } from './random-judgement.ts';

const SHOWN = 40;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run stress:agreement [-- --cases 10000 --seed 1]`. Exits 1 when validate, dry-run and execute disagree. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { cases: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  });
  const [cases, seed] = [Number(values.cases), Number(values.seed)];
  if (!Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) {
    process.stderr.write('stress:agreement: --cases is a whole number above 0, --seed a whole number\n');
    process.exitCode = 2;
    return;
  }
  const bench = await MemoryBench.start(YAML);
  const startedAt = performance.now();
  const report = await measureAgreement({
    ...{ bench, cases, scenarios: new RandomJudgement(seededRandom(seed)) },
    onCase: (done) => {
      if (done % 500 === 0) process.stderr.write(`${done} cases\n`);
    },
  });
  await bench.close();
  for (const { what, source, volts } of report.disagreements.slice(0, SHOWN))
    print(`${what}\n  inputs ${volts.join(', ')} V\n${source.replace(/^/gm, '  | ')}`);
  const outcomes = Object.entries(report.outcomes).map(([name, count]) => `${count} ${name}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  print(
    `${report.cases} cases (seed ${seed}), ${report.checks} checks in ${seconds} s: ${outcomes.join(', ')}`,
  );
  print(`${report.disagreements.length} disagreements`);
  if (report.disagreements.length > 0) process.exitCode = 1;
}

void main();
