import * as assert from 'uvu/assert';
import { CONFIRMED } from '../../test-kit/rig/calibration.ts';
import { suite } from '../../test-kit/suite.ts';
import { applyCalibration, type Calibration } from './calibration.ts';
import { calibrationStatus } from './calibration-status.ts';

const test = suite('standing of a calibration');

const linear: Calibration = { kind: 'linear', id: 'cal-nc', unit: 'mbar', scale: 100, offset: -63.5 };
const valid: Calibration = { ...linear, ...CONFIRMED, dueAt: '2026-01-15' };
const at = (calibration: Calibration, time: string) => calibrationStatus(calibration, Date.parse(time));
const without = (key: keyof typeof CONFIRMED): Calibration => {
  const { [key]: _left, ...rest } = valid;
  return rest;
};

test('a due date counts to its end, UTC; a due time to the moment', () => {
  assert.equal(at(valid, '2026-01-15T23:59:59.999Z'), { state: 'valid', fault: null });
  const { state, fault } = at(valid, '2026-01-16T00:00:00.000Z');
  assert.is(state, 'expired');
  assert.match(fault ?? '', 'was due on 2026-01-15 and now it is 2026-01-16T00:00:00.000Z: calibrate again');
  const moment = { ...valid, dueAt: '2026-01-15T12:00:00+02:00' };
  assert.is(at(moment, '2026-01-15T10:00:00Z').state, 'valid');
  assert.is(at(moment, '2026-01-15T10:00:00.001Z').state, 'expired');
});

test('no one confirmed it: not valid, and the remedy is the command', () => {
  const { state, fault } = at(without('confirmedAt'), '2025-06-01');
  assert.is(state, 'unconfirmed');
  assert.match(fault ?? '', 'svcctl calibration confirm cal-nc --by NAME');
});

test('a confirmation from before the calibration belongs to an older one', () => {
  const again = { ...valid, calibratedAt: '2025-03-01', confirmedAt: '2025-02-20T10:00:00Z' };
  assert.is(at(again, '2025-06-01').state, 'unconfirmed');
  assert.match(at(again, '2025-06-01').fault ?? '', 'since it was made on 2025-03-01');
  assert.is(at({ ...again, confirmedAt: '2025-03-01' }, '2025-06-01').state, 'valid', 'the same day will do');
});

test('without a due date nobody knows: not valid', () => {
  assert.is(at(without('dueAt'), '2025-06-01').state, 'undated');
});

test('a clock that stands before the calibration or its confirmation is reported as such', () => {
  const { state, fault } = at(valid, '1970-01-01T00:00:09Z');
  assert.is(state, 'clock_behind');
  assert.match(
    fault ?? '',
    'was calibrated on 2024-01-01, and the clock of this machine shows 1970-01-01T00:00:09',
  );
  assert.match(fault ?? '', 'Set the clock');
  assert.match(
    at(without('calibratedAt'), '1970-01-01').fault ?? '',
    'was confirmed on 2024-01-01T09:00:00Z',
  );
  // In Auckland it is the 15th already.
  assert.is(
    at({ ...valid, calibratedAt: '2025-05-15', confirmedAt: '2025-05-15' }, '2025-05-14T11:00:00Z').state,
    'valid',
  );
});

test('a line and a table; outside of the points there is no value', () => {
  assert.is(applyCalibration({ ...linear, scale: 2, offset: 1 }, 3), 7);
  const table: Calibration = {
    kind: 'table',
    id: 't',
    unit: 'l/min',
    points: [
      [0, 0],
      [1, 10],
      [3, 50],
    ],
  };
  assert.equal(
    [0, 0.5, 1, 2, 3].map((raw) => applyCalibration(table, raw)),
    [0, 5, 10, 30, 50],
  );
  assert.equal(
    [-0.001, 3.001, Number.NaN].map((raw) => applyCalibration(table, raw)),
    [undefined, undefined, undefined],
  );
});

test.run();
