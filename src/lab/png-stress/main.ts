// npm run stress:png [-- COUNT [SEED]]: broken PNG files must neither crash the reader nor hang it nor fill the memory.
import process from 'node:process';
import { systemClock } from '../../lib/clock/clock.ts';
import { stress } from './mutate.ts';

const MOST_MEMORY = 400 * 1024 * 1024;

async function main(): Promise<void> {
  const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number);
  const result = await stress(count, seed, () => systemClock.monotonic());
  process.stdout.write(
    `${result.files} files: ${result.decoded} decoded, ${result.refused} refused, ${result.defects.length} defects; ` +
      `slowest ${result.slowestMs.toFixed(0)} ms, memory ${(result.memoryBytes / 1048576).toFixed(0)} MiB\n`,
  );
  for (const defect of result.defects.slice(0, 20)) process.stdout.write(`${defect}\n`);
  if (result.defects.length > 0 || result.memoryBytes > MOST_MEMORY) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
