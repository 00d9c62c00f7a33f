import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { failure } from '../failure.ts';
import type { RtuFault } from '../modbus-rtu/fault.ts';
import type { RtuTraceEvent } from '../modbus-rtu/trace.ts';
import { modbusIoInMemory } from './in-memory.ts';

const test = suite('modbus-io and replies to earlier requests');

/** The board on its line, with what was sent to it. */
async function board(options: { turnaroundMs?: number; attempts?: number } = {}) {
  const trace: RtuTraceEvent[] = [];
  const { attempts, ...times } = options;
  const line = { attempts, trace: (event: RtuTraceEvent) => void trace.push(event) };
  const bench = await modbusIoInMemory({ ...times, line });
  const sent = () =>
    trace.flatMap(({ kind, atMs, bytes, note }) =>
      kind === 'sent' ? [{ atMs, functionCode: bytes?.[1], isAhead: note !== undefined }] : [],
    );
  const functions = () => sent().map(({ functionCode }) => functionCode);
  /** A fault and its quiet time, so that the line is suspect. */
  const upset = async () => {
    bench.twin.slave.faultOnce({ bad_crc: true });
    await bench.step(bench.io.readOutputs());
  };
  const { clock, io, twin, step } = bench;
  /** Reads until `ms` have passed; every reading that is given must be true. */
  const readsTruly = async (ms: number, what: string) => {
    const endsAt = clock.monotonic() + ms;
    let readings = 0;
    while (clock.monotonic() < endsAt) {
      const seen = await step(io.readOutputs().catch(() => undefined));
      if (seen === undefined) continue;
      readings += 1;
      assert.equal(seen, twin.coils, what);
      await clock.advance(7);
    }
    assert.ok(readings > 0, `${what}: no reading at all`);
  };
  return { ...bench, trace, sent, functions, upset, readsTruly };
}

const range = (from: number, to: number, by: number): number[] =>
  Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);

test('DEV-048 a reply that comes before the line can have carried it is refused as early, and the line is left alone', async () => {
  const { io, twin, line, step, sent, trace } = await board();
  await step(io.start());
  twin.slave.faultOnce({ early: true });
  const before = sent().length;
  twin.force(2, true);
  assert.equal(await step(io.readOutputs()), twin.coils);
  assert.is(line.statistics.early, 1);
  const [first, second] = sent().slice(before);
  assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 700);
  assert.ok(trace.some(({ kind, note }) => kind === 'discarded' && note?.startsWith('early')));
});

test('DEV-048 the error of an early reply names the bit rate and pseudo-terminals', async () => {
  const { io, twin, step } = await board();
  twin.knobs.patch({ early: true });
  const error = await step(failure(io.readOutputs()));
  assert.equal([error.code, error.reason, error.sent], ['corrupt_response', 'early', true]);
  assert.match(error.message, /sooner than 19200 bit\/s can carry a reply.*pacing=none/);
});

test('DEV-049 behind a fault a reply that comes again 4 to 400 ms later is never taken for the next reading', async () => {
  for (const repeat_after_ms of range(4, 400, 0.75)) {
    const { io, twin, step, upset, readsTruly } = await board();
    await step(io.start());
    await upset();
    twin.slave.faultOnce({ repeat_after_ms });
    await step(io.readOutputs());
    twin.force(3, true);
    await readsTruly(60, `repeated after ${repeat_after_ms} ms`);
  }
});

test('DEV-049 behind a fault a repeated echo or reading never confirms the same command to a stuck output', async () => {
  for (const repeat_after_ms of range(4, 80, 0.75)) {
    for (const faults of [
      [{ repeat_after_ms }, {}],
      [{}, { repeat_after_ms }],
    ]) {
      const { io, twin, step, upset } = await board();
      await step(io.start());
      await upset();
      twin.slave.faultOnce(...faults);
      await step(io.setOutput(3, true));
      twin.force(3, false);
      twin.knobs.patch({ coil_stuck: [3] });
      const end = await step(failure(io.setOutput(3, true)));
      assert.is(end.code, 'valve_unverified', `repeated after ${repeat_after_ms} ms`);
    }
  }
});

test('DEV-049 a sound line pays nothing: one exchange for a reading, two for a switched output', async () => {
  const { io, step, functions } = await board();
  await step(io.start());
  const before = functions().length;
  await step(io.readOutputs());
  await step(io.readOutputs());
  await step(io.setOutput(1, true));
  await step(io.allOff({ priority: 'safe' }));
  assert.equal(functions().slice(before), [1, 1, 5, 1, 5, 1]);
});

test('DEV-049 ten seconds behind its last fault a line pays nothing again', async () => {
  const { io, clock, step, upset, functions } = await board();
  await step(io.start());
  await upset();
  await step(io.readOutputs());
  await clock.advance(10_001);
  const before = functions().length;
  await step(io.readOutputs());
  await step(io.readOutputs());
  assert.equal(functions().slice(before), [1, 1]);
});

/** Of a slow board: a reply to an earlier request has so long to come before its own, milliseconds. */
const SLOW_MS = 40;

test('DEV-059 the reply to a one-coil read that comes 1.8 to 3 s late is never taken for the eight outputs', async () => {
  for (const stray_ms of range(1800, 3000, 80)) {
    for (const aheadMs of range(4, 64, 12)) {
      const { io, twin, clock, step } = await board({ turnaroundMs: SLOW_MS });
      await step(io.start());
      await clock.advance(10_000);
      twin.force(2, true);
      twin.force(5, true);
      twin.slave.faultOnce({ stray_ms }, { deaf: true });
      const comesAtMs = clock.monotonic() + stray_ms + SLOW_MS;
      assert.is((await step(failure(io.probe()))).code, 'device_timeout');
      await clock.advance(comesAtMs - aheadMs - clock.monotonic());
      assert.equal(
        await step(io.readOutputs()),
        twin.coils,
        `${stray_ms} ms late, asked ${aheadMs} ms before`,
      );
    }
  }
});

test('DEV-059 a late reading of all off never verifies a safe state with a stuck output', async () => {
  for (const aheadMs of range(10, 160, 6)) {
    const { io, twin, clock, step } = await board({ turnaroundMs: SLOW_MS });
    await step(io.start());
    await clock.advance(10_000);
    twin.slave.faultOnce({ stray_ms: 2500 }, { deaf: true });
    const comesAtMs = clock.monotonic() + 2500 + SLOW_MS;
    await step(failure(io.readOutputs()));
    twin.force(4, true);
    twin.knobs.patch({ coil_stuck: [4] });
    await clock.advance(comesAtMs - aheadMs - clock.monotonic());
    const end = await step(failure(io.allOff({ priority: 'safe' })));
    assert.is(end.code, 'valve_unverified', `asked ${aheadMs} ms before`);
  }
});

test('DEV-032 DEV-059 a late exception to the output modes is not taken for a board without them', async () => {
  for (const aheadMs of range(10, 160, 6)) {
    const { io, twin, clock, step } = await board({ turnaroundMs: SLOW_MS });
    await step(io.probe());
    await clock.advance(10_000);
    twin.knobs.patch({ modes: null });
    twin.slave.faultOnce({}, { stray_ms: 2500 }, { deaf: true });
    const startedAtMs = clock.monotonic();
    await step(failure(io.start()));
    twin.knobs.patch({ modes: [0, 0, 1, 0, 0, 0, 0, 0] });
    // The question for the modes went out behind the answer to the first one.
    await clock.advance(startedAtMs + 2500 + 2 * SLOW_MS + 15 - aheadMs - clock.monotonic());
    await step(io.start());
    assert.match(String(io.modeFault), /output 2: 1/, `asked ${aheadMs} ms before`);
  }
});

test('DEV-059 the reading that verifies a safe state has another question ahead of it always', async () => {
  const { io, step, functions } = await board();
  await step(io.start());
  await step(io.readOutputs());
  const before = functions().length;
  await step(io.readOutputs({ priority: 'safe' }));
  assert.equal(functions().slice(before), [2, 1]);
});

test('DEV-032 DEV-059 a late exception to the output modes is not taken for a board without them', async () => {
  for (const stray_ms of range(1000, 3000, 97)) {
    const { io, twin, clock, step } = await board();
    twin.knobs.patch({ modes: null });
    twin.slave.faultOnce({}, { stray_ms }, { stray_ms: stray_ms + 9 });
    await step(io.start().catch(() => {}));
    twin.knobs.patch({ modes: [0, 0, 1, 0, 0, 0, 0, 0] });
    const endsAt = clock.monotonic() + stray_ms;
    while (clock.monotonic() < endsAt) {
      const hasStarted = await step(
        io.start().then(
          () => true,
          () => false,
        ),
      );
      if (hasStarted) assert.match(String(io.modeFault), /output 2: 1/, `${stray_ms} ms late`);
      await clock.advance(5);
    }
  }
});

test('DEV-059 readings that contradict each other too long are an error, not a value', async () => {
  const { io, twin, step, upset, line } = await board();
  await step(io.start());
  await upset();
  let on = false;
  twin.slave.faultEach((): RtuFault => {
    on = !on;
    // Each answer is another one.
    for (let coil = 0; coil < 8; coil++) twin.force(coil, ((line.statistics.requests >> coil) & 1) === 1);
    return {};
  });
  const error = await step(failure(io.readOutputs()));
  assert.equal([error.code, error.reason, error.device], ['corrupt_response', 'unproven', 'modbus-io']);
});

test('DEV-050 behind a lost reply all-off is on the wire at once, again, and counts after the quiet time', async () => {
  const { io, twin, clock, step, sent, line } = await board();
  await step(io.start());
  await step(io.setOutput(6, true));
  twin.slave.faultOnce({ deaf: true });
  const opening = failure(io.setOutput(1, true));
  await clock.advance(600);
  const askedAtMs = clock.monotonic();
  const before = sent().length;
  const off = io.allOff({ priority: 'safe' });
  await clock.advance(10);
  assert.equal(twin.coils, new Array<boolean>(8).fill(false));
  await step(Promise.all([opening, off]));
  const [first, ...later] = sent().slice(before);
  assert.ok(first?.isAhead && first.atMs - askedAtMs <= 2, JSON.stringify(first));
  assert.ok(later[0]?.isAhead);
  const confirmed = later.filter(({ isAhead }) => !isAhead);
  // The quiet time began with the time-out, and the echoes of what was sent ahead do not begin it again.
  const waitedMs = (confirmed[0]?.atMs ?? 0) - askedAtMs;
  assert.ok(waitedMs >= 600 && waitedMs < 650, JSON.stringify(confirmed));
  assert.equal(
    confirmed.slice(0, 2).map(({ functionCode }) => functionCode),
    [5, 1],
  );
  assert.is(line.statistics.sentAhead, later.filter(({ isAhead }) => isAhead).length + 1);
});

test('DEV-049 DEV-059 a copy of a reply that came late is not taken for the next reading either', async () => {
  for (const repeat_after_ms of range(280, 400, 5))
    for (const late_ms of range(880, 960, 20)) {
      const { io, twin, clock, step, readsTruly } = await board({ attempts: 1 });
      await step(io.start());
      await clock.advance(20_000);
      for (let coil = 0; coil < 8; coil++) twin.force(coil, true);
      twin.slave.faultOnce({ late_ms, repeat_after_ms });
      const first = io.readOutputs().catch(() => undefined);
      await clock.advance(600);
      for (let coil = 0; coil < 8; coil++) twin.force(coil, false);
      await step(first);
      await readsTruly(1500, `late by ${late_ms} ms, repeated after ${repeat_after_ms} ms`);
    }
});

test('DEV-050 an all-off that was lost on a sound line is sent again as soon as its echo is missing', async () => {
  const { io, twin, step, sent } = await board();
  await step(io.start());
  await step(io.setOutput(6, true));
  twin.slave.faultOnce({ deaf: true });
  const before = sent().length;
  await step(io.allOff({ priority: 'safe' }));
  const [lost, again] = sent().slice(before);
  assert.equal([lost?.functionCode, again?.functionCode, again?.isAhead], [5, 5, true]);
  // The reply time-out of 500 ms, and 3.5 characters.
  assert.ok((again?.atMs ?? 0) - (lost?.atMs ?? 0) < 510, JSON.stringify([lost, again]));
  assert.equal(twin.coils, new Array<boolean>(8).fill(false));
});

test('DEV-050 behind bytes that were not asked for all-off is on the wire at once as well', async () => {
  const { io, pipe, clock, step, sent } = await board();
  await step(io.start());
  await clock.advance(50);
  pipe.send(Uint8Array.of(1, 1, 1, 0, 0x51, 0x88));
  const askedAtMs = clock.monotonic();
  const before = sent().length;
  await step(io.allOff({ priority: 'safe' }));
  const [first] = sent().slice(before);
  assert.ok(first?.isAhead && first.atMs - askedAtMs < 2.1, JSON.stringify(first));
});

test('DEV-050 a board that answers late and then obeys what was sent ahead is not spoken over', async () => {
  const { io, twin, clock, step, sent, line } = await board();
  await step(io.start());
  twin.slave.faultOnce({ late_ms: 60 });
  const opening = failure(io.setOutput(1, true));
  await clock.advance(5);
  await step(io.allOff({ priority: 'safe' }));
  assert.is((await step(opening)).code, 'superseded');
  assert.is(line.statistics.sentAhead, 1);
  assert.is(line.statistics.corrupt, 0);
  assert.ok(
    sent().every(({ atMs }) => atMs < 400),
    JSON.stringify(sent()),
  );
});

test('DEV-050 what was sent ahead confirms nothing: a stuck output is still reported', async () => {
  const { io, twin, clock, step } = await board();
  await step(io.start());
  twin.force(4, true);
  twin.knobs.patch({ coil_stuck: [4] });
  twin.slave.faultOnce({ silent: true });
  const reading = failure(io.readOutputs());
  await clock.advance(520);
  const end = failure(io.allOff({ priority: 'safe' }));
  await step(reading);
  assert.is((await step(end)).code, 'valve_unverified');
});

test('DEV-044 DEV-050 a reply that is on its way is waited for: nothing is sent ahead on a sound line', async () => {
  const { io, clock, step, sent, line } = await board();
  await step(io.start());
  const before = sent().length;
  const reading = failure(io.readOutputs());
  await clock.advance(3);
  const askedAtMs = clock.monotonic();
  await step(io.allOff({ priority: 'safe' }));
  assert.is((await reading).code, 'superseded');
  assert.is(line.statistics.sentAhead, 0);
  assert.equal(
    sent()
      .slice(before)
      .map(({ functionCode }) => functionCode),
    [1, 5, 1],
  );
  assert.ok((sent()[before + 1]?.atMs ?? 0) - askedAtMs < 15);
});

test('DEV-050 only all-off is sent ahead: an output that is switched on waits for the quiet time', async () => {
  const { io, twin, clock, step, sent } = await board();
  await step(io.start());
  twin.slave.faultOnce({ silent: true });
  const reading = io.readOutputs();
  await clock.advance(520);
  const before = sent().length;
  const opening = io.setOutput(1, true);
  await clock.advance(600);
  assert.ok(
    sent()
      .slice(before)
      .every(({ functionCode }) => functionCode !== 5),
  );
  await step(Promise.all([reading, opening]));
});

test.run();
