// node --import tsx src/test-kit/run.ts [--jobs=N] [--prepare=SCRIPT] [--list] [--slow] [--quick] [--verbose] [--file-minutes=N] [--write-times] [file, folder or part of a name ...]
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../lib/clock/clock.ts';
import { runTests } from './run-tests.ts';
import { DEFAULT_LIMITS } from './test-process.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: String(availableParallelism()) },
    prepare: { type: 'string' },
    list: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    'file-minutes': { type: 'string', default: String(DEFAULT_LIMITS.fileMs / 60_000) },
    'write-times': { type: 'boolean', default: false },
  },
});

const jobs = Number(values.jobs);
if (!Number.isInteger(jobs) || jobs < 1)
  throw new RangeError(`--jobs=${values.jobs}: give a whole number above 0`);

const fileMinutes = Number(values['file-minutes']);
if (!(fileMinutes > 0))
  throw new RangeError(`--file-minutes=${values['file-minutes']}: give a number above 0`);

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => interruption.abort());
}

process.exitCode = await runTests({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  args: positionals,
  jobs,
  ...(values.prepare === undefined ? {} : { prepare: values.prepare }),
  list: values.list,
  slow: values.slow,
  quick: values.quick,
  verbose: values.verbose,
  writeTimes: values['write-times'],
  limits: { ...DEFAULT_LIMITS, fileMs: fileMinutes * 60_000 },
  clock: systemClock,
  signal: interruption.signal,
  out: (text) => process.stdout.write(text),
});
