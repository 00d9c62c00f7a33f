import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../lib/liveness/heartbeat-monitor.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { suite } from '../../test-kit/suite.ts';
import { newStopId, OperatorStopLatch } from '../safe-state/operator-stop.ts';
import { OperatorStopFile } from '../safe-state/operator-stop-record.ts';
import type { SafeStateReport } from '../safe-state/report.ts';
import { endedSafe } from './bridge-end.ts';
import { BRIDGE, BridgeLife, GUARD, guardLockKey, PARTNER } from './bridge-life.ts';

const test = suite('what the bridge shows to the guard');

const report = (outcome: SafeStateReport['outcome']): SafeStateReport => ({
  ...{ ok: outcome === 'safe', outcome, reason: 'x', duration_ms: 5, mock: false, steps: [] },
});

interface Shown {
  life: BridgeLife;
  stateDir: string;
  watch: HeartbeatMonitor;
  hellos: JsonLine[];
  lines: JsonLine[];
  use: { why: string | undefined };
  jump(ms: number): void;
  logged: string[];
  operatorStop: OperatorStopLatch;
  /** Stops that came from a guard. */
  handedOver: (string | undefined)[];
}

async function showing(work: (shown: Shown) => Promise<void>): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'life-'));
  let jumpedMs = 0;
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + jumpedMs };
  const use: Shown['use'] = { why: undefined };
  const logged: string[] = [];
  const handedOver: (string | undefined)[] = [];
  const operatorStop = new OperatorStopLatch({
    ...{ record: new OperatorStopFile(stateDir), clock, randomId: newStopId, log: () => {} },
  });
  const life = new BridgeLife({
    ...{ stateDir, clock, startedAt: '2025-01-15T10:00:00.000Z', about: () => ({ url: 'http://x' }) },
    log: (line) => logged.push(line),
    rehearsal: { whyNot: () => use.why, makeSafe: async () => {} },
    operatorStop,
    onStop: () => handedOver.push(operatorStop.current?.id),
  });
  life.open();
  const hellos: JsonLine[] = [];
  const lines: JsonLine[] = [];
  const watch = new HeartbeatMonitor({
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
    await work({ life, stateDir, watch, hellos, lines, use, jump, logged, operatorStop, handedOver });
  } finally {
    operatorStop.close();
    watch.stop();
    life.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

test('SVC-041 safe states are reported when they begin and end, and only the last one of an end is recorded', () =>
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

test('SVC-041 a missing folder is reported, fails no safe state, and counts as no record', () =>
  showing(async ({ life, stateDir, logged }) => {
    rmSync(stateDir, { recursive: true });
    life.closing('SIGTERM');
    life.safeStateEnded(report('safe'));
    assert.match(logged.join(), 'cannot be recorded, the guard will look');
    assert.is(endedSafe(stateDir, process.pid), false);
  }));

test('SVC-041 a rehearsal is refused while the rig may be in use, and the line is silent while it runs', () =>
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

const STOP = { id: 'x', by: 'anna', reason: 'operator', at: '2025-01-15T10:00:00.000Z' };

test('SVC-049 where a guard runs, nothing may be switched on until it has reported whether it holds a stop', () =>
  showing(async ({ life, stateDir, watch, lines, handedOver }) => {
    const since = '2025-01-15T10:00:00.000Z';
    const identity = () => ({ service: GUARD, pid: process.pid, port: null, since });
    const lock = await acquireLock({ key: guardLockKey(stateDir), identity });
    await until(() => life.isGuarded);
    assert.is(life.awaitsGuard, true, 'it has said its name alone');
    watch.tell({ watch: PARTNER, operator_stop: null });
    watch.tell({ watch: GUARD, operator_stop: STOP });
    await until(() => !life.awaitsGuard);
    assert.equal(handedOver, ['x']);
    const told = () => lines.filter(({ operator_stop }) => operator_stop !== undefined);
    await until(() => told().length > 0);
    assert.equal(told()[0]?.operator_stop, STOP, 'the guard learns that it is in force here');
    await lock.release();
  }));

test('SVC-049 the word of a partner alone is not that of the guard', () =>
  showing(async ({ life, stateDir, watch, handedOver }) => {
    const since = '2025-01-15T10:00:00.000Z';
    const identity = () => ({ service: GUARD, pid: process.pid, port: null, since });
    const lock = await acquireLock({ key: guardLockKey(stateDir), identity });
    watch.tell({ watch: PARTNER, operator_stop: STOP });
    await until(() => handedOver.length > 0);
    assert.is(life.awaitsGuard, true);
    await lock.release();
    assert.is(life.awaitsGuard, false, 'where no guard runs there is none to wait for');
  }));

/** Another process that holds the lock of the guard and reports nothing. @param program its command line, behind `node` */
async function besideHolder(
  stateDir: string,
  program: string,
  work: (holder: ChildProcess) => Promise<void>,
): Promise<void> {
  const address = JSON.stringify(lockAddress(guardLockKey(stateDir)));
  const script = `require('net').createServer(() => {}).listen(${address}, () => console.log('holds'))`;
  const holder = spawn(process.execPath, ['-e', script, program], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(holder.stdout, 'data');
    await work(holder);
  } finally {
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  }
}

test('SVC-049 a guard that never reports is named, and waited for without end', () =>
  showing(({ life, stateDir, jump }) =>
    besideHolder(stateDir, 'svc-guard.cjs', async ({ pid }) => {
      jump(3_600_000);
      assert.equal([life.awaitsGuard, life.guardPid], [true, pid]);
    }),
  ));

test('SVC-049 a program that holds the lock and is not a guard has 10 s to report, and keeps nothing off then', () =>
  showing(({ life, stateDir, jump }) =>
    besideHolder(stateDir, 'another.cjs', async () => {
      jump(9000);
      assert.is(life.awaitsGuard, true);
      jump(1000);
      assert.is(life.awaitsGuard, false);
    }),
  ));

test('SVC-049 a guard that still holds a stop which was cleared here is notified that it is over', () =>
  showing(async ({ watch, lines, operatorStop }) => {
    watch.tell({ watch: GUARD, operator_stop: STOP });
    await until(() => operatorStop.current?.id === 'x');
    await operatorStop.clear('bert');
    watch.tell({ watch: GUARD, operator_stop: STOP });
    const over = () => lines.filter(({ operator_stop_over }) => operator_stop_over === 'x');
    await until(() => over().length === 2);
    assert.is(operatorStop.current, undefined);
  }));

test.run();
