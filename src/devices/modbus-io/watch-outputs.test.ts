import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { failure } from '../failure.ts';
import type { RtuFault } from '../modbus-rtu/fault.ts';
import { modbusIoInMemory } from './in-memory.ts';

const test = suite('modbus-io outputs that are watched');
const WITHIN_MS = 750;

async function board() {
  const rig = await modbusIoInMemory();
  await rig.step(rig.io.start());
  await rig.step(rig.io.setOutput(3, true));
  /** What is read, and after how many milliseconds. */
  const watch = async () => {
    const askedAt = rig.clock.monotonic();
    const outputs = await rig.step(rig.io.watchOutputs({ withinMs: WITHIN_MS }));
    return { on: outputs.flatMap((on, coil) => (on ? [coil] : [])), tookMs: rig.clock.monotonic() - askedAt };
  };
  return { ...rig, watch };
}

const ONE_FAULT: readonly (readonly [string, RtuFault, number])[] = [
  ['no fault', {}, 20],
  ['no reply', { silent: true }, 300],
  ['not heard', { deaf: true }, 300],
  ['a reply that comes 300 ms late', { late_ms: 300 }, 700],
  ['a reply that comes 160 ms late', { late_ms: 160 }, 700],
  ['a spoilt reply', { bad_crc: true }, 200],
  ['half a reply', { truncate: 3 }, 300],
];
for (const [name, fault, mostMs] of ONE_FAULT)
  test(`DEV-056 one fault costs less than the quiet time: ${name}`, async () => {
    const { twin, watch, line } = await board();
    twin.slave.faultOnce(fault);
    const { on, tookMs } = await watch();
    assert.equal(on, [3]);
    assert.ok(tookMs <= mostMs, `${tookMs} ms`);
    assert.is(line.statistics.opens, 1, 'the port was not opened anew');
    // The line is as good as before.
    assert.equal((await watch()).on, [3]);
  });

test('DEV-056 a board that is silent or deaf is given up within the time, after two questions at least', async () => {
  for (const fault of [{ silent: true }, { deaf: true }]) {
    const { io, twin, step, clock, events } = await board();
    twin.knobs.patch(fault);
    const askedAt = clock.monotonic();
    const before = events.filter(({ kind }) => kind === 'in').length;
    const error = await step(failure(io.watchOutputs({ withinMs: WITHIN_MS })));
    const tookMs = clock.monotonic() - askedAt;
    assert.equal([error.code, error.device], ['device_timeout', 'modbus-io']);
    assert.ok(tookMs >= 600 && tookMs <= WITHIN_MS + 50, `${tookMs} ms`);
    assert.ok(events.filter(({ kind }) => kind === 'in').length - before >= 4, 'asked again and again');
    assert.is((await step(failure(io.watchOutputs({ withinMs: 0 })))).code, 'device_timeout');
  }
});

test('DEV-056 DEV-059 what is read is true, whenever the reply to an earlier question comes', async () => {
  for (let late_ms = 100; late_ms <= 2000; late_ms += 37) {
    const { io, twin, step, clock } = await board();
    await clock.advance(20_000);
    twin.slave.faultOnce({ late_ms });
    const first = io.watchOutputs({ withinMs: WITHIN_MS }).catch(() => undefined);
    await clock.advance(90);
    twin.force(3, false);
    twin.force(5, true);
    await step(first);
    for (let n = 0; n < 12; n++) {
      const seen = await step(io.watchOutputs({ withinMs: WITHIN_MS }).catch(() => undefined));
      if (seen) assert.equal(seen, twin.coils, `late by ${late_ms} ms, reading ${n}`);
      await clock.advance(150);
    }
  }
});

test('DEV-056 a board behind a slow gateway is not taken for a silent one', async () => {
  const { twin, watch, io, step } = await board();
  twin.knobs.patch({ late_ms: 250 });
  await step(io.readOutputs());
  for (let n = 0; n < 3; n++) assert.equal((await watch()).on, [3]);
});

test('DEV-056 a safe-state command does not wait for a reading that goes on', async () => {
  const { io, twin, step, clock } = await board();
  twin.slave.faultOnce({ silent: true });
  const reading = failure(io.watchOutputs({ withinMs: WITHIN_MS }));
  await clock.advance(100);
  const off = io.allOff({ priority: 'safe' });
  await clock.advance(80);
  assert.not.ok(twin.coils.includes(true), 'sent ahead of the quiet time');
  await step(off);
  assert.is((await step(reading)).code, 'superseded');
});

test.run();
