import { parseArgs } from 'node:util';
import { messageOf } from '../../../../src/lib/errors/coded-error.ts';
import { seededRandom } from '../../../../src/lib/random/seeded-random.ts';
import { SafetyRig } from '../safety-rig.ts';
import { allBlows, type Blows, promisedFor, TARGETS } from './blows.ts';
import { type BlowsResult, lineOf, performBlows } from './perform-blows.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const SEVERAL_USAGE = `npm run stress:safety -- several [OPTIONS]
  --size N           how many are struck at once, 1..8 (default 2)
  --share 0..1       part of all combinations (default 1)
  --seed N           of their order and choice (default 1)
  --rigs N           rigs at once (default 2)
  among ${TARGETS.join(', ')}, each killed or frozen`;

/** Strikes every combination, each on a rig of its own. @returns the exit code: 1 when a promise was broken */
export async function strikeSeveral(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: '2' },
      share: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      rigs: { type: 'string', default: '2' },
    },
  });
  const [size, share, seed, rigs] = [values.size, values.share, values.seed, values.rigs].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (!(size >= 1 && size <= TARGETS.length && share > 0 && share <= 1 && rigs >= 1 && seed >= 0))
    throw new RangeError(SEVERAL_USAGE);
  const random = seededRandom(seed);
  const all = allBlows(size)
    .map((blows) => ({ blows, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ blows }) => blows);
  const queue = all.slice(0, Math.ceil(share * all.length));
  const count = queue.length;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const results = await performAll(queue, rigs, stop.signal, (result) => say(lineOf(result)));
  const judged = results.filter(({ promised }) => promised.scope !== undefined && !promised.isHardwareOnly);
  const worst = judged.reduce(
    (most, { offAfterMs = Number.POSITIVE_INFINITY }) => Math.max(most, offAfterMs),
    0,
  );
  const broken = results.filter((result) => result.broken.length > 0).length;
  const onlyHardware = results.filter(({ promised }) => promised.isHardwareOnly).length;
  say(
    `${results.length} of ${count} combinations of ${size} (seed ${seed}); worst time to off ${Math.round(worst)} ms`,
  );
  say(`${onlyHardware} of them leave no process that could act: only hardware covers those (docs/guard.md)`);
  say(broken > 0 ? `BROKEN  ${broken} combinations` : 'kept: off in time in every other combination');
  return broken > 0 ? 1 : 0;
}

/** On several rigs at once; each blow gets a rig of its own. */
export async function performAll(
  queue: Blows[],
  rigs: number,
  signal: AbortSignal,
  tell: (result: BlowsResult) => void = () => {},
): Promise<BlowsResult[]> {
  const results: BlowsResult[] = [];
  const hand = async () => {
    for (let blows = queue.shift(); blows && !signal.aborted; blows = queue.shift()) {
      const result = await onRig(blows);
      results.push(result);
      tell(result);
    }
  };
  await Promise.all(Array.from({ length: rigs }, hand));
  return results;
}

async function onRig(blows: Blows): Promise<BlowsResult> {
  try {
    const rig = await SafetyRig.open();
    try {
      return await performBlows(rig, blows);
    } finally {
      await rig.close('SIGKILL');
    }
  } catch (cause) {
    const broken = [`the case itself failed: ${messageOf(cause)}`];
    return { blows, promised: promisedFor(blows), offAfterMs: undefined, broken };
  }
}
