import { setMaxListeners } from 'node:events';
import process from 'node:process';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { ATTACKS } from './attacks.ts';

/**
 * Attacks as a program of their own: `attacker.ts URL SECONDS ROUNDS [NAME]`. One after the other, each for so long; the
 * name of each that begins is a line on standard output.
 */
const [url = '', seconds = '', rounds = '', name = ''] = process.argv.slice(2);
process.once('SIGTERM', () => process.exit(0));

for (let round = 0; round < Number(rounds); round++) {
  for (const attack of ATTACKS.filter((one) => one.name.includes(name))) {
    process.stdout.write(`${attack.name}\n`);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    await Promise.race([attack.run(new URL(url), stop.signal), systemClock.sleep(Number(seconds) * 1000)]);
    stop.abort();
  }
}
process.exit(0);
