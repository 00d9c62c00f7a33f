import { parseArgs } from 'node:util';
import { simulateDay } from './simulated-day.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run stress:day [-- --hours 24 --seed 1]`. Exits 1 when something moved that must not. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { hours: { type: 'string', default: '24' }, seed: { type: 'string', default: '1' } },
  });
  const [hours, seed] = [Number(values.hours), Number(values.seed)];
  if (!(hours > 0 && hours <= 1000) || !Number.isInteger(seed)) {
    process.stderr.write('stress:day: --hours is 0..1000, --seed a whole number\n');
    process.exitCode = 2;
    return;
  }
  const startedAt = performance.now();
  const { violations, leftOn, longestOnMs, ...rest } = await simulateDay({ hours, seed });
  for (const [name, value] of Object.entries(rest)) say(`${name.padEnd(12)} ${JSON.stringify(value)}`);
  say(`longest on after the last authority had ended, no device at fault: ${Math.round(longestOnMs)} ms`);
  for (const one of violations.slice(0, 20)) say(`BROKEN  ${one}`);
  if (leftOn.length > 0) say(`BROKEN  on at the end: ${leftOn.join(', ')}`);
  const isKept = violations.length === 0 && leftOn.length === 0;
  say(
    `${hours} hours in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${isKept ? 'kept' : 'BROKEN'}`,
  );
  if (!isKept) process.exitCode = 1;
}

void main();
