import { DeviceError } from '../../devices/device-error.ts';
import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import type { LineStatistics } from '../../devices/modbus-rtu/statistics.ts';
import { soonestArrivalMs } from '../../devices/modbus-rtu/timing.ts';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { openByteTransport } from '../../transports/open.ts';
import { monotonicMs, NastySlave } from './nasty-slave.ts';

export interface NastyLineOptions {
  baud: number;
  seed: number;
  /** All times of the line, of master and slave, are multiplied by this. 1 are those of a real line. */
  scale: number;
  /** Requests that get a fault, 0 to 1. */
  share: number;
  kinds: readonly string[];
  /** Requests that the slave has heard at the end, at least. */
  requests: number;
}

/** What became of the faults of one kind. */
export interface KindTally {
  faults: number;
  wrongValues: number;
  falseConfirmations: number;
  /** From the fault to the next operation that succeeded, milliseconds. */
  recoveryMs: number[];
}

export interface NastyReport {
  requests: number;
  reads: number;
  sets: number;
  failures: Record<string, number>;
  /** By kind; wrong values and false confirmations at the last fault before them. */
  kinds: Record<string, KindTally>;
  /** Wrong values and false confirmations, in words. */
  wrong: string[];
  /** Whether everything worked again at once when the faults had ended. */
  hasRecovered: boolean;
  statistics: LineStatistics;
}

const UNIT = 1;
const RECOVERY_TRIES = 3;
/** FC01 of eight coils and its reply. */
const READ_BYTES = 8;
const READ_REPLY_BYTES = 6;
/** An early reply that was none, because the slave's process was held up: no master can know it. */
export const HELD_UP = 'early_held_up';
/** Timers only: many lines at once must not keep a core busy each. */
const sparingClock: Clock = { ...systemClock };

/** The valve driver at work on one line with the independent slave; each result is compared with the slave's truth. */
export async function onNastyLine(options: NastyLineOptions): Promise<NastyReport> {
  const { baud, seed, scale, share, kinds, requests } = options;
  const random = seededRandom(seed);
  const sentAtMs: number[] = [];
  const slave = await NastySlave.start({ baud, unit: UNIT, seed, scale });
  const line = new RtuLine({
    transport: openByteTransport(slave.path, { baud }),
    baud,
    clock: sparingClock,
    replyTimeoutMs: 500 * scale,
    totalMs: 2000 * scale,
    turnaroundMs: 700 * scale,
    strayMs: 10_000 * scale,
    trace: ({ kind }) => {
      if (kind === 'sent') sentAtMs.push(monotonicMs());
    },
  });
  const soonestMs = soonestArrivalMs(line.timing, READ_BYTES, READ_REPLY_BYTES);
  /** Whether a reply that the slave meant to be early was so late that the line could have carried it. */
  const wasPossible = (earlyAtMs: number) => {
    const sent = sentAtMs.findLast((atMs) => atMs <= earlyAtMs);
    return sent !== undefined && earlyAtMs - sent >= soonestMs;
  };
  const work = new Work(slave, new ModbusIo(line, { unit: UNIT }), random, (early) => {
    const isHeldUp = early.some(wasPossible);
    sentAtMs.length = 0;
    return isHeldUp;
  });
  try {
    await line.open();
    await slave.misbehave(share, kinds);
    while (work.requests < requests) await work.step();
    await slave.misbehave(0, kinds);
    // What is still owed comes by then.
    await systemClock.sleep(9000 * scale);
    const hasRecovered = await work.recovers();
    return { ...work.report, requests: work.requests, hasRecovered, statistics: line.statistics };
  } finally {
    await line.close();
    await slave.stop();
  }
}

type Operation = 'read' | 'set' | 'all off';

class Work {
  readonly #slave: NastySlave;
  readonly #io: ModbusIo;
  readonly #random: Random;
  readonly #isHeldUp: (earlyAtMs: readonly number[]) => boolean;
  #open: { kind: string; atMs: number }[] = [];
  #lastKind = 'none';
  requests = 0;
  readonly report: Pick<NastyReport, 'reads' | 'sets' | 'failures' | 'kinds' | 'wrong'> = {
    reads: 0,
    sets: 0,
    failures: {},
    kinds: {},
    wrong: [],
  };

  /** @param isHeldUp whether one of these early replies came in time after all; called once for each operation */
  constructor(
    slave: NastySlave,
    io: ModbusIo,
    random: Random,
    isHeldUp: (earlyAtMs: readonly number[]) => boolean,
  ) {
    this.#slave = slave;
    this.#isHeldUp = isHeldUp;
    this.#io = io;
    this.#random = random;
  }

  async step(): Promise<void> {
    const random = this.#random;
    const coil = Math.floor(8 * random());
    const on = random() < 0.5;
    const kind = random();
    if (kind < 0.45) await this.#judge('read', this.#read());
    else if (kind < 0.9) await this.#judge('set', this.#set(coil, on));
    else if (kind < 0.95) await this.#judge('all off', this.#allOff());
    else await this.#safeDuringOpening(coil);
    if (random() < 0.3) await this.#slave.move(Math.floor(8 * random()), random() < 0.5);
  }

  /** @returns whether set and read succeed in a few tries: the first may still be given a reply that was held back */
  async recovers(): Promise<boolean> {
    for (let tries = 0; tries < RECOVERY_TRIES; tries++) {
      const set = await this.#judge('set', this.#set(0, true));
      if ((await this.#judge('read', this.#read())) && set) return true;
    }
    return false;
  }

  async #read(): Promise<(coils: readonly boolean[]) => string | undefined> {
    const seen = await this.#io.readOutputs();
    return (coils) => (seen.join() === coils.join() ? undefined : `read ${bits(seen)}`);
  }

  async #set(coil: number, on: boolean): Promise<(coils: readonly boolean[]) => string | undefined> {
    await this.#io.setOutput(coil, on);
    return (coils) => (coils[coil] === on ? undefined : `confirmed output ${coil} ${on ? 'on' : 'off'}`);
  }

  async #allOff(): Promise<(coils: readonly boolean[]) => string | undefined> {
    await this.#io.allOff({ priority: 'safe', deadlineMs: 10_000 });
    return (coils) => (coils.includes(true) ? 'confirmed all off' : undefined);
  }

  /** A safe state in the middle of an opening: whatever becomes of the opening, nothing is on afterwards. */
  async #safeDuringOpening(coil: number): Promise<void> {
    const opening = this.#io.setOutput(coil, true).catch(() => {});
    await systemClock.sleep(15 * this.#random());
    const off = this.#allOff();
    await off.catch(() => {});
    await opening;
    await this.#judge('all off', off);
  }

  async #judge(
    operation: Operation,
    work: Promise<(coils: readonly boolean[]) => string | undefined>,
  ): Promise<boolean> {
    const outcome = await work.catch((error: unknown) => error);
    const endedAtMs = monotonicMs();
    const { coils, requests } = await this.#slave.truth();
    this.requests = requests;
    for (const fault of this.#slave.takeFaults()) {
      this.#open.push(fault);
      this.#lastKind = fault.kind;
      this.#of(fault.kind).faults += 1;
    }
    const isHeldUp = this.#isHeldUp(this.#slave.takeEarly());
    if (typeof outcome !== 'function') {
      const code = outcome instanceof DeviceError ? outcome.code : String(outcome);
      this.report.failures[code] = (this.report.failures[code] ?? 0) + 1;
      return false;
    }
    this.report[operation === 'read' ? 'reads' : 'sets'] += 1;
    const wrong: string | undefined = outcome(coils);
    if (wrong !== undefined) {
      const last = this.#of(isHeldUp ? HELD_UP : this.#lastKind);
      if (operation === 'read') last.wrongValues += 1;
      else last.falseConfirmations += 1;
      const faults = this.#open.map((fault) => fault.kind).join(', ');
      if (!isHeldUp)
        this.report.wrong.push(`${wrong} where ${bits(coils)} was true, after ${faults || this.#lastKind}`);
    }
    for (const { kind, atMs } of this.#open) this.#of(kind).recoveryMs.push(endedAtMs - atMs);
    this.#open = [];
    return wrong === undefined;
  }

  #of(kind: string): KindTally {
    this.report.kinds[kind] ??= { faults: 0, wrongValues: 0, falseConfirmations: 0, recoveryMs: [] };
    return this.report.kinds[kind];
  }
}

const bits = (coils: readonly boolean[]): string => coils.map((on) => (on ? '1' : '0')).join('');
