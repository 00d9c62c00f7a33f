import type { DeviceError } from '../../devices/device-error.ts';
import type { Direction, Motion, TicStatus } from '../../devices/tic/driver.ts';
import type { TicFault } from '../../devices/tic/fault.ts';
import { ticInMemory } from '../../devices/tic/in-memory.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { counted, countFault, noStress, type StressReport, steppedThrough } from './stress-report.ts';

export interface TicStressReport extends StressReport {
  /** Motions that were confirmed as begun, and those that ended as they should. */
  starts: number;
  ends: number;
}

const EXPECTED = new Set([
  'device_timeout',
  'corrupt_response',
  'device_error',
  'device_unavailable',
  'device_busy',
  'superseded',
  'aborted',
  'lung_start_failed',
  'lung_limits_blocked',
  'lung_low_vin',
]);
const FORBIDDEN = [0x13, 0x10, 0xff];
const READS = [0xa1, 0xa2];

/**
 * Random orders under random faults of the transfers and of the device, each answer compared with what the twin did
 * in truth. Faults are drawn so often that long motions rarely survive.
 */
export async function stressTic(options: { exchanges: number; seed: number }): Promise<TicStressReport> {
  const random = seededRandom(options.seed);
  const rig = ticInMemory({ seed: options.seed, driver: { homingLimitMs: 3000 } });
  const { clock, twin, tic, pipe, events } = rig;
  const report: TicStressReport = { ...noStress(), starts: 0, ends: 0 };
  const truths: { atMs: number; position: number; moving: boolean; energized: boolean }[] = [];
  let faultsOn = true;
  let asks = 0;

  // The truth is taken from the twin at the transfer itself, by its physics and not by its block.
  const { control } = twin;
  twin.control = (setup) => {
    report.exchanges += 1;
    if (FORBIDDEN.includes(setup.request)) report.unexpected.push(`request ${setup.request.toString(16)}`);
    const answer = control.call(twin, setup);
    if (READS.includes(setup.request)) {
      const { velocity, energized } = twin.motion;
      const moving = Math.round(10_000 * velocity) !== 0;
      truths.push({ atMs: clock.monotonic(), position: twin.counter, moving, energized });
    }
    return answer;
  };
  const draw = counted(report, () => (faultsOn ? drawFault(random) : {}));
  twin.faultEach(draw);

  const failed = (error: DeviceError) => {
    if (!EXPECTED.has(error.code)) report.unexpected.push(`${error.code} ${error.message}`);
  };
  const isSafe = () => {
    const { velocity, energized } = twin.motion;
    return velocity === 0 && !energized;
  };
  /** A reading is the truth of one moment since it was asked for, never of one before. */
  const compare = (askedMs: number, { position, moving, energized }: TicStatus) => {
    const isTrue = truths.some(
      (truth) =>
        truth.atMs >= askedMs &&
        truth.position === position &&
        truth.moving === moving &&
        truth.energized === energized,
    );
    if (!isTrue) report.wrongValues += 1;
  };
  const read = async () => {
    const askedMs = clock.monotonic();
    compare(askedMs, await tic.status());
  };
  const stop = async () => {
    const askedMs = clock.monotonic();
    compare(askedMs, await tic.stop());
    if (!isSafe()) report.falseConfirmations += 1;
  };

  /** "Started" is true when motion was there since it was asked for; an end without `hold` when nothing has current. */
  const follow = async (
    start: Promise<Motion>,
    expected: { way?: number; hold?: boolean; rests?: boolean },
  ) => {
    const askedMs = clock.monotonic();
    const from = twin.counter;
    let motion: Motion;
    try {
      motion = await start;
    } catch (error) {
      failed(error as DeviceError);
      // The stop that superseded it is still on its way.
      if ((error as DeviceError).code === 'superseded') return;
      if (!tic.isBusy && tic.state === 'open' && !isSafe()) report.falseConfirmations += 1;
      return;
    }
    const since = truths.filter(({ atMs }) => atMs >= askedMs);
    const hasBegun = since.some(({ moving, position, energized }) =>
      expected.rests ? energized : moving || position !== from,
    );
    if (!hasBegun) report.falseConfirmations += 1;
    void motion.ended.then((end) => {
      if (end.error) failed(end.error);
      const { way, hold } = expected;
      const target = way === undefined ? undefined : motion.from + way;
      if (end.reason !== 'arrived' && end.reason !== 'limit') return;
      if (end.reason === 'arrived' && target !== undefined && twin.counter !== target)
        report.falseConfirmations += 1;
      if (!hold && !isSafe()) report.falseConfirmations += 1;
      report.ends += 1;
    });
    report.starts += 1;
    // Some motions are waited for, some are left to themselves.
    if (random() < 0.7) await Promise.race([motion.ended, clock.sleep(6000)]);
    else await clock.sleep(random() * 1500);
  };

  const order = async () => {
    asks += 1;
    const kind = random();
    const direction: Direction = random() < 0.5 ? 'forward' : 'reverse';
    const speed = Math.ceil(20_000_000 * random());
    if (kind < 0.3) await read().catch(failed);
    else if (kind < 0.6) {
      const steps = Math.ceil(800 * random());
      const way = direction === 'forward' ? steps : -steps;
      const hold = random() < 0.3;
      await follow(tic.move({ steps, speed, direction, hold, acceleration: 200_000 }), { way, hold });
    } else if (kind < 0.7) await follow(tic.velocity({ speed, direction }), {});
    else if (kind < 0.75) await follow(tic.home({ direction }), {});
    else if (kind < 0.8) await follow(tic.energize(), { hold: true, rests: true });
    else if (kind < 0.9) await stop().catch(failed);
    else {
      // A stop in the middle of a start, and callers that crowd in.
      const told = (promise: Promise<unknown>) =>
        promise.then(
          () => true,
          (error: DeviceError) => {
            failed(error);
            return false;
          },
        );
      const start = told(tic.move({ steps: 400, speed, direction }));
      const crowd = [told(tic.status()), told(tic.status())];
      await clock.sleep(random() * 30);
      const stopped = await told(stop());
      await Promise.all([start, ...crowd]);
      if (stopped && !isSafe()) report.falseConfirmations += 1;
      await clock.sleep(500);
      if (stopped && !isSafe()) report.falseConfirmations += 1;
    }
  };

  const disturb = () => {
    const kind = random();
    if (kind < 0.82) return;
    if (kind < 0.84) {
      countFault(report, 'unplug');
      twin.knobs.patch({ unplug: true });
      clock.after(random() * 8000, () => twin.knobs.patch({ unplug: false }));
      return;
    }
    const patches: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['kill_switch', { kill_switch: true }, { kill_switch: false }],
      ['low_vin', { vin_mv: 9000 }, { vin_mv: null }],
      ['no_vin', { vin_mv: 3000 }, { vin_mv: null }],
      ['driver_error', { driver_error: 'over_current' }, { driver_error: 'none' }],
      ['no_motion', { no_motion: true }, { no_motion: false }],
      ['forward_limit', { forward_limit: true }, { forward_limit: false }],
      ['reverse_limit', { reverse_limit: true }, { reverse_limit: false }],
      ['safe_start', { safe_start: false }, { safe_start: true }],
    ];
    const [name, on, off] = patches[Math.floor(random() * patches.length)] ?? patches[0] ?? ['', {}, {}];
    countFault(report, name);
    twin.knobs.patch(on);
    clock.after(random() * 1500, () => twin.knobs.patch(off));
  };

  /** Once the faults are over, a stop and a reading work within the time of a re-opening. */
  const recover = async () => {
    faultsOn = false;
    await clock.sleep(15_000);
    try {
      await stop();
      await read();
      report.recovered += 1;
    } catch {
      report.unrecovered += 1;
    }
    faultsOn = true;
  };

  await steppedThrough(clock, async () => {
    faultsOn = false;
    await tic.open();
    faultsOn = true;
    while (report.exchanges < options.exchanges) {
      disturb();
      await order();
      events.length = 0;
      truths.length = 0;
      if (asks % 40 === 0) await recover();
    }
    await recover();
    faultsOn = false;
    await tic.close();
  });
  await clock.advance(10_000);
  report.pendingTimers = clock.pending + pipe.owed;
  return report;
}

function drawFault(random: Random): TicFault {
  if (random() >= 0.02) return {};
  const kind = random();
  if (kind < 0.2) return { stall: true };
  if (kind < 0.45) return { late_ms: 100 + 1700 * random() };
  if (kind < 0.55) return { late_ms: 20 * random() };
  if (kind < 0.65) return { silent: true };
  if (kind < 0.8) return { short: Math.floor(90 * random()) };
  return { corrupt: (['zeros', 'ones', 'noise'] as const)[Math.floor(3 * random())] ?? 'zeros' };
}
