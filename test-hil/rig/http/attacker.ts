import { setMaxListeners } from 'node:events';
import process from 'node:process';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { ATTACKS } from './attacks.ts';

/**
 * Attacks as a program of their own: `attacker.ts URL SECONDS [NAME]`. One after the other, each for so long; the name of
 * each that begins is a line on standard output.
 */
const [url = '', seconds = '', name = ''] = process.argv.slice(2);
process.once('SIGTERM', () => process.exit(0));

for (const attack of ATTACKS.filter((one) => one.name.startsWith(name))) {
  process.stdout.write(`${attack.name}\n`);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  await Promise.race([attack.run(new URL(url), stop.signal), systemClock.sleep(Number(seconds) * 1000)]);
  stop.abort();
}
process.exit(0);
