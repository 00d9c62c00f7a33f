import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { latches, newStopId, OperatorStopLatch, type StopNotice } from './operator-stop.ts';
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
  const log = (line: string) => logged.push(line);
  return { latch: new OperatorStopLatch({ record, clock, log, randomId: newStopId }), logged, clock };
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
  const stop = latch.set({ by: 'anna@rig' }, 'operator');
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
  latch.set({ by: 'anna' }, 'operator');
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
  latch.set({ by: 'anna' }, 'operator');
  const recorded = latch.recorded();
  await clock.advance(1000);
  assert.is(await recorded, false);
});

test('SVC-049 a stop during a clear stays in force, and so does one whose record cannot be removed', async () => {
  const file = new OperatorStopFile(folder);
  const { latch } = latchOn(file);
  latch.set({ by: 'anna' }, 'operator');
  const cleared = latch.clear('bert');
  latch.set({ by: 'carl' }, 'operator');
  assert.is((await cleared)?.by, 'anna');
  assert.is(await latch.recorded(), true);
  assert.equal([latch.current?.by, file.read()?.by], ['carl', 'carl']);
  file.remove = () => Promise.reject(new Error('read-only file system'));
  assert.match(String(await latch.clear('bert').catch(String)), 'read-only file system');
  assert.is(latch.current?.by, 'carl');
  await latch.recorded();
});

test('SVC-049 a stop whose record is gone from the disk although the clear failed stays in force, and is recorded again', async () => {
  const file = new OperatorStopFile(folder);
  latchOn(file).latch.set({ by: 'anna' }, 'operator');
  const { latch: later } = latchOn(file);
  while (file.read() === undefined) await new Promise((resolve) => setImmediate(resolve));
  file.remove = async () => {
    await rm(join(folder, FILE));
    throw new Error('the folder cannot be synchronized');
  };
  assert.match(String(await later.clear('bert').catch(String)), 'cannot be synchronized');
  assert.is(later.current?.by, 'anna');
  assert.is(await later.recorded(), true);
  assert.is(new OperatorStopFile(folder).read()?.by, 'anna');
});

test('SVC-049 a clear on a disk that hangs fails after 5 s, and what the disk does later does not end the stop', async () => {
  const record = new OperatorStopMemory();
  const { latch, clock } = latchOn(record);
  latch.set({ by: 'anna' }, 'operator');
  await latch.recorded();
  let remove = () => {};
  record.remove = () =>
    new Promise((resolve) => {
      remove = () => {
        void new OperatorStopMemory().remove().then(resolve);
      };
    });
  const cleared = latch.clear('bert').catch(String);
  await clock.advance(5000);
  assert.match(String(await cleared), 'the disk has not answered within 5 s');
  remove();
  assert.is(await latch.recorded(), true);
  assert.equal([latch.current?.by, record.read()?.by], ['anna', 'anna']);
});

test('SVC-049 a guard that is asked for a stop it has heard of records it: who reported it may be gone', async () => {
  const file = new OperatorStopFile(folder);
  const { latch: guard } = latchOn(file);
  const stop = { id: 'x', by: 'anna', reason: 'operator', at: '2026-01-01T10:00:00.000Z' };
  guard.hear({ operator_stop: stop });
  assert.equal([await guard.recorded(), file.read()], [false, undefined]);
  assert.equal(guard.set({ by: 'anna', id: 'x' }, 'operator'), stop);
  assert.equal([await guard.recorded(), file.read()], [true, stop]);
});

test('SVC-049 a stop that another process has recorded is recorded, and hearing of it ends nothing', async () => {
  const stop = { id: 'x', by: 'anna', reason: 'operator', at: '2026-01-01T10:00:00.000Z' };
  await new OperatorStopFile(folder).write(stop);
  const { latch: guard } = latchOn(new OperatorStopFile(folder));
  const told: StopNotice[] = [];
  guard.onNotice((notice) => told.push(notice));
  guard.hear({ operator_stop: stop });
  assert.equal([guard.isPersisted, guard.current], [true, stop]);
  assert.equal(told, [{ operator_stop: stop }]);
});

test('SVC-049 what is reported of a stop is made fit for a terminal, and a name that no program gives is none', () => {
  const { latch } = latchOn(new OperatorStopMemory());
  const stop = { id: 'x;reboot', by: 'an\u001b[2Jna', reason: 'operator', at: 'now' };
  latch.hear({ operator_stop: stop });
  assert.is(latch.current, undefined);
  latch.hear({ operator_stop: { ...stop, id: 'x' } });
  assert.is(latch.current?.by, 'an [2Jna');
});

test('SVC-049 a clear that fails does not end the attempts to record the stop', async () => {
  const missing = join(folder, 'not-there-yet');
  const file = new OperatorStopFile(missing);
  const { latch, clock } = latchOn(file);
  latch.set({ by: 'anna' }, 'operator');
  assert.is(await latch.recorded(), false);
  file.remove = () => Promise.reject(new Error('read-only file system'));
  assert.match(String(await latch.clear('bert').catch(String)), 'read-only file system');
  await latch.recorded();
  mkdirSync(missing);
  await clock.advance(1000);
  assert.equal([await latch.recorded(), new OperatorStopFile(missing).read()?.by], [true, 'anna']);
});

/** A bridge's and a guard's latch that report to each other, as over the life line. */
function connected(bridge: OperatorStopLatch, guard: OperatorStopLatch): void {
  const hear = (notice: StopNotice) => guard.hear(notice);
  const offer = ({ operator_stop: stop }: StopNotice) => stop && bridge.takeOver(stop, hear);
  bridge.onNotice(hear);
  guard.onNotice(offer);
  offer(guard.notice);
  hear(bridge.notice);
}

/** Every file that is written for the record is on a device that is full. */
function fillDisk(): void {
  for (let count = 0; count < 500; count++)
    symlinkSync('/dev/full', join(folder, `${FILE}.${process.pid}.${count}.tmp`));
}

const emptyDisk = () => {
  for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name));
};

test('SVC-049 a stop that a guard made with a full disk is in force in the next bridge, until a person clears it', async () => {
  fillDisk();
  const { latch: guard, clock, logged } = latchOn(new OperatorStopFile(folder));
  const stop = guard.set({ by: 'anna@rig', id: 'x' }, 'operator');
  assert.is(await guard.recorded(), false);
  assert.match(logged.join(), 'no space left on device');
  const { latch: bridge } = latchOn(new OperatorStopFile(folder));
  assert.is(bridge.current, undefined, 'it is not on the disk');
  connected(bridge, guard);
  assert.equal([bridge.current, await bridge.recorded()], [stop, false]);
  emptyDisk();
  await clock.advance(10_000);
  await guard.recorded();
  assert.equal(new OperatorStopFile(folder).read(), stop, 'the guard goes on trying too');
  assert.equal(await bridge.clear('bert'), stop);
  assert.equal([bridge.current, guard.current], [undefined, undefined]);
});

test('SVC-049 a guard that learns of the clear no more records a stop that it could not record', async () => {
  fillDisk();
  const { latch: guard, clock } = latchOn(new OperatorStopFile(folder));
  guard.set({ by: 'anna@rig', id: 'x' }, 'operator');
  await guard.recorded();
  guard.hear({ operator_stop: null, operator_stop_over: 'x' });
  emptyDisk();
  await clock.advance(10_000);
  await guard.recorded();
  assert.equal(readdirSync(folder), []);
});

test('SVC-049 a guard keeps a stop that the bridge could not record, and offers it to the next one', async () => {
  fillDisk();
  const { latch: guard } = latchOn(new OperatorStopFile(folder));
  const { latch: first } = latchOn(new OperatorStopFile(folder));
  connected(first, guard);
  const stop = first.set({ by: 'anna@rig' }, 'operator');
  const { latch: next } = latchOn(new OperatorStopFile(folder));
  connected(next, guard);
  assert.equal(next.current, stop);
  const later = next.set({ by: 'carl' }, 'operator');
  assert.equal(guard.current, later, 'the later one replaces it');
  for (const latch of [first, next]) {
    latch.close();
    await latch.recorded();
  }
});

test('SVC-049 a guard that is still recording a stop when it is cleared removes the record', async () => {
  const file = new OperatorStopFile(folder);
  const slow = new OperatorStopFile(folder);
  let write = () => {};
  const late: unknown[] = [];
  slow.write = async (stop) => {
    await new Promise<void>((resolve) => {
      write = resolve;
    });
    await file.write(stop);
    late.push(file.read()?.by, bridge.current);
  };
  const { latch: guard } = latchOn(slow);
  guard.set({ by: 'anna@rig' }, 'operator');
  await Promise.resolve();
  const { latch: bridge } = latchOn(file);
  connected(bridge, guard);
  await bridge.clear('bert');
  write();
  await guard.recorded();
  assert.equal(late, ['anna@rig', undefined], 'it was on the disk again, and over');
  assert.is(file.read(), undefined);
});

test('SVC-049 a late request for a stop that is in force or was cleared makes no new one', async () => {
  const { latch, clock } = latchOn(new OperatorStopFile(folder));
  const stop = latch.set({ by: 'anna@rig', id: 'x' }, 'operator');
  assert.is(latch.set({ by: 'the guard for anna@rig', id: 'x' }, 'operator'), stop);
  await latch.clear('bert');
  assert.is(latch.set({ by: 'anna@rig', id: 'x' }, 'operator'), undefined);
  assert.is(latch.current, undefined);
  const other = latch.set({ by: 'carl', id: 'y' }, 'operator');
  assert.is(latch.set({ by: 'anna@rig', id: 'x' }, 'operator'), other);
  await latch.clear('bert');
  await clock.advance(61_000);
  assert.is(
    latch.set({ by: 'anna@rig', id: 'x' }, 'operator')?.by,
    'anna@rig',
    'no request is late for so long',
  );
});

test('SVC-049 a stop that was replaced before it was reported stays over', async () => {
  const { latch: bridge } = latchOn(new OperatorStopFile(folder));
  bridge.set({ by: 'anna@rig', id: 'x' }, 'operator');
  const { latch: guard } = latchOn(new OperatorStopMemory());
  guard.hear(bridge.notice);
  const later = bridge.set({ by: 'carl', id: 'y' }, 'operator');
  assert.is(guard.current?.id, 'x', 'it has not heard of the later one');
  connected(bridge, guard);
  assert.equal([bridge.current, guard.current], [later, later]);
});

test('SVC-049 names are one line, whatever was given', () => {
  const { latch } = latchOn(new OperatorStopMemory());
  assert.is(latch.set({ by: 'an\nna\u001b[2J' }, ' ')?.by, 'an na [2J');
  assert.is(latch.current?.reason, 'unknown');
  assert.is(latch.set({ by: 'x'.repeat(500) }, 'operator')?.by.length, 100);
});

test.run();
