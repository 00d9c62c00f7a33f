import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { LifeWatch } from '../../lib/liveness/life-watch.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { suite } from '../../test-kit/suite.ts';
import type { SafeStateReport } from '../safe-state/report.ts';
import { endedSafe } from './bridge-end.ts';
import { BRIDGE, BridgeLife, GUARD } from './bridge-life.ts';

const test = suite('what the bridge shows to the guard');

const report = (outcome: SafeStateReport['outcome']): SafeStateReport => ({
  ...{ ok: outcome === 'safe', outcome, reason: 'x', duration_ms: 5, mock: false, steps: [] },
});

interface Shown {
  life: BridgeLife;
  stateDir: string;
  watch: LifeWatch;
  hellos: JsonLine[];
  lines: JsonLine[];
  use: { why: string | undefined };
  jump(ms: number): void;
  logged: string[];
}

async function showing(work: (shown: Shown) => Promise<void>): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'life-'));
  let jumpedMs = 0;
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + jumpedMs };
  const use: Shown['use'] = { why: undefined };
  const logged: string[] = [];
  const life = new BridgeLife({
    ...{ stateDir, clock, startedAt: '2025-01-15T10:00:00.000Z', about: () => ({ url: 'http://x' }) },
    log: (line) => logged.push(line),
    rehearsal: { whyNot: () => use.why, makeSafe: async () => {} },
  });
  life.open();
  const hellos: JsonLine[] = [];
  const lines: JsonLine[] = [];
  const watch = new LifeWatch({
    ...{ address: liveAddress(BRIDGE, rigKey(stateDir)), clock: systemClock, name: GUARD, onGone: () => {} },
    onHello: (hello) => hellos.push(hello),
    onLine: (line) => lines.push(line),
  });
  watch.start();
  const jump = (ms: number) => {
    jumpedMs += ms;
  };
  try {
    await until(() => hellos.length === 1);
    await work({ life, stateDir, watch, hellos, lines, use, jump, logged });
  } finally {
    watch.stop();
    life.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

test('SVC-041 safe states are told when they begin and end, and only the last one of an end is recorded', () =>
  showing(async ({ life, stateDir, hellos, lines }) => {
    assert.equal([hellos[0]?.pid, hellos[0]?.closing, hellos[0]?.url], [process.pid, false, 'http://x']);
    await until(() => life.isGuarded);
    life.safeStateStarted('operator');
    life.safeStateEnded(report('safe'));
    assert.is(endedSafe(stateDir, process.pid), false, 'it goes on');
    life.closing('SIGTERM');
    life.safeStateStarted('SIGTERM');
    life.safeStateEnded(report('partial'));
    assert.is(endedSafe(stateDir, process.pid), false);
    life.safeStateEnded(report('safe'));
    assert.is(endedSafe(stateDir, process.pid), true);
    const record = JSON.parse(readFileSync(join(stateDir, 'bridge-end.json'), 'utf8')) as JsonLine;
    assert.equal([record.reason, record.started_at], ['SIGTERM', '2025-01-15T10:00:00.000Z']);
    const told = () => lines.filter(({ beat }) => beat === undefined);
    await until(() => told().length >= 6);
    assert.equal(told().slice(0, 4), [
      { safe_state: { running: true, reason: 'operator', outcome: null } },
      { safe_state: { running: false, reason: 'x', outcome: 'safe' } },
      { closing: true },
      { safe_state: { running: true, reason: 'SIGTERM', outcome: null } },
    ]);
  }));

test('SVC-041 a folder that is not there is told, fails no safe state, and counts as no record', () =>
  showing(async ({ life, stateDir, logged }) => {
    rmSync(stateDir, { recursive: true });
    life.closing('SIGTERM');
    life.safeStateEnded(report('safe'));
    assert.match(logged.join(), 'cannot be recorded, the guard will look');
    assert.is(endedSafe(stateDir, process.pid), false);
  }));

test('SVC-041 a rehearsal is refused while anybody may count on the rig, and the line is silent while it runs', () =>
  showing(async ({ life, watch, lines, use, jump }) => {
    const answers = () => lines.filter(({ rehearsing }) => rehearsing !== undefined);
    const ask = async () => {
      const before = answers().length;
      watch.tell({ rehearse: true });
      await until(() => answers().length > before);
      return answers().at(-1);
    };
    const refused = (why: string) => ({ rehearsing: false, tried: false, why });
    const tooSoon = refused('the last safe state is less than 60 s ago');
    assert.equal(await ask(), tooSoon, 'before the first safe state');
    life.safeStateEnded(report('safe'));
    assert.equal(await ask(), tooSoon);
    jump(61_000);
    use.why = 'the rig is in use';
    assert.equal(await ask(), refused('the rig is in use'));
    assert.is(life.isRehearsing, false);
    use.why = undefined;
    assert.equal(await ask(), { rehearsing: true, tried: true, why: null });
    assert.is(life.isRehearsing, true);
    await until(() => watch.silentMs >= 400);
  }));

test.run();
