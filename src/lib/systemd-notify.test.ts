import process from 'node:process';
import * as assert from 'uvu/assert';
import { suite } from '../test-kit/suite.ts';
import { NotifySocket } from '../test-kit/systemd/notify-socket.ts';
import { SteppedClock } from './clock/stepped-clock.ts';
import { type SystemdNotifier, systemdNotifier, withoutSystemd } from './systemd-notify.ts';

const test = suite('reports to systemd');

async function notifier(env: Record<string, string>, clock = new SteppedClock()): Promise<SystemdNotifier> {
  const found = await systemdNotifier({ env, clock, log: (line) => assert.unreachable(line) });
  assert.ok(found);
  return found;
}

test('without NOTIFY_SOCKET nothing is reported', async () => {
  const log = (line: string) => assert.unreachable(line);
  assert.is(await systemdNotifier({ env: {}, clock: new SteppedClock(), log }), undefined);
});

for (const kind of ['path', 'abstract'] as const)
  test(`IMG-022 READY, WATCHDOG and STOPPING arrive at a socket with a ${kind} address, one datagram each`, async () => {
    const socket = await NotifySocket.open(kind === 'path' ? undefined : `@svc-rig-notify-${process.pid}`);
    try {
      const clock = new SteppedClock();
      const systemd = await notifier({ NOTIFY_SOCKET: socket.name, WATCHDOG_USEC: '2000000' }, clock);
      assert.is(systemd.watchdogMs, 2000);
      systemd.ready();
      const end = systemd.beatWhile(() => true);
      await clock.advance(1000);
      end();
      await clock.advance(1000);
      systemd.stopping();
      await socket.until('STOPPING=1');
      assert.equal(socket.received, ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1', 'STOPPING=1']);
    } finally {
      socket.close();
    }
  });

test('IMG-022 no WATCHDOG is sent while the work stands still, and it is sent again when the work continues', async () => {
  const socket = await NotifySocket.open();
  try {
    const clock = new SteppedClock();
    const systemd = await notifier({ NOTIFY_SOCKET: socket.name, WATCHDOG_USEC: '2000000' }, clock);
    let isWorking = false;
    const end = systemd.beatWhile(() => isWorking);
    await clock.advance(5000);
    assert.is(socket.count('WATCHDOG=1'), 0);
    isWorking = true;
    await clock.advance(500);
    assert.is(socket.count('WATCHDOG=1'), 1);
    end();
  } finally {
    socket.close();
  }
});

test('a watchdog of another process, or none, needs no beat', async () => {
  const socket = await NotifySocket.open();
  try {
    const env = { NOTIFY_SOCKET: socket.name };
    for (const more of [{}, { WATCHDOG_USEC: '2000000', WATCHDOG_PID: '1' }, { WATCHDOG_USEC: 'soon' }])
      assert.is((await notifier({ ...env, ...more })).watchdogMs, undefined, JSON.stringify(more));
  } finally {
    socket.close();
  }
});

test('a socket that is gone is logged once, not thrown, until it can be reached again', async () => {
  const lines: string[] = [];
  const env = { NOTIFY_SOCKET: '/nowhere/notify.sock' };
  const systemd = await systemdNotifier({ env, clock: new SteppedClock(), log: (line) => lines.push(line) });
  systemd?.ready();
  systemd?.stopping();
  assert.equal(lines, ['systemd cannot be reached at /nowhere/notify.sock: READY=1 failed (ENOENT)']);
});

test('an address that is no Unix socket is refused', async () => {
  for (const name of ['vsock:2:1234', 'notify', `/${'x'.repeat(120)}`])
    try {
      await notifier({ NOTIFY_SOCKET: name });
      assert.unreachable(name);
    } catch (error) {
      assert.match((error as Error).message, 'is no Unix socket');
    }
});

test('a child process does not inherit the socket and the watchdog of its parent', () => {
  const env = { NOTIFY_SOCKET: '/a', WATCHDOG_USEC: '1', WATCHDOG_PID: '2', SVC_STATE_DIR: '/b' };
  assert.equal(withoutSystemd(env), { SVC_STATE_DIR: '/b' });
});

test.run();
