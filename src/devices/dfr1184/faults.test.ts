import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import type { DeviceError } from '../device-error.ts';
import { dfr1184InMemory } from './in-memory.ts';
import { type Dfr1184Knobs, dfr1184KnobsSchema } from './knobs.ts';
import { PROBE } from './protocol.ts';

const test = suite('dfr1184 under faults');

/** An open module in step with its driver, which knows that the module shows its selection. */
async function bench() {
  const rig = dfr1184InMemory();
  const written: { frame: string; atMs: number }[] = [];
  rig.pipe.onWritten((bytes) => written.push({ frame: hexOf(bytes), atMs: rig.clock.monotonic() }));
  await rig.adc.open();
  await rig.step(rig.adc.read(2));
  written.length = 0;
  const failure = (promise: Promise<unknown>): Promise<DeviceError | undefined> =>
    promise.then(
      () => undefined,
      (error: DeviceError) => error,
    );
  return { ...rig, written, failure };
}

const AT = hexOf(PROBE);

/** What each lasting fault does to a reading, and what the message must say. */
const lasting: [patch: Partial<Dfr1184Knobs>, code: string, reason: string, says: RegExp][] = [
  [{ silent: true }, 'device_timeout', 'no_reply', /no answer to 41 54 0D 0A within 1 s.*DIP switch/],
  [{ dip_i2c: true }, 'device_timeout', 'no_reply', /DIP switch/],
  [{ late_ms: 1500 }, 'device_timeout', 'no_reply', /DIP switch/],
  [{ truncate: 2 }, 'corrupt_response', 'short', /2 bytes/],
  [{ truncate: 0 }, 'device_timeout', 'no_reply', /DIP switch/],
  [{ extra_byte: 0x33 }, 'corrupt_response', 'extra', /exactly/],
  [{ doubled: true }, 'corrupt_response', 'extra', /exactly/],
  [{ foreign: true }, 'corrupt_response', 'extra', /exactly/],
  [{ corrupt: true }, 'corrupt_response', 'not_ok', /check that this port is the ADC module's/],
  [{ stale_byte: 0x00 }, 'corrupt_response', 'stale', /out of step/],
  [{ raw_override: 1_100_001 }, 'corrupt_response', 'range', /AIN1 reads 10 C8 E1 .*11 V/],
  [{ raw_override: 0xff_ffff }, 'corrupt_response', 'range', /FF FF FF/],
];
for (const [patch, code, reason, says] of lasting) {
  test(`DEV-045 DEV-042 ${JSON.stringify(patch)} is ${code}, and the module recovers from it`, async () => {
    const { adc, twin, step, failure, clock } = await bench();
    twin.knobs.patch(patch);
    const error = await step(failure(adc.read(1)));
    assert.equal([error?.code, error?.reason], [code, reason]);
    assert.match(error?.message ?? '', says);
    assert.match(error?.message ?? '', /usb-adc-uart on memory/);
    assert.equal([error?.device, error?.endpoint], ['usb-adc-uart', 'memory']);
    twin.reset();
    assert.is((await step(adc.read(1))).volts, 0.755);
    await adc.close();
    await clock.advance(0);
    assert.is(clock.pending, 0);
  });
}

test('DEV-012 DEV-045 at_error: the probe fails, and a module in step still gives samples', async () => {
  const { adc, twin, step, failure } = await bench();
  twin.knobs.patch({ at_error: true });
  assert.is((await step(adc.read(2))).volts, 0.885);
  const error = await step(failure(adc.probe()));
  assert.equal([error?.code, error?.reason], ['corrupt_response', 'extra']);
  // Out of step now, and no value before an OK.
  assert.is((await step(failure(adc.read(2))))?.reason, 'extra');
  twin.reset();
  assert.is((await step(adc.read(2))).volts, 0.885);
});

test('DEV-045 ain1_v, ain2_v and raw_override set what is read', async () => {
  const { adc, twin, step } = await bench();
  twin.knobs.patch({ ain1_v: 10.5, ain2_v: 0 });
  const first = await step(adc.read(1));
  assert.equal([first.raw, first.overRange], [1_050_000, true]);
  assert.is((await step(adc.read(2))).raw, 0);
  twin.knobs.patch({ raw_override: 1_100_000 });
  assert.is((await step(adc.read(2))).volts, 11);
  assert.is((await step(adc.readText(2))).raw, 1_100_000);
});

test('DEV-045 the twin has every documented knob', () => {
  const listed = ['ain1_v', 'ain2_v', 'silent', 'late_ms', 'truncate', 'stale_byte', 'extra_byte'];
  for (const knob of [...listed, 'raw_override', 'at_error'])
    assert.ok(knob in dfr1184KnobsSchema.shape, knob);
});

const SAMPLE_1 = ['CC 20 01 01', 'BB 20 01', 'BB 31 03'];
const SAMPLE_2 = ['CC 20 01 02', 'BB 20 01', 'BB 31 03'];

test('DEV-016 one bad answer costs a resync and a second sample, not the reading', async () => {
  const { adc, twin, step, written } = await bench();
  twin.faultOnce({}, { extra_byte: 0x0c });
  assert.is((await step(adc.read(1))).volts, 0.755);
  assert.equal(
    written.map(({ frame }) => frame),
    [...SAMPLE_1, AT, ...SAMPLE_1],
  );
  const [, , asked, resync] = written;
  assert.ok((resync?.atMs ?? 0) - (asked?.atMs ?? 0) >= 16 + 100, '100 ms of silence come before AT');
  assert.equal([adc.statistics.repeats, adc.statistics.corrupt], [1, 1]);
});

test('DEV-016 three bad resyncs open the port anew, and the next call starts again', async () => {
  const { adc, twin, pipe, step, failure, written, clock } = await bench();
  const bad = { corrupt: true };
  twin.faultOnce(bad, bad, bad, bad);
  const error = await step(failure(adc.read(1)));
  assert.is(error?.reason, 'not_ok');
  assert.is(written.filter(({ frame }) => frame === AT).length, 3);
  assert.is(adc.state, 'opening');
  await clock.advance(250);
  assert.is(pipe.opens, 2);
  assert.is((await step(adc.read(1))).volts, 0.755);
});

test('an answer that comes after the next request was sent is never taken for its answer', async () => {
  for (const late_ms of [985, 1000, 1100, 1250, 1300, 1500, 2200, 2900]) {
    const { adc, twin, step, volts, failure } = await bench();
    twin.faultOnce({ late_ms });
    volts[1] = 1;
    await step(failure(adc.read(1)));
    volts[1] = 2;
    volts[2] = 3;
    // Either it says that it failed, or it is the truth.
    const seen = await step(
      adc.read(2).then(
        (sample) => sample.volts,
        () => 3,
      ),
    );
    assert.is(seen, 3, `late by ${late_ms}`);
    assert.is((await step(adc.read(1))).volts, 2, `late by ${late_ms}`);
  }
});

test('DEV-016 a second copy that trails a good sample puts a resync before the next one', async () => {
  const { adc, pipe, step, written } = await bench();
  await step(adc.read(1));
  written.length = 0;
  pipe.send(bytesOf('01 26 EC'));
  assert.is((await step(adc.read(2))).volts, 0.885);
  assert.equal(
    written.map(({ frame }) => frame),
    [AT, ...SAMPLE_2],
  );
});

test('DEV-016 bytes between select and read are a fault, not something to throw away in silence', async () => {
  const { adc, pipe, clock, written } = await bench();
  const reading = adc.read(2);
  await clock.advance(17);
  pipe.send(bytesOf('01 26 EC'));
  await clock.advance(500);
  assert.is((await reading).volts, 0.885);
  assert.equal(
    written.map(({ frame }) => frame),
    ['CC 20 01 02', 'BB 20 01', AT, ...SAMPLE_2],
  );
});

test('a line on which bytes never cease is an error that says so, and nothing is sent into it', async () => {
  const { adc, pipe, clock, failure, written } = await bench();
  pipe.send(bytesOf('00'));
  const reading = failure(adc.read(1, { deadlineMs: 10_000 }));
  let ended = false;
  void reading.then(() => {
    ended = true;
  });
  for (let ms = 0; ms < 6000 && !ended; ms += 50) {
    await clock.advance(50);
    pipe.send(bytesOf('55'));
  }
  assert.is((await reading)?.reason, 'not_quiet');
  assert.equal(written, []);
});

test('DEV-043 silence leaves nothing pending, opens the port anew and resyncs before the repetition', async () => {
  const { adc, twin, pipe, step, clock, written } = await bench();
  twin.faultOnce({}, { silent: true });
  assert.is((await step(adc.read(1))).volts, 0.755);
  assert.is(pipe.opens, 2);
  assert.equal(
    written.map(({ frame }) => frame),
    [...SAMPLE_1, AT, ...SAMPLE_1],
  );
  assert.is(clock.pending, 0);
  assert.is(adc.statistics.timeouts, 1);
});

test('the message names the DIP switch also when the deadline of the call comes first', async () => {
  for (const deadlineMs of [10, 500, 1005, 1100, 1250, 2500]) {
    const { adc, twin, step, failure } = await bench();
    twin.knobs.patch({ dip_i2c: true });
    await step(adc.probe({ deadlineMs }).catch(() => {}));
    const error = await step(failure(adc.read(1, { deadlineMs })));
    assert.is(error?.code, 'device_timeout', String(deadlineMs));
    assert.match(error?.message ?? '', /DIP switch/);
  }
});

test('what is wrong is said also when the deadline of the call comes before the last try', async () => {
  const { adc, twin, step, failure } = await bench();
  twin.knobs.patch({ truncate: 2 });
  const error = await step(failure(adc.read(1, { deadlineMs: 2500 })));
  assert.equal([error?.code, error?.reason], ['corrupt_response', 'short']);
  // A call that met no fault of its own is told of none.
  twin.reset();
  const late = await step(failure(adc.read(1, { deadlineMs: 50 })));
  assert.equal([late?.code, late?.reason], ['device_timeout', 'deadline']);
});

test('DEV-042 unplugging ends the exchange at once; the return is noticed within 5 s, without a restart', async () => {
  const { adc, pipe, twin, step, clock, failure } = await bench();
  for (const inTheMiddleMs of [5, 25, 38]) {
    const reading = failure(adc.read(1));
    await clock.advance(inTheMiddleMs);
    pipe.unplug();
    twin.loseSupply();
    await clock.advance(20);
    const error = await reading;
    assert.is(error?.code, 'device_unavailable', `unplugged after ${inTheMiddleMs} ms`);
    assert.is(adc.state, 'absent');
    const meanwhile = await step(failure(adc.read(2)));
    assert.is(meanwhile?.code, 'device_unavailable');
    assert.match(
      meanwhile?.message ?? '',
      /usb-adc-uart: memory is unplugged|usb-adc-uart: memory was unplugged/,
    );
    await clock.advance(60_000);
    pipe.plug();
    await clock.advance(5000);
    assert.is(adc.state, 'open');
    assert.is((await step(adc.read(2))).volts, 0.885);
  }
  assert.is(adc.statistics.losses, 3);
  await adc.close();
  assert.is(clock.pending, 0);
});

test('DEV-016 behind a port that was opened anew no value is taken before a resync', async () => {
  const { adc, pipe, step, clock, written } = await bench();
  pipe.unplug();
  pipe.plug();
  await clock.advance(1000);
  written.length = 0;
  await step(adc.read(1));
  assert.is(written[0]?.frame, AT);
});

test('DEV-044 a safe job overtakes waiting work, interrupts what runs, and takes no answer of it', async () => {
  const { adc, clock, failure } = await bench();
  const ends: string[] = [];
  const named = (name: string, work: Promise<unknown>) => {
    const end = failure(work);
    void end.then((error) => ends.push(`${name} ${error?.code ?? 'done'}`));
    return end;
  };
  const running = named('running', adc.read(1));
  const waiting = named('waiting', adc.read(1));
  await clock.advance(30);
  const safe = adc.read(2, { priority: 'safe' });
  const done = named('safe', safe);
  await clock.advance(1000);
  await Promise.all([running, waiting, done]);
  assert.equal(ends, ['running superseded', 'safe done', 'waiting done']);
  assert.is((await safe).volts, 0.885);
});

test('a caller that gives up is let go at once, and its answer is never taken', async () => {
  const { adc, clock, failure, step } = await bench();
  const cancel = new AbortController();
  const reading = failure(adc.read(1, { signal: cancel.signal }));
  await clock.advance(25);
  cancel.abort();
  await clock.advance(0);
  assert.is((await reading)?.code, 'aborted');
  assert.is((await step(adc.read(2))).volts, 0.885);
});

test('a deadline that passes after AIN1 leaves the value of AIN1', async () => {
  const { adc, twin, step } = await bench();
  // Read-back and sample of AIN1, read-back and sample of AIN2.
  twin.faultOnce({}, {}, {}, { silent: true });
  const [first, second] = await step(adc.readBoth({ deadlineMs: 800 }));
  assert.is(first.status === 'fulfilled' && first.value.volts, 0.755);
  assert.is(second.status === 'rejected' && second.reason.code, 'device_timeout');
  assert.match(second.status === 'rejected' ? second.reason.message : '', /DIP switch/);
});

test('sixteen calls may wait, the next one is told so', async () => {
  const { adc, failure, step } = await bench();
  const reads = Array.from({ length: 18 }, () => failure(adc.read(1)));
  const codes = (await step(Promise.all(reads))).map((error) => error?.code);
  assert.equal(codes, [...new Array(17).fill(undefined), 'device_busy']);
});

test('a port that cannot be opened says why and goes on with nothing in the background', async () => {
  const { adc, pipe, clock } = dfr1184InMemory();
  pipe.unplug();
  const error = await adc.open().catch((thrown: DeviceError) => thrown);
  assert.equal(
    [error?.code, error?.reason, error?.device],
    ['device_unavailable', 'port_absent', 'usb-adc-uart'],
  );
  assert.is(clock.pending, 0);
});

test('close ends all work and leaves no timer; the driver may be opened again', async () => {
  const { adc, clock, failure, step, twin } = await bench();
  const ends = Promise.all([failure(adc.read(1)), failure(adc.read(2))]);
  await clock.advance(10);
  await adc.close();
  await clock.advance(0);
  assert.equal(
    (await ends).map((error) => error?.code),
    ['device_unavailable', 'device_unavailable'],
  );
  twin.loseSupply();
  assert.is(clock.pending, 0);
  await adc.open();
  assert.is((await step(adc.read(2))).volts, 0.885);
});

test.run();
