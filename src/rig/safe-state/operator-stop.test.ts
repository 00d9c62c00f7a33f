import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { latches, OperatorStopLatch } from './operator-stop.ts';
import { OperatorStopFile, OperatorStopMemory, type OperatorStopRecord } from './operator-stop-record.ts';

const test = suite("the latch of an operator's stop");

let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-stop-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

const FILE = 'operator-stop.json';
function latchOn(record: OperatorStopRecord, clock = new SteppedClock()) {
  const logged: string[] = [];
  return { latch: new OperatorStopLatch({ record, clock, log: (line) => logged.push(line) }), logged, clock };
}

test('SVC-049 what latches: everything but the reasons of programs and the holder of the lease without a reason', () => {
  const cases: [reason: string | undefined, byHolder: boolean, expected: boolean][] = [
    [undefined, false, true],
    [undefined, true, false],
    ['operator', true, true],
    ['operator', false, true],
    ['anything else', true, true],
    ['run_ended', false, false],
    ['run_recovered', false, false],
    ['preparation', true, false],
  ];
  for (const [reason, byHolder, expected] of cases)
    assert.is(latches(reason, byHolder), expected, `${reason} ${byHolder}`);
});

test('SVC-049 a stop is in force at once and on the disk when it says so, for every process that shares the folder', async () => {
  const { latch } = latchOn(new OperatorStopFile(folder));
  assert.is(latch.current, undefined);
  const stop = latch.set('anna@rig', 'operator');
  assert.equal([latch.current, latch.isPersisted], [stop, false]);
  assert.is(await latch.recorded(), true);
  assert.equal(JSON.parse(readFileSync(join(folder, FILE), 'utf8')), stop);
  assert.equal(readdirSync(folder), [FILE], 'nothing else is left');
  const { latch: later } = latchOn(new OperatorStopFile(folder));
  assert.equal(later.current, stop);
  assert.equal(await later.clear('bert'), stop);
  assert.equal([later.current, readdirSync(folder)], [undefined, []]);
});

test('SVC-049 a record that cannot be read counts as a stop, and can be cleared', async () => {
  for (const text of ['', '{', 'null', '[]', '{"by":7,"reason":"operator","at":"x"}', '{"by":"anna"}']) {
    writeFileSync(join(folder, FILE), text);
    const { latch } = latchOn(new OperatorStopFile(folder));
    assert.is(latch.current?.by, 'unknown', text);
    assert.match(latch.current?.reason ?? '', /operator-stop\.json cannot be read \(damaged\)/);
    await latch.clear('bert');
    assert.is(latch.current, undefined);
  }
  mkdirSync(join(folder, FILE));
  assert.is(latchOn(new OperatorStopFile(folder)).latch.current?.by, 'unknown', 'a folder in its place');
});

test('SVC-049 a disk that fails never blocks a stop: it is in force, reported as not persisted, and retried', async () => {
  const missing = join(folder, 'not-there');
  const { latch, logged, clock } = latchOn(new OperatorStopFile(missing));
  latch.set('anna', 'operator');
  assert.is(await latch.recorded(), false);
  await clock.advance(3000);
  await latch.recorded();
  assert.equal([latch.current?.by, latch.isPersisted], ['anna', false]);
  assert.is(logged.filter((line) => line.includes('cannot be recorded')).length, 1, 'logged once');
  mkdirSync(missing);
  await clock.advance(1000);
  assert.is(await latch.recorded(), true);
  assert.is(new OperatorStopFile(missing).read()?.by, 'anna');
});

test('SVC-049 a disk that hangs keeps an answer waiting for 1 s', async () => {
  const record = new OperatorStopMemory();
  record.write = () => new Promise(() => {});
  const { latch, clock } = latchOn(record);
  latch.set('anna', 'operator');
  const recorded = latch.recorded();
  await clock.advance(1000);
  assert.is(await recorded, false);
});

test('SVC-049 a stop during a clear stays in force, and so does one whose record cannot be removed', async () => {
  const file = new OperatorStopFile(folder);
  const { latch } = latchOn(file);
  latch.set('anna', 'operator');
  const cleared = latch.clear('bert');
  latch.set('carl', 'operator');
  assert.is((await cleared)?.by, 'anna');
  assert.is(await latch.recorded(), true);
  assert.equal([latch.current?.by, file.read()?.by], ['carl', 'carl']);
  file.remove = () => Promise.reject(new Error('read-only file system'));
  assert.match(String(await latch.clear('bert').catch(String)), 'read-only file system');
  assert.is(latch.current?.by, 'carl');
});

test('SVC-049 a clear that fails does not end the attempts to record the stop', async () => {
  const missing = join(folder, 'not-there-yet');
  const file = new OperatorStopFile(missing);
  const { latch, clock } = latchOn(file);
  latch.set('anna', 'operator');
  assert.is(await latch.recorded(), false);
  file.remove = () => Promise.reject(new Error('read-only file system'));
  assert.match(String(await latch.clear('bert').catch(String)), 'read-only file system');
  await latch.recorded();
  mkdirSync(missing);
  await clock.advance(1000);
  assert.equal([await latch.recorded(), new OperatorStopFile(missing).read()?.by], [true, 'anna']);
});

test('SVC-049 names are one line, whatever was given', () => {
  const { latch } = latchOn(new OperatorStopMemory());
  assert.is(latch.set('an\nna\u001b[2J', ' ').by, 'an na [2J');
  assert.is(latch.current?.reason, 'unknown');
  assert.is(latch.set('x'.repeat(500), 'operator').by.length, 100);
});

test.run();
