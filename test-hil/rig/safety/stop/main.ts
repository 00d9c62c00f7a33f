import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { verdict } from '../../../../src/lab/device-benchmarks/report.ts';
import { type Trial, trialsOf } from './trials.ts';
import { WAYS, type Way } from './ways.ts';
import { CHARACTER_MS, GAP_MS } from './wire.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const SHARES = [0.5, 0.9, 0.99, 1];
const NAME_WIDTH = 58;
const HEADS = ['p50', 'p90', 'p99', 'most'];

const at = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? sorted[0] ?? Number.NaN;
};

const row = (name: string, values: readonly number[]): void =>
  say(
    `  ${name.padEnd(NAME_WIDTH)}${SHARES.map((share) => at(values, share).toFixed(1).padStart(8)).join('')}`,
  );

/** @returns the verdict */
function show(way: Way, trials: readonly Trial[]): string {
  const last = trials.map(({ lastMs }) => lastMs);
  const name = `${way.name}, ${way.saturated ? 'saturated' : 'idle'}`;
  say('');
  say(
    `${name}, ${trials.length} trials, ms`.padEnd(NAME_WIDTH + 2) +
      HEADS.map((head) => head.padStart(8)).join(''),
  );
  row(
    'first byte of the all-off frame',
    trials.map(({ firstMs }) => firstMs),
  );
  row('last byte', last);
  const noticeMs = way.detection?.ms ?? 0;
  const floor = trials.map(({ floorMs }) => noticeMs + floorMs);
  row(
    `floor: ${way.detection ? `${way.detection.why}, ` : ''}${way.bare ? `${way.bare}, ` : ''}the line alone`,
    floor,
  );
  const ratios = SHARES.map((share) => (at(last, share) / at(floor, share)).toFixed(1).padStart(8));
  say(`  ${'ratio'.padEnd(NAME_WIDTH)}${ratios.join('')}`);
  const known = <T>(values: (T | undefined)[]) => values.filter((value) => value !== undefined);
  const starts = known(trials.map(({ startMs }) => startMs));
  if (starts.length > 0) row('start of the command to its first byte', starts);
  const bares = known(trials.map(({ bareMs }) => bareMs));
  if (bares.length > 0) row('floor: start of a bare node to its first byte', bares);
  const wholes = known(trials.map(({ wholeMs }) => wholeMs));
  if (wholes.length > 0) row('the whole command', wholes);
  const makers = known(trials.map(({ by }) => by));
  for (const by of new Set(makers))
    say(`  made safe by ${by}: ${makers.filter((maker) => maker === by).length}`);
  const p99 = at(last, 0.99);
  const limitMs = noticeMs + way.aimMs;
  const seen = `${p99.toFixed(1)} ms; floor ${at(floor, 0.99).toFixed(1)} ms`;
  return verdict(`${name}, last byte p99 at most ${limitMs} ms`, p99 <= limitMs, seen);
}

/** `npm run bench:stop [-- --trials 1000 --way a --seed 1]`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      trials: { type: 'string', default: '1000' },
      way: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [trials, seed] = [Number(values.trials), Number(values.seed)];
  const ways = WAYS.filter(({ name }) => name.startsWith(values.way));
  if (!(Number.isInteger(trials) && trials > 0 && Number.isInteger(seed)) || ways.length === 0)
    throw new RangeError(
      `--trials and --seed are whole numbers, --way the beginning of one of ${WAYS.map(({ name }) => `"${name}"`).join(', ')}`,
    );
  const [load = 0] = loadavg();
  say(
    `load before the start: ${load.toFixed(1)} on ${cpus().length} cores; other work makes all times worse`,
  );
  say(
    `all off is FC05 to 00FF: 8 characters of ${CHARACTER_MS.toFixed(3)} ms at 19200 8N1, ${(8 * CHARACTER_MS).toFixed(2)} ms,`,
  );
  say(
    `and as many for its echo after ${GAP_MS.toFixed(2)} ms of silence: ${(16 * CHARACTER_MS + GAP_MS).toFixed(2)} ms until it is confirmed`,
  );
  say(`(FC0F would take ten characters and eight, ${(18 * CHARACTER_MS).toFixed(1)} ms without the silence)`);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const verdicts: string[] = [];
  for (const way of ways) {
    if (stop.signal.aborted) break;
    const { trials: seen, zero } = await trialsOf({
      way,
      trials,
      seed,
      signal: stop.signal,
      progress: (done) => {
        if (values.verbose && done % 50 === 0) say(`  ${way.name}: ${done}`);
      },
    });
    verdicts.push(show(way, seen));
    say(`  (the bench's clock stands on the machine's to within ${zero.uncertaintyMs.toFixed(2)} ms)`);
  }
  say('');
  for (const line of verdicts) say(line);
}

main().catch((fault: unknown) => {
  process.stderr.write(`bench:stop: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = fault instanceof RangeError ? 2 : 1;
});
