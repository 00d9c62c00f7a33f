import { parseArgs } from 'node:util';
import { runFuzz } from './run-fuzz.ts';
import { bundleWorker } from './worker-bundle.ts';

/** `npm run fuzz -- --count 200000 --seed 1`: exits 1 when an input broke a promise. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
  });
  const count = Number(values.count);
  const seed = Number(values.seed);
  if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
    process.stderr.write('fuzz: --count is a whole number from 1, --seed a whole number\n');
    return 2;
  }
  const root = process.cwd();
  const { script, remove } = bundleWorker(root);
  const started = performance.now();
  try {
    const { done, faults, hang, heap } = await runFuzz(script, {
      count,
      seed,
      scenarioDir: `${root}/scenarios`,
    });
    for (const { index, stage, detail, input } of faults.slice(0, 20))
      process.stdout.write(`input ${index}: ${stage}\n${detail}\n--- input\n${input}\n---\n`);
    if (hang !== undefined) process.stdout.write(`input ${hang} never ends\n`);
    const seconds = (performance.now() - started) / 1000;
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
    process.stdout.write(
      `${done} inputs (seed ${seed}) in ${seconds.toFixed(0)} s: ${faults.length} faults, ${hang === undefined ? 0 : 1} hangs, ` +
        `heap ${megabytes(heap.early)} MB at a quarter, ${megabytes(heap.late)} MB at the end\n`,
    );
    return faults.length > 0 || hang !== undefined ? 1 : 0;
  } finally {
    remove();
  }
}

void main().then((code) => {
  process.exitCode = code;
});
