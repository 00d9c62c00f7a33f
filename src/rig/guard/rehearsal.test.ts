import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { suite } from '../../test-kit/suite.ts';
import { REHEARSAL_MS, Rehearsal } from './rehearsal.ts';

const test = suite('rehearsal of the guard, in the bridge');

/** @param close what becomes of the test coil; undefined for a rig without one */
function rehearsing(close?: () => Promise<void>) {
  const clock = new SteppedClock();
  const seen = { told: [] as JsonLine[], silentMs: [] as number[], madeSafe: [] as string[] };
  const rehearsal = new Rehearsal({
    clock,
    log: () => {},
    whyNot: () => undefined,
    ...(close ? { closeTestCoil: close } : {}),
    makeSafe: async (reason) => seen.madeSafe.push(reason),
    tell: (line) => seen.told.push(line),
    fallSilent: (ms) => seen.silentMs.push(ms),
  });
  return { clock, rehearsal, ...seen };
}

const YES = { rehearsing: true, tried: true, why: null };
const failed = (why: string) => ({ rehearsing: false, tried: true, why });

test('SVC-041 the test coil is closed first; only then the bridge says so and falls silent, and no actuation is accepted meanwhile', async () => {
  let closed = () => {};
  const rig = rehearsing(
    () =>
      new Promise((resolve) => {
        closed = resolve;
      }),
  );
  const begun = rig.rehearsal.begin();
  assert.is(rig.rehearsal.isRunning, true);
  await rig.rehearsal.begin();
  assert.equal([rig.told, rig.silentMs], [[], []], 'not before the coil has shown it');
  closed();
  await begun;
  assert.equal([rig.told, rig.silentMs, rig.madeSafe], [[YES], [REHEARSAL_MS], []]);
  assert.is(rig.rehearsal.isRunning, true);
});

test('SVC-041 a bridge that no guard has ended makes the rig safe, the test coil with it, and goes on', async () => {
  const rig = rehearsing(async () => {});
  await rig.rehearsal.begin();
  await rig.clock.advance(REHEARSAL_MS - 1);
  assert.equal([rig.rehearsal.isRunning, rig.madeSafe], [true, []]);
  await rig.clock.advance(1);
  assert.equal([rig.rehearsal.isRunning, rig.madeSafe], [false, ['rehearsal_not_ended']]);
  await rig.rehearsal.begin();
  rig.rehearsal.close();
  assert.is(rig.clock.pending, 0);
});

test('SVC-041 a test coil that does not confirm ends the rehearsal, and the rig is made safe', async () => {
  const rig = rehearsing(() => Promise.reject(new Error('modbus-io: still open')));
  await rig.rehearsal.begin();
  assert.equal([rig.told, rig.silentMs], [[failed('modbus-io: still open')], []]);
  assert.equal([rig.madeSafe, rig.rehearsal.isRunning, rig.clock.pending], [['rehearsal_failed'], false, 0]);
});

test('SVC-041 a safe state that came while the coil was being closed ends the rehearsal: which was last is unknown', async () => {
  const rig = rehearsing(async () => rig.rehearsal.interrupt());
  await rig.rehearsal.begin();
  assert.equal(rig.told, [failed('a safe state came between')]);
  assert.equal([rig.madeSafe, rig.silentMs], [['rehearsal_failed'], []]);
});

test('SVC-049 a stop while the bridge is silent ends the silence: the guard that would end the bridge has to hear of it', async () => {
  const rig = rehearsing(async () => {});
  await rig.rehearsal.begin();
  rig.rehearsal.interrupt();
  assert.equal(rig.silentMs, [REHEARSAL_MS, 0]);
  assert.equal(rig.told, [YES, failed('a safe state came between')]);
  assert.equal([rig.rehearsal.isRunning, rig.clock.pending], [false, 0]);
});

test('a bench without a test coil rehearses with what it has', async () => {
  const rig = rehearsing();
  await rig.rehearsal.begin();
  assert.equal([rig.told, rig.silentMs], [[YES], [REHEARSAL_MS]]);
});

test.run();
