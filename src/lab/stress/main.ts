import { parseArgs } from 'node:util';
import { stressUart } from './dfr1184.ts';
import { footprint } from './footprint.ts';
import { stressHid } from './mcp2221a.ts';
import { stressRtu } from './modbus-io.ts';
import { stressPeer } from './peer.ts';
import { type RealPortsReport, stressRealPorts } from './real-ports.ts';
import type { StressReport } from './stress-report.ts';
import { stressTic } from './tic.ts';

/** Heap that a run may leave behind: caches of the engine, no growth with the number of exchanges. */
const HEAP_SLACK_BYTES = 4_000_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const RUNS: {
  name: string;
  exchanges: number;
  run: (exchanges: number, seed: number) => Promise<StressReport>;
}[] = [
  { name: 'RTU', exchanges: 100_000, run: (exchanges, seed) => stressRtu({ exchanges, seed }) },
  { name: 'HID', exchanges: 20_000, run: (exchanges, seed) => stressHid({ exchanges, seed }) },
  { name: 'UART', exchanges: 20_000, run: (exchanges, seed) => stressUart({ exchanges, seed }) },
  { name: 'USB control', exchanges: 20_000, run: (exchanges, seed) => stressTic({ exchanges, seed }) },
];

/**
 * `npm run stress [-- --seed N --share 0.1 --seconds N]`: drivers against twins under faults, first on a stepped clock
 * with every exchange counted, then on real ports in real time. Exits 1 when a promise was broken.
 *
 * `npm run stress -- --peer [--lines 8 --requests 100000 --baud 115200 --scale 0.1 --faults 0.2 --seed N]`: the valve
 * driver against a slave that is not ours (test-hil/peers/nasty-slave.c). The defaults are one line at 19200 with the
 * times of a real one and 1000 requests.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      share: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '60' },
      peer: { type: 'boolean', default: false },
      lines: { type: 'string', default: '1' },
      requests: { type: 'string', default: '1000' },
      baud: { type: 'string', default: '19200' },
      scale: { type: 'string', default: '1' },
      faults: { type: 'string', default: '0.2' },
    },
  });
  if (values.peer) {
    await peer(values);
    return;
  }
  const [seed, share, seconds] = [Number(values.seed), Number(values.share), Number(values.seconds)];
  if (!Number.isInteger(seed) || !(share > 0) || !(seconds >= 0)) {
    process.stderr.write('stress: --seed is a whole number, --share above 0, --seconds 0 or more\n');
    process.exitCode = 2;
    return;
  }
  let broken = false;
  for (const { name, exchanges, run } of RUNS)
    broken = (await stepped(name, exchanges * share, seed, run)) || broken;
  if (seconds > 0) broken = judged(await stressRealPorts({ seconds, seed })) || broken;
  say(
    broken
      ? 'BROKEN'
      : 'kept: no wrong value, no false confirmation, recovery after each fault, nothing left behind',
  );
  if (broken) process.exitCode = 1;
}

async function peer(
  values: Record<'seed' | 'lines' | 'requests' | 'baud' | 'scale' | 'faults', string>,
): Promise<void> {
  const whole = (text: string, most: number) => /^[1-9]\d*$/.test(text) && Number(text) <= most;
  const share = Number(values.faults);
  const scale = Number(values.scale);
  const isGiven =
    whole(values.seed, 1e9) &&
    whole(values.lines, 64) &&
    whole(values.requests, 1e9) &&
    whole(values.baud, 1e6) &&
    scale >= 0.05 &&
    scale <= 10 &&
    share > 0 &&
    share <= 1;
  if (!isGiven) {
    process.stderr.write(
      'stress --peer: --lines is 1 to 64, --requests, --baud and --seed are whole numbers above 0, ' +
        '--scale is 0.05 to 10, --faults above 0 to 1\n',
    );
    process.exitCode = 2;
    return;
  }
  const options = {
    seed: Number(values.seed),
    lines: Number(values.lines),
    requests: Number(values.requests),
    baud: Number(values.baud),
    scale,
    share,
  };
  const isBroken = await stressPeer(options, say);
  say(isBroken ? 'BROKEN' : 'passed: no wrong value, no false confirmation, every line recovered');
  if (isBroken) process.exitCode = 1;
}

async function stepped(
  name: string,
  exchanges: number,
  seed: number,
  run: (exchanges: number, seed: number) => Promise<StressReport>,
): Promise<boolean> {
  // Warm: what the engine compiles and caches once is no leak.
  await run(Math.ceil(exchanges / 20), seed + 1);
  const before = footprint();
  const startedAt = performance.now();
  const report = await run(exchanges, seed);
  const seconds = (performance.now() - startedAt) / 1000;
  const { heapBytes, descriptors, resources } = footprint();
  const grownMb = (heapBytes - before.heapBytes) / 1e6;
  say(
    `${name.padEnd(12)}${report.exchanges} exchanges in ${seconds.toFixed(1)} s: ${report.wrongValues} wrong values, ` +
      `${report.falseConfirmations} false confirmations, ${report.recovered} recoveries, ${report.unrecovered} without, ` +
      `${report.pendingTimers} timers left, heap ${grownMb >= 0 ? '+' : ''}${grownMb.toFixed(1)} MB`,
  );
  say(`${' '.repeat(12)}faults: ${counts(report.faults)}`);
  for (const one of report.unexpected.slice(0, 10)) say(`${' '.repeat(12)}unexpected: ${one}`);
  return (
    report.wrongValues + report.falseConfirmations + report.unrecovered + report.pendingTimers > 0 ||
    report.unexpected.length > 0 ||
    heapBytes - before.heapBytes > HEAP_SLACK_BYTES ||
    descriptors !== before.descriptors ||
    resources > before.resources
  );
}

function judged({ before, after, ...report }: RealPortsReport): boolean {
  const grownMb = (after.heapBytes - before.heapBytes) / 1e6;
  say(
    `real ports  answers: ${counts(report.answers)}; failures: ${counts(report.failures)}; ${report.unplugs} unplugs: ` +
      `${report.wrongValues} wrong values, ${report.falseConfirmations} false confirmations, ` +
      `${report.unrecovered} without recovery`,
  );
  say(
    `            descriptors ${before.descriptors} before and ${after.descriptors} after, resources ${before.resources} ` +
      `and ${after.resources}, heap ${grownMb >= 0 ? '+' : ''}${grownMb.toFixed(1)} MB`,
  );
  for (const one of report.unexpected.slice(0, 10)) say(`            unexpected: ${one}`);
  return (
    report.wrongValues + report.falseConfirmations + report.unrecovered + report.unexpected.length > 0 ||
    after.heapBytes - before.heapBytes > HEAP_SLACK_BYTES ||
    after.descriptors > before.descriptors ||
    after.resources > before.resources
  );
}

const counts = (table: Readonly<Record<string, number>>): string =>
  Object.entries(table)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

void main();
