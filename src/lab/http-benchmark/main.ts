/**
 * What the HTTP kit costs: one JSON route served by it beside bare node:http with the same body in the same run, and
 * the reading of the ADC stack when its program is built, from one fresh sample and with a sample for each request.
 * Client and servers are processes of their own.
 *
 *   npm run bench:http -- [--seconds=2] [--rounds=5] [--connections=8] [--dist=dist]
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../../lib/clock/clock.ts';
import { startAdcStack } from './adc-stack.ts';
import { DeviceReads } from './device-reads.ts';
import { type LoadOptions, type LoadResult, load } from './load.ts';
import { type Program, start } from './program.ts';
import { PATH, startBare, startKit } from './servers.ts';

const WARM_UP_MS = 1000;
const FRESH_PATH = `${PATH}?max_age_ms=100`;
const self = process.argv[1] ?? '';

interface Rounds {
  seconds: number;
  rounds: number;
  connections: number;
  /** Folder of the built programs. */
  dist: string;
}

async function loadFromOutside(options: LoadOptions): Promise<LoadResult> {
  const client = await start([self, 'load', JSON.stringify(options)]);
  await client.stop();
  return client.first as unknown as LoadResult;
}

interface Subject {
  name: string;
  url: string;
  /** The last one is asked. */
  programs: readonly Program[];
  results: LoadResult[];
  /** Bare node:http with the same body; undefined when it is that itself. */
  beside?: Subject;
  deviceReads?: DeviceReads;
  /** For each round, of the device behind it. */
  reads: number[];
}

async function measure(
  subjects: readonly Subject[],
  { seconds, rounds, connections }: Rounds,
): Promise<void> {
  for (const { url } of subjects) await loadFromOutside({ url, connections, durationMs: WARM_UP_MS });
  // In turn, so that whatever else the machine does meets all of them.
  for (let round = 0; round < rounds; round++) {
    for (const { url, results, deviceReads, reads } of subjects) {
      await deviceReads?.next();
      results.push(await loadFromOutside({ url, connections, durationMs: seconds * 1000 }));
      if (deviceReads) reads.push(await deviceReads.next());
    }
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const rateOf = ({ requests, seconds }: LoadResult) => requests / seconds;

function report(subject: Subject): string {
  const { name, results, programs, reads, beside: bare = subject } = subject;
  const rate = median(results.map(rateOf));
  // Each round beside its neighbour: the median of ratios is steadier than the ratio of medians.
  const ratio = median(results.map((result, i) => rateOf(result) / rateOf(bare.results[i] ?? result)));
  const p50 = median(results.map(({ p50Ms }) => p50Ms)).toFixed(3);
  const p99 = median(results.map(({ p99Ms }) => p99Ms)).toFixed(3);
  const statuses = new Set(results.flatMap((result) => Object.keys(result.statuses)));
  const memory = programs.at(-1)?.memoryMib().toFixed(0);
  const readsASecond = median(results.map(({ seconds }, i) => (reads[i] ?? 0) / seconds)).toFixed(0);
  const device = reads.length > 0 ? `  ${readsASecond} device reads/s` : '';
  return `${name.padEnd(42)} ${rate.toFixed(0).padStart(7)} requests/s  ${(ratio * 100).toFixed(0).padStart(4)} %  p50 ${p50} ms  p99 ${p99} ms  ${memory} MiB  status ${[...statuses].join(', ')}${device}\n`;
}

/** @throws Error when it has not answered well within some seconds */
async function bodyOf(url: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await fetch(url);
    if (answer.status === 200) return answer.text();
    await answer.text();
    await systemClock.sleep(100);
  }
  throw new Error(`${url} gives no reading`);
}

async function compare(options: Rounds): Promise<void> {
  const subjects: Subject[] = [];
  try {
    const add = async (name: string, args: readonly string[], beside?: Subject): Promise<Subject> => {
      const program = await start([self, ...args]);
      const url = `${program.first.url}${PATH}`;
      const subject = { name, url, programs: [program], results: [], reads: [], ...(beside && { beside }) };
      subjects.push(subject);
      return subject;
    };
    const bare = await add('bare node:http', ['bare']);
    await add('HTTP kit', ['kit'], bare);
    const stack = join(options.dist, 'svc-adc-stack.cjs');
    const isBuilt = existsSync(stack);
    if (isBuilt) {
      const bench = join(options.dist, 'svc-bench.cjs');
      const { url, benchUrl, programs } = await startAdcStack({ bench: [bench], stack: [stack] });
      const asked: Subject = {
        name: `svc-adc-stack, ${FRESH_PATH}`,
        url: `${url}${FRESH_PATH}`,
        programs,
        results: [],
        reads: [],
        deviceReads: new DeviceReads(benchUrl),
      };
      subjects.push(asked);
      asked.beside = await add('bare node:http, body of the stack', ['bare', await bodyOf(asked.url)]);
      const name = `svc-adc-stack, ${PATH}`;
      subjects.push({ ...asked, name, url: `${url}${PATH}`, results: [], reads: [] });
    }
    await measure(subjects, options);
    for (const subject of subjects) process.stdout.write(report(subject));
    if (!isBuilt) process.stdout.write('svc-adc-stack is not built: npm run build\n');
  } finally {
    for (const { programs } of subjects) for (const program of programs.toReversed()) await program.stop();
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '8' },
      dist: { type: 'string', default: 'dist' },
    },
  });
  const [role, text] = positionals;
  const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  if (role === 'bare') say({ url: await startBare(text) });
  else if (role === 'kit') say({ url: await startKit() });
  else if (role === 'load') {
    say(await load(JSON.parse(text ?? '') as LoadOptions));
    // Until it is commanded to end: the one that started it reads its line first.
    await systemClock.sleep(60_000);
  } else {
    const { seconds, rounds, connections, dist } = values;
    await compare({
      seconds: Number(seconds),
      rounds: Number(rounds),
      connections: Number(connections),
      dist,
    });
  }
}

main().catch((thrown: unknown) => {
  process.stderr.write(`bench:http: ${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
  process.exit(1);
});
