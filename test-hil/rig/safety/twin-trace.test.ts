import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { TraceEntry } from '../../../src/bench/trace/trace-entry.ts';
import { suite } from '../../../src/lib/testing/suite.ts';
import { TwinTrace } from './twin-trace.ts';

const test = suite('what the twins did');
const START_MS = Date.parse('2025-01-15T10:00:00.000Z');
let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'twin-trace-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

type Move = Pick<TraceEntry, 'kind'> & Partial<TraceEntry>;
const coil = (number: number, on: boolean): Move => ({ kind: 'coil', coil: number, on });
const pump = (fraction: number): Move => ({ kind: 'drive', fraction });
const lung = (velocity: number, energized: boolean): Move => ({ kind: 'motion', velocity, energized });
const line = (atMs: number, move: Move) =>
  `${JSON.stringify({ n: 1, device: 'any', at: new Date(START_MS + atMs).toISOString(), ...move })}\n`;

/** @param moves when, milliseconds, and what */
function traceOf(moves: readonly (readonly [number, Move])[], hasLung = true): TwinTrace {
  const path = join(folder, 'trace.ndjson');
  writeFileSync(path, moves.map(([atMs, move]) => line(atMs, move)).join(''));
  const trace = new TwinTrace(path, { lung: hasLung });
  trace.advance();
  return trace;
}

test('the time to safe ends with the last output that went off, and begins at the blow', () => {
  const trace = traceOf([
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
  const trace = traceOf([
    [100, coil(3, true)],
    [600, coil(3, false)],
    [4000, coil(3, true)],
    [4100, coil(3, false)],
  ]);
  assert.is(trace.offForGoodMs(START_MS + 500), 3600);
  assert.is(trace.firstOffMs(START_MS + 500, ''), 100);
});

test('an output that is on has no time to safe', () => {
  const trace = traceOf([[100, lung(0, true)]]);
  assert.is(trace.offForGoodMs(START_MS), undefined);
  assert.is(trace.firstOffMs(START_MS + 200, 'lung'), undefined);
  assert.equal(trace.on, ['lung energized']);
  assert.equal(traceOf([[100, lung(5, true)]], false).on, [], 'a rig without a lung has nobody to watch it');
});

test('half a line is read when the rest of it has come', () => {
  const path = join(folder, 'trace.ndjson');
  const text = line(100, coil(1, true));
  writeFileSync(path, text.slice(0, 30));
  const trace = new TwinTrace(path, { lung: true });
  assert.is(trace.advance().length, 0);
  appendFileSync(path, text.slice(30));
  assert.is(trace.advance().length, 1);
  assert.equal(trace.on, ['coil 1']);
});

test.run();
