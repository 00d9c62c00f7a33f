import { compilerMissing } from '../device-benchmarks/compiled-peer.ts';
import {
  HELD_UP,
  type KindTally,
  type NastyLineOptions,
  type NastyReport,
  onNastyLine,
} from './nasty-line.ts';
import { FAULT_KINDS, UNDETECTABLE_KINDS } from './nasty-slave.ts';

export type PeerOptions = Pick<NastyLineOptions, 'baud' | 'seed' | 'scale' | 'share' | 'requests'> & {
  /** Lines at work at once; they share the requests. */
  lines: number;
};

/** Of the requests of a run, so many more are made with undetectable faults alone. */
const UNDETECTABLE_SHARE = 0.05;

/**
 * The valve driver against the independent slave: first with every fault that a master can find out, then with replies
 * of the right shape in time that are simply not true. Prints a table by kind.
 *
 * @returns whether the first gave a wrong value or a false confirmation, or a line did not recover
 */
export async function stressPeer(options: PeerOptions, say: (line: string) => void): Promise<boolean> {
  const missing = compilerMissing();
  if (missing !== undefined) throw new Error(`the slave cannot be compiled: ${missing}`);
  const { lines, baud, scale, share } = options;
  say(`${lines} lines at ${baud} 8N1, times x ${scale}, faults on ${100 * share} % of the requests`);
  const found = await phase(options, options.requests, FAULT_KINDS, say);
  const undetectable = await phase(
    options,
    Math.ceil(UNDETECTABLE_SHARE * options.requests),
    UNDETECTABLE_KINDS,
    say,
  );
  const deceived = undetectable.wrong.length;
  const heldUp = found.kinds[HELD_UP];
  if (heldUp)
    say(
      `no master can know: ${heldUp.wrongValues + heldUp.falseConfirmations} early replies that came in time after all, ` +
        'because the process of the slave was held up',
    );
  say(
    `no master can know: a well-formed reply of the right shape in time that is not true; it deceived ${deceived} of ` +
      `${undetectable.reads + undetectable.sets} operations with ${sum(undetectable, ({ faults }) => faults)} such replies`,
  );
  for (const one of found.wrong.slice(0, 20)) say(`  ${one}`);
  return found.wrong.length > 0 || !found.hasRecovered;
}

async function phase(
  { lines, ...options }: PeerOptions,
  requests: number,
  kinds: readonly string[],
  say: (line: string) => void,
): Promise<NastyReport> {
  const reports = await Promise.all(
    Array.from({ length: lines }, (_, line) =>
      onNastyLine({
        ...options,
        kinds,
        seed: options.seed * 1000 + line,
        requests: Math.ceil(requests / lines),
      }),
    ),
  );
  const total = reports.reduce(added);
  say('');
  say(row('kind of fault', ['faults', 'wrong', 'false', 'p50 ms', 'p95 ms', 'max ms']));
  for (const [kind, tally] of Object.entries(total.kinds).sort()) say(row(kind, cells(tally)));
  const { early, timeouts, corrupt, lateFrames, sentAhead } = total.statistics;
  say(
    `${total.requests} requests with ${sum(total, ({ faults }) => faults)} faults; ${total.reads} reads with ` +
      `${sum(total, ({ wrongValues }) => wrongValues)} wrong values, ${total.sets} sets with ` +
      `${sum(total, ({ falseConfirmations }) => falseConfirmations)} false confirmations`,
  );
  say(
    `refused: ${Object.entries(total.failures)
      .map(([code, count]) => `${count} ${code}`)
      .join(', ')}; seen: ${early} early, ${timeouts} time-outs, ` +
      `${corrupt} corrupt, ${lateFrames} late, ${sentAhead} frames sent ahead`,
  );
  return total;
}

function added(a: NastyReport, b: NastyReport): NastyReport {
  const kinds = { ...a.kinds };
  for (const [kind, tally] of Object.entries(b.kinds)) {
    const other = kinds[kind];
    kinds[kind] = other
      ? {
          faults: other.faults + tally.faults,
          wrongValues: other.wrongValues + tally.wrongValues,
          falseConfirmations: other.falseConfirmations + tally.falseConfirmations,
          recoveryMs: [...other.recoveryMs, ...tally.recoveryMs],
        }
      : tally;
  }
  const failures = { ...a.failures };
  for (const [code, count] of Object.entries(b.failures)) failures[code] = (failures[code] ?? 0) + count;
  const statistics = { ...a.statistics };
  for (const key of ['early', 'timeouts', 'corrupt', 'lateFrames', 'sentAhead'] as const)
    statistics[key] += b.statistics[key];
  return {
    requests: a.requests + b.requests,
    reads: a.reads + b.reads,
    sets: a.sets + b.sets,
    failures,
    kinds,
    wrong: [...a.wrong, ...b.wrong],
    hasRecovered: a.hasRecovered && b.hasRecovered,
    statistics,
  };
}

const sum = ({ kinds }: NastyReport, of: (tally: KindTally) => number): number =>
  Object.values(kinds).reduce((total, tally) => total + of(tally), 0);

function cells({ faults, wrongValues, falseConfirmations, recoveryMs }: KindTally): (string | number)[] {
  const sorted = recoveryMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const times = [at(0.5), at(0.95), sorted.at(-1)].map((ms) => (ms === undefined ? '-' : ms.toFixed(0)));
  return [faults, wrongValues, falseConfirmations, ...times];
}

const row = (name: string, values: readonly (string | number)[]): string =>
  name.padEnd(20) + values.map((value) => String(value).padStart(9)).join('');
