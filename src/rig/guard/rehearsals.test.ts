import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import type { GuardReport } from './guard-report.ts';
import { writeReaction } from './reaction.ts';
import { Rehearsals, type Rehearse, rehearseOf } from './rehearsals.ts';

const test = suite('when the guard rehearses');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let stateDir: string;
test.before.each(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'rehearsals-'));
});
test.after.each(() => rmSync(stateDir, { recursive: true }));

/** A guard that begins now. The bridge accepts unless `whyNot` is set. */
function guard(clock: SteppedClock, rehearse: Exclude<Rehearse, 'never'> = 'daily') {
  const seen = { asked: 0, logged: [] as string[] };
  const answer = { tried: true, whyNot: undefined as string | undefined };
  const log = (line: string) => seen.logged.push(line);
  const rehearsals = new Rehearsals({
    ...{ stateDir, clock, isEager: rehearse === 'eager' },
    logger: { debug: log, info: log, warn: log, error: log },
    ask: () => {
      seen.asked += 1;
      rehearsals.answered(answer);
    },
  });
  rehearsals.start();
  return { seen, answer, stop: () => rehearsals.stop() };
}

function measured(clock: SteppedClock): void {
  const at = new Date(clock.now()).toISOString();
  writeReaction(stateDir, { reaction_ms: 48, at, bench: true } as GuardReport);
}

test('SVC-041 the first comes when the guard has been without a measurement for 24 h, then one each day', async () => {
  const clock = new SteppedClock();
  const { seen, stop } = guard(clock);
  await clock.advance(24 * HOUR_MS - MINUTE_MS);
  assert.is(seen.asked, 0);
  await clock.advance(2 * MINUTE_MS);
  assert.is(seen.asked, 1);
  await clock.advance(23 * HOUR_MS);
  assert.is(seen.asked, 1, 'also where nothing was measured');
  await clock.advance(2 * HOUR_MS);
  assert.is(seen.asked, 2);
  stop();
  assert.is(clock.pending, 0);
});

test('SVC-041 a restart of the guard begins no new day', async () => {
  const clock = new SteppedClock();
  const first = guard(clock);
  await clock.advance(20 * HOUR_MS);
  first.stop();
  const second = guard(clock);
  await clock.advance(4 * HOUR_MS + MINUTE_MS);
  second.stop();
  assert.equal([first.seen.asked, second.seen.asked], [0, 1]);
  const third = guard(clock);
  await clock.advance(HOUR_MS);
  third.stop();
  assert.is(third.seen.asked, 0, 'the rehearsal is kept too');
});

test('SVC-041 a reaction measured in earnest counts as well', async () => {
  const clock = new SteppedClock();
  const { seen, stop } = guard(clock);
  await clock.advance(23 * HOUR_MS);
  measured(clock);
  await clock.advance(23 * HOUR_MS);
  assert.is(seen.asked, 0);
  await clock.advance(HOUR_MS + MINUTE_MS);
  assert.is(seen.asked, 1);
  stop();
});

test('SVC_GUARD_REHEARSE=1 lets the first come without waiting, and only the first', async () => {
  const clock = new SteppedClock();
  const { seen, stop } = guard(clock, 'eager');
  await clock.advance(MINUTE_MS);
  assert.is(seen.asked, 1);
  await clock.advance(23 * HOUR_MS);
  assert.is(seen.asked, 1);
  stop();
});

test('a refusal is asked again, and reported once; a rehearsal that was tried and failed waits for the next day', async () => {
  const clock = new SteppedClock();
  const { seen, answer, stop } = guard(clock, 'eager');
  Object.assign(answer, { tried: false, whyNot: 'the rig is in use' });
  await clock.advance(10 * MINUTE_MS);
  assert.ok(seen.asked >= 10);
  assert.equal(seen.logged, ['no rehearsal for now: the rig is in use']);
  const before = seen.asked;
  Object.assign(answer, { tried: true, whyNot: 'modbus-io: still open' });
  await clock.advance(23 * HOUR_MS);
  assert.is(seen.asked, before + 1);
  assert.match(seen.logged.at(-1) ?? '', 'the rehearsal failed: modbus-io: still open');
  stop();
});

test('a time that the clock has not reached, or a damaged file, only begins the day anew', async () => {
  const clock = new SteppedClock();
  const ahead = new Date(clock.now() + 1000 * HOUR_MS).toISOString();
  const ahead2 = JSON.stringify({ begun_at: ahead, rehearsed_at: ahead });
  for (const content of [ahead2, '{"begun_at"', '[]']) {
    writeFileSync(join(stateDir, 'guard-rehearsal.json'), content);
    const { seen, stop } = guard(clock);
    await clock.advance(23 * HOUR_MS);
    assert.is(seen.asked, 0, content);
    await clock.advance(HOUR_MS + MINUTE_MS);
    assert.is(seen.asked, 1, content);
    stop();
  }
});

test('a state folder that cannot be written is reported, and the day is kept in memory', async () => {
  const clock = new SteppedClock();
  rmSync(stateDir, { recursive: true });
  const { seen, stop } = guard(clock);
  await clock.advance(25 * HOUR_MS);
  assert.is(seen.asked, 1);
  assert.match(seen.logged.join(), 'when the guard rehearsed cannot be kept: no such file or directory');
  stop();
  stateDir = mkdtempSync(join(tmpdir(), 'rehearsals-'));
});

test('SVC_GUARD_REHEARSE is 0, 1 or not set', () => {
  const of = (value?: string) => rehearseOf(value === undefined ? {} : { SVC_GUARD_REHEARSE: value });
  assert.equal([of(), of(''), of('0'), of('1')], ['daily', 'daily', 'never', 'eager']);
  assert.throws(() => of('yes'), /SVC_GUARD_REHEARSE = "yes": must be 0 \(never\)/);
});

test.run();
