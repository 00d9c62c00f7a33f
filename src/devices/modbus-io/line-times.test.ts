import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { rtuTiming } from '../modbus-rtu/timing.ts';
import type { RtuTraceEvent } from '../modbus-rtu/trace.ts';
import { modbusIoInMemory } from './in-memory.ts';

const test = suite('times of an RTU line');

/** Milliseconds between a request that is not answered and the next one on the line, the wait for the reply included. */
async function pauseAfterSilence(line: { turnaroundMs?: number; quietMs?: number }): Promise<number> {
  const sentAtMs: number[] = [];
  const trace = ({ kind, atMs }: RtuTraceEvent) => void (kind === 'sent' && sentAtMs.push(atMs));
  const { twin, io, step } = await modbusIoInMemory({ line: { ...line, trace, totalMs: 20_000 } });
  twin.slave.faultOnce({ silent: true });
  await step(io.probe());
  const [first = 0, second = 0] = sentAtMs;
  return second - first;
}

test('DEV-054 after a lost reply a line is left alone for its turnaround, or for its quiet time where that is longer', async () => {
  const usual = await pauseAfterSilence({});
  const slower = await pauseAfterSilence({ turnaroundMs: 1200 });
  const quieter = await pauseAfterSilence({ turnaroundMs: 300, quietMs: 2000 });
  // Each begins at the time-out of the reply.
  assert.ok(usual >= 500 + 700 && usual < 500 + 1200, `${usual} ms`);
  assert.ok(slower >= 500 + 1200 && slower < 500 + 2000, `${slower} ms`);
  assert.ok(quieter >= 500 + 2000, `${quieter} ms`);
});

test('DEV-054 a quiet time below the turnaround is refused', () => {
  assert.throws(
    () => rtuTiming({ baud: 19_200, turnaroundMs: 900, quietMs: 899 }),
    /Modbus quiet time 899 is refused; set 900 to 60000 ms/,
  );
  assert.is(rtuTiming({ baud: 19_200, turnaroundMs: 900, quietMs: 900 }).turnaroundMs, 900);
});

test.run();
