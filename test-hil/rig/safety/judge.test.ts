import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { RIG_SERVICES } from '../../../src/rig/profiles/rig-services.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { allCases, type Case, type End, sampled, type Victim } from './cases.ts';
import { judgeTwins, judgeVerdict } from './judge.ts';
import { coil, type Move, pump, START_MS, traceOf } from './synthetic-trace.ts';

const test = suite('what breaks a case of the kill matrix');
let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'judge-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

const caseOf = (victim: Victim, end: End): Case => ({ scenario: 'valve-smoke', victim, end, boundary: 8 });

/** The blow falls after 1 s; the run goes for its end after `endingMs`. */
function judged(victim: Victim, end: End, moves: readonly (readonly [number, Move])[], endingMs = 1000) {
  const broken: string[] = [];
  const at = { struckAtMs: START_MS + 1000, endingAtMs: START_MS + endingMs };
  const safeAfterMs = judgeTwins(traceOf(folder, moves), caseOf(victim, end), at, broken);
  return { safeAfterMs, broken: broken.join('; ') };
}

const onUntil = (atMs: number) => [[500, pump(0.2)] as const, [atMs, pump(0)] as const];

test('after a SIGKILL of the bridge everything is off within 3 s, after SIGTERM within 5 s', () => {
  assert.equal(judged('svc-bridge', 'SIGKILL', onUntil(3900)), { safeAfterMs: 2900, broken: '' });
  assert.match(
    judged('svc-bridge', 'SIGKILL', onUntil(4100)).broken,
    /on for 3100 ms after the blow, limit 3000/,
  );
  assert.is(judged('svc-bridge', 'SIGTERM', onUntil(5900)).broken, '');
  assert.match(judged('svc-bridge', 'SIGTERM', onUntil(6100)).broken, /limit 5000/);
});

test('a killed run is bounded by 3 s, an aborted one by 5 s', () => {
  assert.is(judged('svcctl', 'SIGKILL', onUntil(3900)).broken, '');
  assert.match(judged('svcctl', 'SIGKILL', onUntil(4100)).broken, /limit 3000/);
  assert.match(judged('svcctl', 'abort', onUntil(6100)).broken, /limit 5000/);
});

test('a killed pump service answers for the pump at once, and for the valves only when the run has ended', () => {
  const moves = [...onUntil(1300), [600, coil(0, true)] as const, [9000, coil(0, false)] as const].sort(
    ([one], [other]) => one - other,
  );
  assert.is(judged('svc-pump', 'SIGKILL', moves, 8500).broken, '');
  assert.match(judged('svc-pump', 'SIGKILL', moves, 1000).broken, /all outputs off only after 8000 ms/);
  assert.match(judged('svc-pump', 'SIGKILL', onUntil(4200), 8500).broken, /pump on for 3200 ms/);
});

test('what is never off breaks every case', () => {
  const { safeAfterMs, broken } = judged('svc-guard', 'SIGKILL', [[500, coil(2, true)]]);
  assert.is(safeAfterMs, undefined);
  assert.match(broken, /never safe: coil 2 on/);
});

test('a run beside a process that died, or on devices that lost their supply, must not end with a failed limit', () => {
  const verdict = (victim: Victim, end: End, code: number) => {
    const broken: string[] = [];
    judgeVerdict(caseOf(victim, end), { code, signal: null, stdout: '', stderr: '' }, broken);
    return broken.length === 0;
  };
  assert.equal(
    [verdict('svc-bridge', 'SIGKILL', 3), verdict('svc-bridge', 'SIGKILL', 1), verdict('pm2', 'SIGKILL', 0)],
    [true, false, true],
  );
  assert.equal(
    [verdict('svcctl', 'fail', 1), verdict('svcctl', 'error', 1), verdict('svcctl', 'abort', 3)],
    [true, false, false],
  );
  assert.equal([verdict('svcctl', 'power cut', 3), verdict('svcctl', 'power cut', 1)], [true, false]);
});

test('every victim is struck at every command, and a sample has every kind of end', () => {
  const cases = allCases({ 'valve-smoke': 51, 'lung-smoke': 18 }, RIG_SERVICES);
  // 8 ends of a run, 2 signals for each service and PM2; the lung's scenario has no limit that could fail.
  const signals = 2 * (RIG_SERVICES.length + 1);
  assert.is(cases.length, 51 * (8 + signals) + 18 * (7 + signals) + 2);
  const kinds = (of: readonly Case[]) =>
    new Set(of.map(({ scenario, victim, end }) => `${scenario} ${victim} ${end}`)).size;
  assert.is(kinds(sampled(cases, 0.01, seededRandom(1))), kinds(cases));
  assert.is(new Set(sampled(cases, 1, seededRandom(1))).size, cases.length);
});

test.run();
