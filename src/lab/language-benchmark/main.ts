import { existsSync } from 'node:fs';
import path from 'node:path';
import { measureManyKept, measureReading, measureYaml } from './reading.ts';
import { measureLateness, measureOverhead } from './running.ts';
import { measureStartUp } from './start-up.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const perSecond = (microseconds: number): string => Math.round(1e6 / microseconds).toLocaleString('en');

/** `npm run bench:language`. Prints ratios; judges nothing. */
async function main(): Promise<void> {
  const svcctl = path.resolve('dist/svcctl.cjs');
  if (!existsSync(svcctl)) throw new Error('dist/svcctl.cjs is missing; run npm run build');

  const sizes = [1_000, 10_000, 100_000, 1_000_000];
  measureReading([1_000], 1, 300_000);
  const rates = measureReading(sizes, 5, 200_000);
  const [small] = rates;
  for (const { lines, microseconds } of rates)
    say(
      `read and check ${lines.toLocaleString('en').padStart(9)} lines: ${microseconds.toFixed(2)} us a line, ` +
        `${perSecond(microseconds)} lines/s, ${(microseconds / small!.microseconds).toFixed(2)} x the cost at 1,000`,
    );
  const kept = measureManyKept(1_000, 1_000);
  say(
    `the same million lines as 1,000 scenarios of 1,000, all kept in memory: ${kept.toFixed(2)} us a line; ` +
      `one long scenario costs ${(rates.at(-1)!.microseconds / kept).toFixed(2)} x that`,
  );
  const yaml = measureYaml(20_000);
  say(
    `peer: yaml reads ${perSecond(yaml)} lines/s of 20,000; this reader is ${(yaml / rates[1]!.microseconds).toFixed(1)} x as fast`,
  );

  const { nodeMs, validateMs, ratio } = measureStartUp(svcctl, 15);
  say(
    `svcctl validate, 100 lines: ${validateMs.toFixed(0)} ms beside node -e 0 ${nodeMs.toFixed(0)} ms: ${ratio.toFixed(2)} x`,
  );

  const late = await measureLateness(300);
  say(
    `lateness of WAIT 10ms in execute, ${late.count} waits: p50 ${late.p50Ms.toFixed(2)} ms, p99 ${late.p99Ms.toFixed(2)} ms`,
  );

  say(
    `interpreter overhead without I/O: ${(await measureOverhead(100_000)).toFixed(2)} us a command, events included`,
  );
}

void main();
