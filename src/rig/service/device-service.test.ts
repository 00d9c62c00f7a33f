import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../lib/liveness/heartbeat-monitor.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from '../configuration/load-config.ts';
import { parseConfig } from '../configuration/read-file.ts';
import { startDeviceService } from './device-service.ts';

const test = suite('service that owns a device');

interface Life {
  /** Greetings and last words, in order. */
  heard: JsonLine[];
  shutDown(): Promise<unknown>;
}

/** A service without routes, and a watcher of its life line. @param isSafe how it leaves its device */
async function living(
  { mode = 'real', isGuarded = true, isSafe = true },
  work: (life: Life) => Promise<void>,
): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'device-service-'));
  const env = { SVC_HARDWARE_MODE: mode, SVC_STATE_DIR: stateDir };
  const log = () => {};
  const running = await startDeviceService(
    {
      ...{ service: 'svc-test', description: 'x', prefix: 'SVC_TEST', defaultPort: 1, isGuarded },
      build: () => ({ routes: [], open: async () => {}, shutDown: async () => isSafe }),
    },
    {
      ...{ env, bind: { host: '127.0.0.1', port: 0 }, clock: systemClock },
      config: mergeConfig(parseConfig('', 'svc.yaml'), env),
      logger: { debug: log, info: log, warn: log, error: log },
    },
  );
  const heard: JsonLine[] = [];
  const watch = new HeartbeatMonitor({
    ...{ address: liveAddress('svc-test', rigKey(stateDir)), clock: systemClock, name: 'test' },
    onHello: (hello) => heard.push(hello),
    onLine: (line) => {
      if (line.beat === undefined) heard.push(line);
    },
    onGone: () => heard.push({ gone: true }),
  });
  watch.start();
  try {
    await work({ heard, shutDown: () => running.shutDown('test_end') });
  } finally {
    await running.shutDown('test_end');
    watch.stop();
    rmSync(stateDir, { recursive: true });
  }
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

test('SVC-041 what moves something has a life line, and reports that it ends and how it left its device', async () => {
  for (const isSafe of [true, false])
    await living({ isSafe }, async ({ heard, shutDown }) => {
      const hello = { service: 'svc-test', pid: process.pid, closing: false };
      await until(() => heard.length > 0);
      assert.equal(heard, [hello]);
      await shutDown();
      await until(() => heard.length === 4);
      assert.equal(heard, [hello, { closing: true }, { left_safe: isSafe }, { gone: true }]);
    });
});

test('SVC-008 in mock mode there is no guard, and what only reads is not guarded at all', async () => {
  for (const how of [{ mode: 'mock' }, { isGuarded: false }])
    await living(how, async ({ heard }) => {
      await systemClock.sleep(200);
      assert.equal(heard, []);
    });
});

test.run();
