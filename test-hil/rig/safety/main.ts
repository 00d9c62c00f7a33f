import { parseArgs } from 'node:util';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { RIG_SERVICES, type RigService } from '../../../src/rig/profiles/rig-services.ts';
import { ENDS, type End, SCENARIOS, type ScenarioName, VICTIMS, type Victim } from './cases.ts';
import { stressSafety } from './matrix.ts';
import type { CaseResult } from './perform-case.ts';
import { SEVERAL_USAGE, strikeSeveral } from './several/main.ts';
import { tableOf } from './table.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const USAGE = `npm run stress:safety [-- OPTIONS]
  --share 0..1       part of all cases (default 1); each kind of end is there at least once
  --most N           at most N cases
  --seed N           of their order and choice (default 1)
  --rigs N           rigs at once (default 3)
  --scenario NAME    ${SCENARIOS.join(' or ')} (default both)
  --victim NAME      ${VICTIMS.join(', ')} (default all)
  --end NAME         ${ENDS.join(', ')} (default all)
  --services LIST    what stands under PM2 (default ${RIG_SERVICES.join(',')})
  --verbose          a line for each case

${SEVERAL_USAGE}`;

/** Exits 1 when a promise was broken, 2 for wrong usage. */
async function main(): Promise<void> {
  const [kind, ...rest] = process.argv.slice(2);
  if (kind === 'several') {
    process.exitCode = await strikeSeveral(rest);
    return;
  }
  const { values } = parseArgs({
    options: {
      share: { type: 'string', default: '1' },
      most: { type: 'string' },
      seed: { type: 'string', default: '1' },
      rigs: { type: 'string', default: '3' },
      scenario: { type: 'string', multiple: true },
      victim: { type: 'string', multiple: true },
      end: { type: 'string', multiple: true },
      services: { type: 'string', default: RIG_SERVICES.join(',') },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(USAGE);
  const among = <T extends string>(all: readonly T[], given: readonly string[], what: string): T[] =>
    given.map((name) => {
      const found = all.find((one) => one === name);
      if (found === undefined) throw new RangeError(`${what} ${name} is none of ${all.join(', ')}`);
      return found;
    });
  const number = (name: 'share' | 'seed' | 'rigs', low: number, high: number) => {
    const value = Number(values[name]);
    if (!(value >= low && value <= high)) throw new RangeError(`--${name} must be ${low}..${high}`);
    return value;
  };
  const services = among<RigService>(RIG_SERVICES, values.services.split(','), 'service');
  const victims = values.victim && among<Victim>(VICTIMS, values.victim, 'victim');
  const ends = values.end && among<End>(ENDS, values.end, 'end');
  const scenarios = values.scenario && among<ScenarioName>(SCENARIOS, values.scenario, 'scenario');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const startedAt = systemClock.now();
  const results = await stressSafety({
    services,
    share: number('share', 0, 1),
    seed: number('seed', 0, 2 ** 31),
    rigs: number('rigs', 1, 16),
    signal: stop.signal,
    ...(scenarios ? { scenarios } : {}),
    ...(values.most === undefined ? {} : { most: Number(values.most) }),
    only: ({ victim, end }) => (victims?.includes(victim) ?? true) && (ends?.includes(end) ?? true),
    progress: (result, done, of) => {
      if (values.verbose || result.broken.length > 0) say(`${done}/${of} ${lineOf(result)}`);
    },
  });
  for (const line of tableOf(results)) say(line);
  const broken = results.filter((result) => result.broken.length > 0);
  const on = results.filter(({ wasOn }) => wasOn).length;
  say(`n: worst ms to safe, at most 3000 after SIGKILL and 5000 else; !k: k broken promises`);
  say(
    `${results.length} cases (seed ${values.seed}), ${on} with an output on at the blow, ${Math.round((systemClock.now() - startedAt) / 1000)} s`,
  );
  say(
    broken.length > 0
      ? `BROKEN  ${broken.length} cases`
      : 'kept: safe in every case, and everything came back',
  );
  if (broken.length > 0) process.exitCode = 1;
}

function lineOf({ case: one, safeAfterMs, wasOn, code, upAfterMs, broken }: CaseResult): string {
  const how = `${one.scenario} ${one.boundary}, ${one.victim} ${one.end}`;
  const on = wasOn ? 'on' : 'off';
  const told = `${how}: ${on}, safe after ${safeAfterMs ?? 'never'} ms, run ${code}, up after ${upAfterMs} ms`;
  return [told, ...broken.map((text) => `    BROKEN ${text}`)].join('\n');
}

main().catch((fault: unknown) => {
  process.stderr.write(`stress:safety: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = fault instanceof RangeError ? 2 : 1;
});
