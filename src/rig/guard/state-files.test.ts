import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { suite } from '../../test-kit/suite.ts';
import { endedSafe, removeBridgeEnd, writeBridgeEnd } from './bridge-end.ts';
import type { GuardReport } from './guard-report.ts';
import { publishReaction, reactionReader, writeReaction } from './reaction.ts';

const test = suite('files of guard and bridge');
let folder: string;
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'guard-files-'));
});
test.after.each(() => rmSync(folder, { recursive: true }));

const END = { pid: 42, started_at: 'x', outcome: 'safe', reason: 'SIGTERM', at: 'y' };

test('SVC-041 only a whole record of a safe end of the watched bridge counts', () => {
  assert.is(endedSafe(folder, 42), false, 'none');
  writeBridgeEnd(folder, END);
  assert.equal(
    [endedSafe(folder, 42), endedSafe(folder, undefined), endedSafe(folder, 43)],
    [true, true, false],
  );
  for (const outcome of ['partial', 'failed', 'simulated']) {
    writeBridgeEnd(folder, { ...END, outcome });
    assert.is(endedSafe(folder, 42), false, outcome);
  }
  writeFileSync(join(folder, 'bridge-end.json'), '{"pid":42,"outcome":"sa');
  assert.is(endedSafe(folder, 42), false, 'damaged');
  writeBridgeEnd(folder, END);
  removeBridgeEnd(folder);
  removeBridgeEnd(folder);
  assert.is(endedSafe(folder, undefined), false, 'a new bridge has begun');
  assert.equal(readdirSync(folder), []);
});

const report = (reaction_ms: number | null): GuardReport => ({
  ...{ ok: true, outcome: 'safe', reason: 'bridge_ended', duration_ms: 60, mock: false, steps: [] },
  ...{ by: 'svc-guard', at: '2025-01-15T10:00:00.000Z', bench: true, killed: [], reaction_ms },
});

test('the last measured reaction stands in the metrics; one without a measurement changes nothing', async () => {
  const metrics = new MetricRegistry();
  publishReaction(metrics, folder);
  assert.not.match(await metrics.render(), /^svc_guard_reaction_seconds \d/m);
  writeReaction(folder, report(48));
  writeReaction(folder, report(null));
  const text = await metrics.render();
  assert.match(text, /^svc_guard_reaction_seconds 0\.048$/m);
  assert.match(text, /^svc_guard_reaction_timestamp_seconds 1736935200$/m);
});

test('SVC-053 a state folder that is a file, or on a disk that fails, is one without a measurement', () => {
  writeFileSync(join(folder, 'state'), '');
  assert.is(reactionReader(join(folder, 'state'))(), undefined);
});

test('a measurement that changed is read anew, a damaged one is none', () => {
  const last = reactionReader(folder);
  assert.is(last(), undefined);
  writeReaction(folder, report(48));
  assert.equal(last(), { seconds: 0.048, at: '2025-01-15T10:00:00.000Z', bench: true });
  writeFileSync(join(folder, 'guard-reaction.json'), '{"seconds":"fast"}');
  utimesSync(join(folder, 'guard-reaction.json'), 1, 1);
  assert.is(last(), undefined);
});

test.run();
