import * as assert from 'uvu/assert';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { ScriptedPort } from '../../transports/memory/scripted-port.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { GapMeter } from './gap-meter.ts';
import { type Measured, measureOurs, middleOf } from './measure.ts';
import { heading, line, verdict } from './report.ts';

const test = suite('bench:modbus');

const measured = (perSecond: number): Measured => ({
  perSecond,
  p50Us: 10_938,
  p99Us: 11_500,
  cpuUs: 310,
  memoryMib: null,
});

test('what is measured is whole transactions: one job, one frame and its reply', async () => {
  const clock = new SteppedClock();
  const read: [string, string] = ['01 01 00 00 00 08 3D CC', '01 01 01 05 91 8B'];
  const port = new ScriptedPort([read, read, read, read]);
  const master = new RtuLine({ transport: port, baud: 19_200, clock });
  await master.open();
  const { perSecond, p50Us } = await stepUntil(clock, measureOurs(master, 'read', 4));
  // The twin of a script answers at once: 2 ms of silence before each request are all that it takes.
  assert.ok(Math.abs(perSecond - 500) < 1, `${perSecond}`);
  assert.ok(Math.abs(p50Us - 2000) < 1, `${p50Us}`);
  assert.equal(port.deviations, []);
  await master.close();
});

test('the gap is from the last byte of a reply to the next request', () => {
  const meter = new GapMeter();
  const at = (kind: 'sent' | 'received', atMs: number) => meter.trace({ kind, atMs });
  at('sent', 0);
  at('received', 9);
  at('received', 10);
  at('sent', 12);
  at('received', 22);
  at('sent', 25);
  at('received', 35);
  at('sent', 37.5);
  assert.is(meter.middleMs, 2.5);
});

test('the middle one of the rounds counts', async () => {
  const rounds = [5, 1, 4, 2, 3];
  assert.is((await middleOf(async () => measured(rounds.shift() ?? 0))).perSecond, 3);
});

test('a row has rate, limit, both ratios, times and processor time below its heading', () => {
  const row = line({ ...measured(90.5), name: 'ours', limit: 91.43 });
  assert.match(row, /^ours +90\.50 +91\.43 +99\.0 % +100\.0 % +10938 +11500 +310 +-$/);
  assert.is(row.length, heading('read').length);
  assert.match(line({ ...measured(12_345.6), name: 'ours', limit: null }), /^ours +12346 +- +- /);
});

test('a verdict says whether the aim was reached', () => {
  assert.is(verdict('at least 99 %', true, '99.6 %'), 'reached  at least 99 %: 99.6 %');
  assert.is(verdict('at least 99 %', false, '98.9 %'), 'MISSED   at least 99 %: 98.9 %');
});

test.run();
