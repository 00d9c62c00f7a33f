import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import type { DeviceError } from '../device-error.ts';
import type { RtuFault } from '../modbus-rtu/fault.ts';
import { modbusIoInMemory } from './in-memory.ts';

const test = suite('modbus-io under faults');

/** 5 % late, 2 % doubled, 2 % truncated, 1 % corrupt, 1 % foreign, 1 % silent, drawn one by one so that they mix. */
function drawFault(random: Random, latestMs: number): RtuFault {
  const fault: RtuFault = {};
  if (random() < 0.05) fault.late_ms = 500 + (latestMs - 500) * random();
  if (random() < 0.02) fault.doubled = true;
  if (random() < 0.02) fault.truncate = Math.floor(8 * random());
  if (random() < 0.01) fault.bad_crc = true;
  if (random() < 0.01) fault.foreign = true;
  if (random() < 0.01) fault.silent = true;
  return fault;
}

const EXPECTED_CODES = ['device_timeout', 'corrupt_response', 'valve_unverified', 'superseded'];

/**
 * Random work on the valves under random faults, compared after each step with what the twin's outputs are in truth.
 * Outputs are also moved behind the driver's back, so that an old reading is a wrong one.
 */
async function torture(options: {
  transactions: number;
  seed: number;
  /** Quiet time of the line, when it is not to be the driver's own. */
  turnaroundMs?: number;
  /** How late an answer may be; default just within the turnaround limit of the device. */
  latestMs?: number;
}) {
  const random = seededRandom(options.seed);
  const quiet = options.turnaroundMs === undefined ? {} : { turnaroundMs: options.turnaroundMs };
  const { clock, twin, line, io, events } = await modbusIoInMemory({ seed: options.seed, line: quiet });
  const tally = {
    steps: 0,
    wrongValues: 0,
    falseConfirmations: 0,
    movedAfterSafe: 0,
    unexpected: [] as string[],
    failed: 0,
  };

  const note = (error: DeviceError) => {
    tally.failed += 1;
    if (!EXPECTED_CODES.includes(error.code)) tally.unexpected.push(`${error.code} ${error.message}`);
  };
  const readAndCompare = () =>
    io.readOutputs().then((seen) => {
      if (seen.join() !== twin.coils.join()) tally.wrongValues += 1;
    }, note);
  const setAndCompare = (coil: number, on: boolean) =>
    io.setOutput(coil, on).then(() => {
      if (twin.coils[coil] !== on) tally.falseConfirmations += 1;
    }, note);
  const allOffAndCompare = (priority: 'normal' | 'safe') =>
    io.allOff({ priority, deadlineMs: 10_000 }).then(() => {
      if (twin.coils.some((on) => on)) tally.falseConfirmations += 1;
    }, note);

  const step = async () => {
    const coil = Math.floor(8 * random());
    const on = random() < 0.5;
    const kind = random();
    if (kind < 0.4) await readAndCompare();
    else if (kind < 0.8) await setAndCompare(coil, on);
    else if (kind < 0.85) await allOffAndCompare('normal');
    else if (kind < 0.9) await Promise.all([setAndCompare(coil, on), setAndCompare((coil + 1) % 8, on)]);
    else if (kind < 0.95) {
      // A safe state in the middle of an opening: whatever becomes of the opening, it is not open afterwards.
      const opening = io.setOutput(coil, true).catch(note);
      await clock.sleep(random() * 20);
      const safe = await io.allOff({ priority: 'safe', deadlineMs: 10_000 }).then(
        () => true,
        (error: DeviceError) => {
          note(error);
          return false;
        },
      );
      await opening;
      if (safe && twin.coils.some((isOn) => isOn)) tally.movedAfterSafe += 1;
    } else twin.force(coil, on);
    if (random() < 0.1) twin.force(Math.floor(8 * random()), random() < 0.5);
    twin.knobs.patch({ coil_stuck: random() < 0.02 ? [coil] : [] });
  };

  twin.slave.faultEach(() => drawFault(random, options.latestMs ?? 690));
  let done = false;
  const work = (async () => {
    while (line.statistics.requests < options.transactions) {
      await step();
      tally.steps += 1;
      events.length = 0;
    }
    // Recovery: without faults everything works again at once.
    twin.slave.faultOnce();
    done = true;
  })();
  while (!done) await clock.advance(1000);
  await work;
  twin.slave.reset();
  twin.knobs.reset();
  const settle = io.setOutput(0, true).then(() => io.readOutputs());
  let recovered: boolean[] = [];
  void settle.then((outputs) => {
    recovered = outputs;
  });
  await clock.advance(5000);
  await line.close();
  return {
    ...tally,
    recovered,
    statistics: line.statistics,
    collisions: twin.slave.collisions,
    pending: clock.pending,
  };
}

test('DEV-030 DEV-031 DEV-029 10000 transactions under faults: no wrong value, no false confirmation', async () => {
  const result = await torture({ transactions: 10_000, seed: 20_250_115 });
  assert.is(result.wrongValues, 0);
  assert.is(result.falseConfirmations, 0);
  assert.is(result.movedAfterSafe, 0);
  assert.equal(result.unexpected, []);
  // The device is never spoken to while it owes an answer: on RS-485 that would destroy both.
  assert.is(result.collisions, 0);
  assert.is(result.recovered[0], true);
  assert.is(result.pending, 0);
  // The faults were really there.
  assert.ok(result.statistics.requests >= 10_000);
  assert.ok(result.statistics.lateFrames > 50, JSON.stringify(result.statistics));
  assert.ok(result.statistics.corrupt > 100, JSON.stringify(result.statistics));
});

test('DEV-030 answers later than the turnaround limit, up to 1190 ms, are not taken either', async () => {
  const result = await torture({ transactions: 3000, seed: 7, latestMs: 1190 });
  assert.is(result.wrongValues, 0);
  assert.is(result.falseConfirmations, 0);
  assert.is(result.movedAfterSafe, 0);
});

test('the same faults without the quiet time are found out: late replies are taken', async () => {
  const result = await torture({ transactions: 3000, seed: 20_250_115, turnaroundMs: 0 });
  assert.ok(result.wrongValues + result.falseConfirmations + result.collisions > 0, JSON.stringify(result));
  assert.ok(result.wrongValues > 0, 'a late reading was taken for the next one');
});

test('DEV-047 the same seed gives the same run', async () => {
  const [first, second] = [
    await torture({ transactions: 500, seed: 3 }),
    await torture({ transactions: 500, seed: 3 }),
  ];
  assert.equal(first, second);
});

test.run();
