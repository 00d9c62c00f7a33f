import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { HeartbeatServer } from '../../lib/liveness/heartbeat-server.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from '../configuration/load-config.ts';
import { parseConfig } from '../configuration/read-file.ts';
import { newStopId, OperatorStopLatch } from '../safe-state/operator-stop.ts';
import { OperatorStopFile } from '../safe-state/operator-stop-record.ts';
import { BRIDGE, GUARD } from './bridge-life.ts';
import { Guard } from './guard.ts';

const test = suite('a guard that takes another configuration');

interface Scene {
  /** Acts. */
  first: Guard;
  next: Guard;
  /** A bridge of this process, as far as a guard sees it. */
  bridge(): void;
  /** The service of the pump, which holds its answers until then, has been asked. */
  isAsked(): boolean;
  answer(): void;
}

async function scene(work: (parts: Scene) => Promise<void>): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'guard-'));
  const held: (() => void)[] = [];
  let answers = false;
  const pump = createServer((request, response) => {
    const answer = () => response.writeHead(500).end('{}');
    if (answers || request.url?.startsWith('/health')) answer();
    else held.push(answer);
  });
  await new Promise<void>((resolve) => pump.listen(0, '127.0.0.1', resolve));
  const { port } = pump.address() as AddressInfo;
  const env = { SVC_HARDWARE_MODE: 'real', SVC_STATE_DIR: stateDir };
  const yaml = `plugins:
  lung-motor: { enabled: false }
  modbus-io: { enabled: false }
  pump-motor: { connection_type: http, connection_params: { base_url: "http://127.0.0.1:${port}" } }
`;
  const operatorStop = new OperatorStopLatch({
    ...{ record: new OperatorStopFile(stateDir), clock: systemClock, randomId: newStopId, log: () => {} },
  });
  const log = () => {};
  const since = '2025-01-15T10:00:00.000Z';
  const options = {
    ...{ config: mergeConfig(parseConfig(yaml, 'svc.yaml'), env), env, stateDir, clock: systemClock },
    logger: { debug: log, info: log, warn: log, error: log },
    identity: () => ({ service: GUARD, pid: process.pid, port: null, since }),
    operatorStop,
  };
  const first = new Guard(options);
  const next = new Guard({ ...options, isPartner: true });
  const line = new HeartbeatServer({
    address: liveAddress(BRIDGE, rigKey(stateDir)),
    clock: systemClock,
    log: () => {},
    hello: () => ({ service: BRIDGE, pid: process.pid, url: null, closing: false, safe_state: null }),
  });
  const answer = () => {
    answers = true;
    for (const one of held.splice(0)) one();
  };
  first.start();
  try {
    await work({ first, next, bridge: () => line.open(), isAsked: () => held.length > 0, answer });
  } finally {
    answer();
    operatorStop.close();
    await Promise.all([first.stop(), next.stop()]);
    line.close();
    pump.closeAllConnections();
    pump.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

test('SVC-053 it finishes the safe state under way before another one acts', () =>
  scene(async ({ first, next, isAsked, answer }) => {
    const order: string[] = [];
    const stopped = first.operatorStop({ by: 'anna' }).then(() => order.push('stopped'));
    await until(isAsked);
    const handed = first.handOver(next, () => order.push('taken'));
    await systemClock.sleep(500);
    assert.equal(order, []);
    answer();
    await Promise.all([stopped, handed]);
    assert.equal(order, ['stopped', 'taken']);
  }));

test('SVC-053 a stop goes to the next one only when that sees the bridge too', () =>
  scene(async ({ first, next, bridge }) => {
    bridge();
    await until(() => first.hasBridge);
    const seen: boolean[] = [];
    await first.handOver(next, () => seen.push(next.hasBridge));
    assert.equal([seen, next.hasBridge], [[true], true]);
  }));

test('SVC-053 a guard that ends meanwhile hands nothing over', () =>
  scene(async ({ first, next }) => {
    let isTaken = false;
    const handed = first.handOver(next, () => {
      isTaken = true;
    });
    await first.stop();
    await handed;
    assert.is(isTaken, false);
  }));

test.run();
