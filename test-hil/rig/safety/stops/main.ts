import { parseArgs } from 'node:util';
import { stopTrials, type Trial } from './stop-trials.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `npm run stress:stop [-- --count 100 --seed 1 --loaded --verbose]`. Exits 1 when anything was on after a stop, or when
 * a stop did not report `safe`; `--loaded` accepts the latter, for a machine that has other work. 2 for wrong usage.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      loaded: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  if (!(Number.isInteger(count) && count > 0 && Number.isInteger(seed)))
    throw new RangeError('--count and --seed are whole numbers');
  say(`${count} stops, seed ${seed}`);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const trials = await stopTrials({
    count,
    seed,
    signal: stop.signal,
    progress: (trial, done) => {
      if (values.verbose || trial.broken.length > 0 || trial.reported !== 'safe')
        say(`${done}/${count} ${lineOf(trial)}`);
    },
  });
  const on = trials.filter(({ wasOn }) => wasOn).length;
  const broken = trials.filter((trial) => trial.broken.length > 0).length;
  const unproven = trials.filter(({ reported }) => reported !== 'safe').length;
  say(
    `${trials.length} stops (seed ${seed}), ${on} with an output on, ${unproven} not proven at the first attempt`,
  );
  say(broken > 0 ? `BROKEN  ${broken} stops` : 'kept: nothing was on after a stop until it was cleared');
  if (broken > 0 || (unproven > 0 && !values.loaded)) process.exitCode = 1;
}

const lineOf = ({ way, runner, phase, wasOn, reported, ended, broken }: Trial): string =>
  [
    `${way}, ${runner}, ${phase}: ${wasOn ? 'on' : 'off'}, stop ${reported}, run ${ended}`,
    ...broken.map((text) => `    BROKEN ${text}`),
  ].join('\n');

main().catch((fault: unknown) => {
  process.stderr.write(`stress:stop: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = fault instanceof RangeError ? 2 : 1;
});
