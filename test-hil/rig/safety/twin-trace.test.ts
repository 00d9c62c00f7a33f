import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { coil, lung, pump, START_MS, traceLine, traceOf } from './synthetic-trace.ts';
import { TwinTrace } from './twin-trace.ts';

const test = suite('what the twins did');
let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'twin-trace-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

test('the time to safe ends with the last output that went off, and begins at the blow', () => {
  const trace = traceOf(folder, [
    [100, coil(0, true)],
    [200, pump(0.2)],
    [900, coil(0, false)],
    [1300, pump(0)],
  ]);
  assert.is(trace.offForGoodMs(START_MS + 500), 800);
  assert.is(trace.offForGoodMs(START_MS + 2000), 0);
  assert.is(trace.firstOffMs(START_MS + 500, 'coil'), 400);
  assert.equal([...trace.onAt(START_MS + 500)], ['coil 0', 'pump 0.20']);
});

test('what goes on again after it was safe was not safe for good', () => {
  const trace = traceOf(folder, [
    [100, coil(3, true)],
    [600, coil(3, false)],
    [4000, coil(3, true)],
    [4100, coil(3, false)],
  ]);
  assert.is(trace.offForGoodMs(START_MS + 500), 3600);
  assert.is(trace.firstOffMs(START_MS + 500, ''), 100);
});

test('an output that is on has no time to safe', () => {
  const trace = traceOf(folder, [[100, lung(0, true)]]);
  assert.is(trace.offForGoodMs(START_MS), undefined);
  assert.is(trace.firstOffMs(START_MS + 200, 'lung'), undefined);
  assert.equal(trace.on, ['lung energized']);
  assert.equal(
    traceOf(folder, [[100, lung(5, true)]], false).on,
    [],
    'a rig without a lung has nobody to watch it',
  );
});

test('half a line is read when the rest of it has come', () => {
  const path = join(folder, 'trace.ndjson');
  const text = traceLine(100, coil(1, true));
  writeFileSync(path, text.slice(0, 30));
  const trace = new TwinTrace(path, { lung: true });
  assert.is(trace.advance().length, 0);
  appendFileSync(path, text.slice(30));
  assert.is(trace.advance().length, 1);
  assert.equal(trace.on, ['coil 1']);
});

test.run();
