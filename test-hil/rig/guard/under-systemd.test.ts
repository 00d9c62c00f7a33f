import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { GuardReport } from '../../../src/rig/guard/guard-report.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { NotifySocket } from '../../../src/test-kit/systemd/notify-socket.ts';
import { together } from '../bench/together.ts';
import { onGuardedRig } from './guarded-rig.ts';

const test = suite('a guard as a unit of systemd');

/** As systemd starts it, with a watchdog of 2 s. */
const unitOf = (socket: NotifySocket) => ({ NOTIFY_SOCKET: socket.name, WATCHDOG_USEC: '2000000' });

async function onSockets(count: number, work: (sockets: NotifySocket[]) => Promise<void>): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => NotifySocket.open()));
  try {
    await work(sockets);
  } finally {
    for (const socket of sockets) socket.close();
  }
}

together(
  test,
  {
    'IMG-022 a guard is ready when it holds its place, and a frozen one sends no WATCHDOG': () =>
      onSockets(1, ([socket]) =>
        onGuardedRig(async (rig) => {
          assert.ok(socket);
          const guard = await rig.guard(unitOf(socket));
          await socket.until('READY=1');
          await socket.until('WATCHDOG=1', 3);
          guard.child.kill('SIGSTOP');
          await systemClock.sleep(200);
          const count = socket.count('WATCHDOG=1');
          await systemClock.sleep(2000);
          assert.is(socket.count('WATCHDOG=1'), count);
        }),
      ),

    'IMG-022 of two units the second is ready while it waits; SIGTERM ends one, and the other takes its place':
      () =>
        onSockets(2, ([one, other]) =>
          onGuardedRig(async (rig) => {
            assert.ok(one && other);
            const first = await rig.guard(unitOf(one));
            const second = rig.launch('svc-guard', [], unitOf(other));
            await other.until('READY=1');
            await other.until('WATCHDOG=1', 2);
            assert.not.match(second.text(), '"ready":true');
            first.child.kill('SIGTERM');
            assert.is((await first.ended).code, 0);
            await one.until('STOPPING=1');
            await second.until('"ready":true');
            assert.is(other.count('STOPPING=1'), 0);
          }),
        ),

    'IMG-020 svc-guard --once --boot makes the rig safe and leaves no stop in force': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        await rig.actuate(bridge);
        bridge.child.kill('SIGKILL');
        await bridge.ended;
        assert.is.not((await rig.outputsOn()).length, 0);
        const boot = rig.launch('svc-guard', ['--once', '--boot']);
        const { code, stdout, stderr } = await boot.ended;
        assert.is(code, 0, stdout + stderr);
        assert.equal(await rig.outputsOn(), []);
        const report = JSON.parse(stdout) as GuardReport;
        assert.equal([report.outcome, report.reason, report.operator_stop], ['safe', 'boot', undefined]);
        assert.is(existsSync(join(rig.stateDir, 'operator-stop.json')), false);
        await rig.actuate(await rig.settledBridge());
      }),

    'IMG-020 svc-guard --once --boot exits with 3 when a device cannot be proven off': () =>
      onGuardedRig(async (rig) => {
        await rig.knobs('modbus-io', { silent: true });
        const { code, stdout } = await rig.launch('svc-guard', ['--once', '--boot']).ended;
        assert.is(code, 3, stdout);
      }),

    'svc-guard --once --boot beside a running guard does nothing and exits with 75': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        await rig.guardOf(bridge);
        await rig.actuate(bridge);
        const { code, stderr } = await rig.launch('svc-guard', ['--once', '--boot']).ended;
        assert.is(code, 75);
        assert.match(stderr, 'another guard of this rig runs, nothing was done');
        assert.is((await rig.outputsOn()).length, 3);
      }),

    'svc-guard --once --boot in mock mode exits with 0, and --boot alone is refused': () =>
      onGuardedRig(async (rig) => {
        const mock = rig.launch('svc-guard', ['--once', '--boot'], { SVC_HARDWARE_MODE: 'mock' });
        const { code, stderr } = await mock.ended;
        assert.is(code, 0, stderr);
        assert.match(stderr, 'no device is driven');
        assert.is((await rig.launch('svc-guard', ['--boot']).ended).code, 2);
      }),
  },
  { timeoutMs: 120_000 },
);

test.run();
