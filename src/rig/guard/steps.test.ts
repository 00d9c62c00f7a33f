import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { acquireLock, LockHeldError } from '../../lib/lock/lock.ts';
import { suite } from '../../lib/testing/suite.ts';
import { exchangeJson } from '../../transports/index.ts';
import { RigError } from '../hardware/rig-error.ts';
import type { StepResult } from '../safe-state/safe-state.ts';
import { insistent } from './insistent-step.ts';
import { ServiceSteps } from './service-step.ts';

const test = suite('steps of the guard');
const done = (detail: string): StepResult => ({ status: 'done', verified: true, detail });
const held = (service: string) =>
  new LockHeldError('serial-x', { service, pid: 1, port: null, since: '2025-01-15T10:00:00.000Z' });

/** Runs a step that fails so often before it is done. */
async function insist(failures: number, fault: unknown) {
  const clock = new SteppedClock();
  let tries = 0;
  let heldByBridge = 0;
  const step = insistent(
    'valves_off',
    async () => {
      tries += 1;
      if (tries <= failures) throw fault;
      return done('off');
    },
    clock,
    () => {
      heldByBridge += 1;
    },
  );
  const result = step(new AbortController().signal).then(
    ({ detail }) => detail,
    (thrown: Error) => thrown.message,
  );
  await clock.advance(2000);
  return { result: await result, tries, heldByBridge, pending: clock.pending };
}

test('a device that is held or away is tried again until the cap is near; then the reason is told', async () => {
  assert.equal(await insist(3, held('svc-x')), { result: 'off', tries: 4, heldByBridge: 0, pending: 0 });
  assert.is((await insist(3, new RigError('device_unavailable', 'modbus-io', 'away'))).result, 'off');
  const never = await insist(1000, held('svc-x'));
  assert.match(never.result, 'serial-x is held by svc-x (pid 1');
  assert.ok(never.tries > 20, `${never.tries} tries`);
});

test('a failure of the device itself is told at once, and a bridge that is back is not waited for', async () => {
  const broken = await insist(1, new RigError('valve_unverified', 'modbus-io', 'still open'));
  assert.equal([broken.tries, broken.result], [1, 'modbus-io: still open']);
  const bridge = await insist(1, held('svc-bridge'));
  assert.equal([bridge.tries, bridge.heldByBridge], [1, 1]);
});

/** One step behind a service that answers like this. @returns what came of it, and how often it was driven directly */
async function behind(listener: RequestListener | 'absent') {
  const server = createServer(listener === 'absent' ? undefined : listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (listener === 'absent') await new Promise<void>((resolve) => server.close(() => resolve()));
  const killed: string[] = [];
  let driven = 0;
  const steps = new ServiceSteps({
    ...{ service: 'svc-pump', baseUrl, lockKey: `guard-test-${process.pid}`, clock: systemClock },
    onKilled: (who) => killed.push(who),
  });
  const step = steps.step(
    async (signal) => {
      const options = { clock: systemClock, timeoutMs: 2000, maxBytes: 1000, signal };
      const { status, value } = await exchangeJson(`${baseUrl}/api/stop`, {
        ...options,
        method: 'POST',
      }).catch((cause: unknown) => {
        throw new RigError('device_unavailable', 'pump-motor', 'no answer', cause);
      });
      if (status !== 200) throw new RigError('device_error', 'pump-motor', JSON.stringify(value));
      return done('by the service');
    },
    async () => {
      driven += 1;
      return done('directly');
    },
  );
  const result = await step(new AbortController().signal).then(
    ({ detail }) => detail,
    (thrown: Error) => thrown.message,
  );
  server.closeAllConnections();
  server.close();
  return { result, driven, killed };
}

test('a service that lives does it itself, also when it takes its time', async () => {
  const slow: RequestListener = ({ url }, response) => {
    const delayMs = url === '/health' ? 0 : 500;
    void systemClock.sleep(delayMs).then(() => response.end('{"ok":true}'));
  };
  assert.equal(await behind(slow), { result: 'by the service', driven: 0, killed: [] });
});

test('a service that lives and could not do it is not driven past', async () => {
  const refusing: RequestListener = (_request, response) => {
    response.statusCode = 503;
    response.end('{"ok":false}');
  };
  assert.equal(await behind(refusing), { result: 'pump-motor: {"ok":false}', driven: 0, killed: [] });
});

test('a service that is gone or gives no sign of life is driven past; a holder that is not its program is never ended', async () => {
  const key = `guard-test-${process.pid}`;
  const identity = () => ({ service: 'svc-other', pid: process.pid, port: null, since: '' });
  const lock = await acquireLock({ key, identity });
  assert.equal(await behind('absent'), { result: 'directly', driven: 1, killed: [] });
  assert.equal(await behind(() => {}), { result: 'directly', driven: 1, killed: [] });
  await lock.release();
});

test.run();
