import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { failure } from '../failure.ts';
import type { RtuFault } from './fault.ts';
import { rtuKnobs } from './knobs.ts';
import { RtuLine } from './line.ts';
import { registerSlave } from './register-slave.ts';
import { unpackWords } from './request.ts';
import { ModbusUnit } from './unit.ts';

const test = suite('a measured value on a line with faults');
const UNIT = 3;
const TOLERANCE = 50;
const ask = (count: number) => ({ function: 0x03, unit: UNIT, address: 0, count }) as const;
const near = (first: Uint8Array, second: Uint8Array) =>
  Math.abs((unpackWords(first)[0] ?? 0) - (unpackWords(second)[0] ?? 0)) <= TOLERANCE;

/** A device whose value is another in each reply, and a line that has just lost two of its replies. */
async function afterTwoLost(fault: RtuFault) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ address: 'memory', baud: 19200, isPaced: true });
  const state = { value: 1000 };
  const slave = registerSlave({
    clock,
    random: seededRandom(1),
    lineClock: clock,
    baud: 19200,
    unit: () => UNIT,
    knobs: rtuKnobs,
    registers: () => () => state.value++,
  });
  slave.connect((bytes) => pipe.send(bytes));
  pipe.onWritten((bytes) => slave.receive(bytes));
  const line = new RtuLine({ transport: pipe, baud: 19200, clock, attempts: 1 });
  await line.open();
  const unit = new ModbusUnit(line, 'gauge', UNIT);
  const read = (agree?: typeof near) =>
    stepUntil(
      clock,
      unit.run((session) => unit.read(session, ask(1), ask(2), agree ? { agree } : {}), {
        deadlineMs: 20_000,
      }),
    );
  await read();
  slave.faultOnce(fault, fault);
  for (const _ of [1, 2]) await failure(read());
  return { state, read };
}

test('equal bytes are never received twice: there is no reading without a tolerance', async () => {
  const { read } = await afterTwoLost({ silent: true });
  const error = await failure(read());
  assert.equal([error.code, error.reason], ['corrupt_response', 'unproven']);
  assert.match(error.message, /no \d equal readings in \d+ after a fault/);
});

for (const stray_ms of [1300, 1500, 2000, 3000])
  test(`within a tolerance there is one, and a reply that is ${stray_ms} ms late is not it`, async () => {
    const { state, read } = await afterTwoLost({ stray_ms });
    state.value = 5000;
    let readings = 0;
    for (let attempt = 0; attempt < 20; attempt++) {
      const reading = await read(near).catch(() => undefined);
      if (!reading) continue;
      const [value = 0] = unpackWords(reading.data);
      assert.ok(Math.abs(value - state.value) <= TOLERANCE, `${value} where it is ${state.value}`);
      readings += 1;
    }
    assert.ok(readings > 10, String(readings));
  });

test.run();
