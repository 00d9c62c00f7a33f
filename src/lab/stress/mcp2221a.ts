import { DeviceError } from '../../devices/device-error.ts';
import { Mcp2221a, type Mcp2221aOptions } from '../../devices/mcp2221a/driver.ts';
import type { HidFault } from '../../devices/mcp2221a/fault.ts';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import type { AdcOutcome } from '../../devices/mcp2221a/usb-adc.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { hexOf } from '../../transports/hex.ts';
import { HidPipe } from '../../transports/memory/hid-pipe.ts';
import { counted, countFault, noStress, type StressReport, steppedThrough } from './stress-report.ts';

const EXPECTED_CODES = new Set([
  'device_timeout',
  'corrupt_response',
  'device_error',
  'device_unavailable',
  'adc_config_not_applied',
]);
const LATEST_MS = 2500;
const FAULTED_RECOVERY_MS = 30_000;
const SOUND_RECOVERY_MS = 10_000;
const LONGEST_AWAY_MS = 6000;
const VDD_VOLTS = 3.3;

/** Like a chip and its host controller: what was not fetched when the handle was closed comes after the next opening. */
class KeepingPipe extends HidPipe {
  #kept: Uint8Array[] = [];
  /** Listeners that were added and not yet taken away. */
  listeners = 0;

  override async open(): Promise<void> {
    await super.open();
    for (const report of this.#kept.splice(0)) queueMicrotask(() => super.send(report));
  }

  override send(report: Uint8Array): void {
    if (this.endpoint) super.send(report);
    else this.#kept.push(report);
  }

  /** Without power nothing was kept. */
  override plug(): void {
    this.#kept = [];
    super.plug();
  }

  override onReport(listener: (report: Uint8Array) => void): () => void {
    return this.#counted(super.onReport(listener));
  }

  override onClosed(listener: Parameters<HidPipe['onClosed']>[0]): () => void {
    return this.#counted(super.onClosed(listener));
  }

  #counted(leave: () => void): () => void {
    this.listeners += 1;
    return () => {
      this.listeners -= 1;
      leave();
    };
  }
}

/** Voltages that are other ones in each answer, so that every reading can be traced to the one answer that it is. */
class MovingPins {
  readonly #random: Random;
  readonly #now: () => number;
  readonly #answers = new Map<string, { madeAt: number; isUsed: boolean }>();
  #raws: [number, number, number] = [0, 0, 0];

  constructor(random: Random, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  /** Asked once per input and answer, G1 first. */
  volts(input: 1 | 2 | 3): number {
    const word = () => Math.floor(1024 * this.#random());
    if (input === 1) {
      this.#raws = [word(), word(), word()];
      this.#answers.set(this.#raws.join(), { madeAt: this.#now(), isUsed: false });
    }
    return (((this.#raws[input - 1] ?? 0) + 0.5) * VDD_VOLTS) / 1024;
  }

  /** Whether `outcomes` are one whole answer made since `since`, and given out for the first time. */
  isTrue(outcomes: readonly AdcOutcome[], since: number): boolean {
    const raws = outcomes.map((outcome) => (outcome.ok ? outcome.sample.raw10bit : Number.NaN));
    const answer = this.#answers.get(raws.join());
    if (!answer || answer.isUsed || answer.madeAt < since) return false;
    answer.isUsed = true;
    return true;
  }
}

/** 5 % late, 2 % doubled, 2 % truncated, 1 % corrupt, 1 % foreign, 1 % silent, one by one so that they mix. */
function drawFault(random: Random): HidFault {
  const fault: HidFault = {};
  if (random() < 0.05) fault.late_ms = LATEST_MS * random();
  if (random() < 0.02) fault.doubled = true;
  if (random() < 0.02) fault.truncate = Math.floor(64 * random());
  if (random() < 0.01)
    fault.corrupt = (['echo', 'result', 'word'] as const)[Math.floor(3 * random())] ?? 'echo';
  if (random() < 0.01) fault.foreign = true;
  if (random() < 0.01) fault.silent = true;
  return fault;
}

/** All pins as GPIO outputs, as another program might set them. */
const FOREIGN_SETTINGS = Uint8Array.from({ length: 64 }, (_, index) => ({ 0: 0x60, 7: 0x80 })[index] ?? 0);

/**
 * Random readings under random faults: answers late, doubled, cut, corrupt, foreign or missing; the chip pulled out and
 * put back; its settings changed by another program; and pins that move with every answer, so that any old answer
 * taken for a new one is a wrong value.
 *
 * @param options.exchanges how many requests are sent, at least
 * @param options.rules protective rules to switch off, to show what they are good for
 */
export async function stressHid(options: {
  exchanges: number;
  seed: number;
  log?: (line: string) => void;
  rules?: Mcp2221aOptions['rules'];
}): Promise<StressReport> {
  const random = seededRandom(options.seed);
  const clock = new SteppedClock();
  const now = () => clock.monotonic();
  const log = (what: string) => options.log?.(`${now().toFixed(1)} ms ${what}`);
  const pins = new MovingPins(random, now);
  const pipe = new KeepingPipe({ address: 'memory' });
  const twin = new Mcp2221aTwin({
    clock,
    random,
    volts: (input) => pins.volts(input),
    listener: (event) => {
      if (event.kind === 'in' || event.kind === 'out')
        log(`${event.kind} ${hexOf(event.bytes.subarray(0, 4))} ${event.note ?? ''}`);
    },
  });
  twin.connect((report) => pipe.send(report));
  pipe.onWritten((report) => twin.receive(report));
  const adc = new Mcp2221a(pipe, { clock, ...(options.rules ? { rules: options.rules } : {}) });
  const report = noStress();
  const drawAndCount = counted(report, () => drawFault(random));
  twin.faultEach(drawAndCount);

  /** @returns whether it came to a good end */
  const attempt = async (name: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      const isExpected = error instanceof DeviceError && EXPECTED_CODES.has(error.code);
      log(`${name}: ${error instanceof DeviceError ? `${error.code} ${error.reason}` : error}`);
      if (!isExpected) report.unexpected.push(`${name}: ${error}`);
      return false;
    }
  };
  const judge = (rows: AdcOutcome[][], since: number) => {
    for (const outcomes of rows) {
      if (outcomes.every(({ ok }) => !ok)) continue;
      if (pins.isTrue(outcomes, since)) continue;
      report.wrongValues += 1;
      log(`wrong: ${JSON.stringify(outcomes)}`);
    }
  };
  let wrongSince: number | undefined;
  const readAll = async () => {
    const since = now();
    judge([await adc.readAll()], since);
    // Settings of another program have been noticed and replaced when a reading comes.
    wrongSince = undefined;
  };
  const readMany = async () => {
    const since = now();
    judge(await adc.readMany(2 + Math.floor(20 * random())), since);
  };
  const verify = async () => {
    const isWrong = wrongSince !== undefined;
    const health = await adc.verify();
    if (health.verified && isWrong) report.falseConfirmations += 1;
  };
  const disturb = () => {
    countFault(report, 'foreign_settings');
    wrongSince = now();
    twin.receive(FOREIGN_SETTINGS);
  };
  const pullOut = async () => {
    countFault(report, 'unplug');
    const isMidway = random() < 0.5;
    const reading = isMidway ? attempt('reading while unplugged', readAll) : undefined;
    await clock.sleep(5 * random());
    pipe.unplug();
    await clock.sleep(LONGEST_AWAY_MS * random());
    twin.powerUp();
    wrongSince = undefined;
    pipe.plug();
    await reading;
  };
  const readsWithin = async (ms: number): Promise<boolean> => {
    const startedAt = now();
    while (now() - startedAt < ms) {
      if (await attempt('recovery', readAll)) return true;
      await clock.sleep(100);
    }
    return false;
  };
  const recover = async () => {
    if (!(await readsWithin(FAULTED_RECOVERY_MS))) {
      twin.faultEach(undefined);
      if (!(await readsWithin(SOUND_RECOVERY_MS))) report.unrecovered += 1;
      else report.recovered += 1;
      twin.faultEach(drawAndCount);
      return;
    }
    report.recovered += 1;
  };
  const step = async () => {
    const kind = random();
    if (kind < 0.015) await pullOut();
    else if (kind < 0.02) disturb();
    else {
      const [name, work] =
        kind < 0.6
          ? (['readAll', readAll] as const)
          : kind < 0.9
            ? (['readMany', readMany] as const)
            : (['verify', verify] as const);
      if (!(await attempt(name, work))) await recover();
    }
    // Sometimes at once, sometimes with the chip at rest, so that late reports meet both.
    if (random() < 0.3) await clock.sleep(50 * random());
  };

  await steppedThrough(clock, async () => {
    adc.keepOpen();
    while (adc.statistics.requests < options.exchanges) await step();
    twin.faultEach(undefined);
    await clock.sleep(LATEST_MS);
    await adc.close();
    report.exchanges = adc.statistics.requests;
  });
  // What the twin still has on its way is its own.
  twin.powerUp();
  report.pendingTimers = clock.pending;
  if (pipe.listeners > 0) report.unexpected.push(`${pipe.listeners} listeners left`);
  return report;
}
