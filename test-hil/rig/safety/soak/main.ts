import { parseArgs } from 'node:util';
import { messageOf } from '../../../../src/lib/errors/coded-error.ts';
import type { Drift } from './drift.ts';
import { type SoakResult, soak } from './soak.ts';

const USAGE = `npm run soak [-- OPTIONS]
  --minutes N        how long (default 60)
  --warm-up N        minutes whose growth does not count (default 10)
  --readers N        clients that read all the time (default 8)
  --scenario NAME    run back to back (default valve-smoke)`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const MOST_SHOWN = 20;

/** Exits 1 when something grew by more than 5 %, a run failed, or an event was lost; 2 for wrong usage. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      'warm-up': { type: 'string', default: '10' },
      readers: { type: 'string', default: '8' },
      scenario: { type: 'string', default: 'valve-smoke' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(USAGE);
  const minutes = Number(values.minutes);
  const warmUp = Number(values['warm-up']);
  const readers = Number(values.readers);
  if (!(minutes > 0 && warmUp >= 0 && warmUp < minutes && Number.isInteger(readers) && readers >= 0))
    throw new RangeError(
      '--minutes must be above 0, --warm-up 0 or more and less than that, --readers a whole number',
    );
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const { scenario } = values;
  const result = await soak({ minutes, warmUp, readers, scenario, signal: stop.signal, progress: say });
  report(result);
  const hasGrown = [...result.drifts.values()].flat().some((drift) => drift.hasGrown);
  if (hasGrown || result.faults.length > 0) process.exitCode = 1;
}

function report({ runs, reads, silenceMs, drifts, faults }: SoakResult): void {
  say(['process', 'memory MB', 'descriptors', 'threads', 'timers etc.', 'silence ms'].map(column).join(''));
  for (const [name, list] of drifts) {
    const silence = silenceMs.get(name);
    const cells = [
      name,
      cell(list, 'memoryBytes', 1024 * 1024),
      cell(list, 'descriptors'),
      cell(list, 'threads'),
      cell(list, 'resources'),
      silence === undefined ? '-' : String(Math.round(silence)),
    ];
    say(cells.map(column).join(''));
  }
  say('median of the first tenth after the warm-up -> of the last tenth; ! grew by more than 5 %');
  for (const fault of faults.slice(0, MOST_SHOWN)) say(`FAULT  ${fault}`);
  if (faults.length > MOST_SHOWN) say(`FAULT  and ${faults.length - MOST_SHOWN} more`);
  say(`${runs} runs passed, ${reads} reads, ${faults.length} faults`);
}

function cell(list: readonly Drift[], quantity: Drift['quantity'], unit = 1): string {
  const drift = list.find((one) => one.quantity === quantity);
  if (!drift) return '-';
  const [before, after] = [drift.before, drift.after].map((value) =>
    (value / unit).toFixed(unit > 1 ? 1 : 0),
  );
  return `${before} -> ${after}${drift.hasGrown ? ' !' : ''}`;
}

const column = (text: string): string => text.padEnd(18);

main().catch((thrown: unknown) => {
  process.stderr.write(`soak: ${messageOf(thrown)}\n`);
  process.exitCode = thrown instanceof RangeError ? 2 : 1;
});
