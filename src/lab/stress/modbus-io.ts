import type { DeviceError } from '../../devices/device-error.ts';
import { modbusIoInMemory } from '../../devices/modbus-io/in-memory.ts';
import type { RtuFault } from '../../devices/modbus-rtu/fault.ts';
import type { LineStatistics } from '../../devices/modbus-rtu/statistics.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { countFault, noStress, type StressReport, steppedThrough } from './stress-report.ts';

export interface StressOptions {
  /** Requests on the line, at least. */
  exchanges: number;
  seed: number;
  /** Quiet time of the line, milliseconds, when it is not to be the driver's own. */
  turnaroundMs?: number;
  /** How long stray replies are reckoned with, milliseconds, when it is not to be the driver's own. */
  strayMs?: number;
  /** How late an answer may be, milliseconds. Default 690: just within the turnaround limit of the device. */
  latestMs?: number;
  /** Pull the plug now and then. Default true. */
  unplugs?: boolean;
}

export interface RtuStressReport extends StressReport {
  /** Requests begun while the device still owed an answer: on RS-485 both would be lost. */
  collisions: number;
  /** Late replies that the trace shows as thrown away. */
  lateInTrace: number;
  statistics: LineStatistics;
}

/** A fault and the longest back-off behind a pulled plug, with more faults on the way. Stepped milliseconds. */
const RECOVERY_MS = 20_000;

const EXPECTED_CODES = [
  'device_timeout',
  'corrupt_response',
  'valve_unverified',
  'superseded',
  'device_unavailable',
];

/** 5 % late, 2 % each doubled, repeated 4 to 400 ms later, early and truncated, 1 % each of corrupt, foreign, silent and deaf, one by one so that they mix. */
function drawFault(random: Random, latestMs: number): RtuFault {
  const fault: RtuFault = {};
  if (random() < 0.05) fault.late_ms = 500 + (latestMs - 500) * random();
  if (random() < 0.02) fault.doubled = true;
  if (random() < 0.02) fault.repeat_after_ms = 4 + 396 * random();
  if (random() < 0.02) fault.early = true;
  if (random() < 0.02) fault.truncate = Math.floor(8 * random());
  if (random() < 0.01) fault.bad_crc = true;
  if (random() < 0.01) fault.foreign = true;
  if (random() < 0.01) fault.silent = true;
  if (random() < 0.01) fault.deaf = true;
  return fault;
}

/**
 * Random work on the valves under random faults, compared after each step with what the twin's outputs are in truth.
 * Outputs are also moved behind the driver's back, so that an old reading is a wrong one. All on a stepped clock: the
 * same seed gives the same run.
 */
export async function stressRtu(options: StressOptions): Promise<RtuStressReport> {
  const random = seededRandom(options.seed);
  let lateInTrace = 0;
  const { clock, twin, line, io, events, pipe } = await modbusIoInMemory({
    seed: options.seed,
    line: {
      ...(options.turnaroundMs === undefined ? {} : { turnaroundMs: options.turnaroundMs }),
      ...(options.strayMs === undefined ? {} : { strayMs: options.strayMs }),
      trace: ({ note }) => {
        if (note === 'late reply thrown away') lateInTrace += 1;
      },
    },
  });
  const report = noStress();
  let open: number[] = [];

  const made = (kind: string) => {
    countFault(report, kind);
    open.push(clock.monotonic());
  };
  const succeeded = () => {
    const now = clock.monotonic();
    for (const since of open) report[now - since <= RECOVERY_MS ? 'recovered' : 'unrecovered'] += 1;
    open = [];
  };
  const failed = (error: DeviceError) => {
    if (!EXPECTED_CODES.includes(error.code)) report.unexpected.push(`${error.code} ${error.message}`);
  };

  const read = () =>
    io.readOutputs().then((seen) => {
      if (seen.join() !== twin.coils.join()) report.wrongValues += 1;
      else succeeded();
    }, failed);
  const set = (coil: number, on: boolean) =>
    io.setOutput(coil, on).then(() => {
      if (twin.coils[coil] !== on) report.falseConfirmations += 1;
      else succeeded();
    }, failed);
  const allOff = (priority: 'normal' | 'safe') =>
    io.allOff({ priority, deadlineMs: 10_000 }).then(() => {
      if (twin.coils.some((on) => on)) report.falseConfirmations += 1;
      else succeeded();
      return true;
    }, failed);

  /** A safe state in the middle of an opening: whatever becomes of the opening, it is not open afterwards. */
  const safeDuringOpening = async (coil: number) => {
    const opening = io.setOutput(coil, true).catch(failed);
    await clock.sleep(random() * 20);
    const isSafe = await allOff('safe');
    await opening;
    if (isSafe && twin.coils.some((on) => on)) report.falseConfirmations += 1;
  };
  /** Out in the middle of a reading, and in again some time later. */
  const unplug = async () => {
    const reading = read();
    await clock.sleep(random() * 20);
    made('unplug');
    pipe.unplug();
    await reading;
    await read();
    await clock.sleep(random() * 3000);
    pipe.plug();
    while (line.state !== 'open') await clock.sleep(10);
  };
  const step = async () => {
    const coil = Math.floor(8 * random());
    const on = random() < 0.5;
    const kind = random();
    if (kind < 0.4) await read();
    else if (kind < 0.8) await set(coil, on);
    else if (kind < 0.85) await allOff('normal');
    else if (kind < 0.9) await Promise.all([set(coil, on), set((coil + 1) % 8, on)]);
    else if (kind < 0.94) await safeDuringOpening(coil);
    else if (kind < 0.99 && options.unplugs !== false) await unplug();
    else twin.force(coil, on);
    if (random() < 0.1) twin.force(Math.floor(8 * random()), random() < 0.5);
    twin.knobs.patch({ coil_stuck: random() < 0.02 ? [coil] : [] });
  };

  twin.slave.faultEach(() => {
    const fault = drawFault(random, options.latestMs ?? 690);
    for (const kind of Object.keys(fault)) made(kind);
    return fault;
  });
  await steppedThrough(clock, async () => {
    while (line.statistics.requests < options.exchanges) {
      await step();
      events.length = 0;
    }
    // Without faults everything works again at once; what has not recovered by then never does.
    twin.slave.faultEach(undefined);
    twin.knobs.reset();
    await clock.sleep(6000);
    await set(0, true);
    await read();
    report.unrecovered += open.length;
  });
  await line.close();
  twin.slave.reset();
  return {
    ...report,
    exchanges: line.statistics.requests,
    collisions: twin.slave.collisions,
    lateInTrace,
    pendingTimers: clock.pending,
    statistics: line.statistics,
  };
}
