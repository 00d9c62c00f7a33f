import { parseArgs } from 'node:util';
import { type StressReport, stressProfiles } from './stress.ts';

const SWITCH_LIMIT_MS = 3000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run stress:profiles [-- --rounds 1000 --seed 1 --verbose]`. Exits 1 when a promise was broken. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
  if (!Number.isInteger(seed) || !(Number.isInteger(rounds) && rounds > 0)) {
    process.stderr.write('stress:profiles: --rounds and --seed are whole numbers, --rounds above 0\n');
    process.exitCode = 2;
    return;
  }
  const progress = values.verbose ? say : () => {};
  const report = await stressProfiles({ rounds, seed, progress });
  print(report);
  const slow = report.switchMs.some((ms) => ms > SWITCH_LIMIT_MS);
  say(report.broken.length > 0 || slow ? 'BROKEN' : 'kept: never two holders, all that should be up is up');
  if (report.broken.length > 0 || slow) process.exitCode = 1;
}

function print({ rounds, switchMs, recoveryMs, repairs, testimony, broken }: StressReport): void {
  for (const [name, count] of Object.entries(rounds)) say(`${String(count).padStart(5)}  ${name}`);
  say(`switch     ${times(switchMs)}, limit ${SWITCH_LIMIT_MS} ms`);
  say(`recovery   ${times(recoveryMs)}; ${repairs} only by svcctl profile`);
  const { samples, longestGapMs, withTwo } = testimony;
  say(
    `witness    ${samples} looks at the HID twin, at most ${longestGapMs.toFixed(0)} ms apart: ${withTwo.length} with two clients`,
  );
  for (const one of broken.slice(0, 20)) say(`broken     ${one}`);
}

function times(ms: readonly number[]): string {
  const sorted = [...ms].sort((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0);
  return `${sorted.length} times, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, most ${at(1)} ms`;
}

void main();
