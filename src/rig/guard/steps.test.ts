import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { acquireLock, LockHeldError } from '../../lib/lock/lock.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { suite } from '../../test-kit/suite.ts';
import { exchangeJson, TransportError } from '../../transports/index.ts';
import { RigError } from '../hardware/rig-error.ts';
import type { StepResult } from '../safe-state/safe-state.ts';
import { retryUntilCap } from './retry-until-cap.ts';
import { type LifeSign, ServiceSteps } from './service-step.ts';

const test = suite('steps of the guard');
const done = (detail: string): StepResult => ({ status: 'done', verified: true, detail });
const held = (service: string) =>
  new LockHeldError('serial-x', { service, pid: 1, port: null, since: '2025-01-15T10:00:00.000Z' });

/** Runs a step that fails so often before it is done. */
async function insist(failures: number, fault: unknown) {
  const clock = new SteppedClock();
  let tries = 0;
  let heldByBridge = 0;
  const step = retryUntilCap(
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

test('a device that is held or away is tried again until the cap is near; then the reason is reported', async () => {
  assert.equal(await insist(3, held('svc-x')), { result: 'off', tries: 4, heldByBridge: 0, pending: 0 });
  assert.is((await insist(3, new RigError('device_unavailable', 'modbus-io', 'away'))).result, 'off');
  const never = await insist(1000, held('svc-x'));
  assert.match(never.result, 'serial-x is held by svc-x (pid 1');
  assert.ok(never.tries > 20, `${never.tries} tries`);
});

test('a failure of the device itself is reported at once, and a bridge that is back is not waited for', async () => {
  const broken = await insist(1, new RigError('valve_unverified', 'modbus-io', 'still open'));
  assert.equal([broken.tries, broken.result], [1, 'modbus-io: still open']);
  const bridge = await insist(1, held('svc-bridge'));
  assert.equal([bridge.tries, bridge.heldByBridge], [1, 1]);
});

/** One step behind a service that answers like this. @returns what came of it, and how often it was driven directly */
async function behind(listener: RequestListener | 'absent', sign = (): LifeSign => 'unknown') {
  const server = createServer(listener === 'absent' ? undefined : listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (listener === 'absent') await new Promise<void>((resolve) => server.close(() => resolve()));
  const killed: string[] = [];
  let driven = 0;
  const steps = new ServiceSteps({
    ...{ service: 'svc-pump', baseUrl, lockKey: `guard-test-${process.pid}`, clock: systemClock },
    onKilled: (who) => killed.push(who),
    sign,
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

/** A process of the program `svc-twin` that holds the lock of its device. */
async function holderOf(key: string, folder: string): Promise<ChildProcess> {
  const script = join(folder, 'svc-twin.cjs');
  const address = JSON.stringify(lockAddress(key));
  writeFileSync(script, `require('net').createServer().listen(${address}, () => console.log('up'))`);
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

const refused = () =>
  new RigError(
    'device_unavailable',
    'pump-motor',
    'refused',
    new TransportError('http_failed', 'x', 'refused'),
  );

/** Steps of one safe state, behind `svc-twin`. @param answers of the service, one for each call; `refused` when none is left */
async function insisting(answers: ('refused' | 'done')[], work: (rig: Insisting) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'guard-steps-'));
  const key = `guard-steps-${basename(folder)}`;
  const killed: string[] = [];
  const steps = new ServiceSteps({
    ...{ service: 'svc-twin', baseUrl: 'http://127.0.0.1:1', lockKey: key, clock: systemClock },
    onKilled: (who) => killed.push(who),
  });
  const step = steps.step(
    async () => {
      if (answers.shift() === 'done') return done('by the service');
      throw refused();
    },
    async () => done('directly'),
  );
  const children: ChildProcess[] = [];
  try {
    await work({
      killed,
      run: async () => (await step(new AbortController().signal)).detail,
      hold: async () => {
        const child = await holderOf(key, folder);
        children.push(child);
        return child;
      },
    });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

interface Insisting {
  killed: string[];
  run(): Promise<string>;
  hold(): Promise<ChildProcess>;
}

test('SVC-041 a service that holds its device and refuses twice is ended, and the device is driven directly', () =>
  insisting(['refused', 'refused'], async ({ run, hold, killed }) => {
    const { pid } = await hold();
    assert.is(await run(), 'directly');
    assert.equal(killed, [`svc-twin (pid ${pid})`]);
  }));

test('SVC-041 a service that came back just after it was asked is asked again, and never ended', () =>
  insisting(['refused', 'done'], async ({ run, hold, killed }) => {
    const { signalCode } = await hold();
    assert.is(await run(), 'by the service');
    assert.equal([killed, signalCode], [[], null]);
  }));

test('SVC-041 a service that came back while its device was driven for it is asked for the next step', () =>
  insisting(['refused', 'done'], async ({ run, hold, killed }) => {
    assert.is(await run(), 'directly');
    await hold();
    assert.is(await run(), 'by the service');
    assert.equal(killed, []);
  }));

test('SVC-041 a service that is gone is not asked for each step again', () =>
  insisting(['refused', 'done'], async ({ run }) => {
    assert.is(await run(), 'directly');
    assert.is(await run(), 'directly');
  }));

test('SVC-041 a service whose heart beats is given the whole step, though it answers no /health in time', async () => {
  const slow: RequestListener = (_request, response) =>
    void systemClock.sleep(600).then(() => response.end('{"ok":true}'));
  assert.is((await behind(slow, () => 'heard')).result, 'by the service');
  assert.is((await behind(slow, () => 'unknown')).result, 'directly');
});

test('SVC-041 a service that has stood still for long is not waited for', async () => {
  let asked = 0;
  const counting: RequestListener = (_request, response) => {
    asked += 1;
    response.end('{"ok":true}');
  };
  assert.is((await behind(counting, () => 'silent')).result, 'directly');
  assert.is(asked, 0);
});

test.run();
