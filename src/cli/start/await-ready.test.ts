import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { awaitReady, type Ready } from './await-ready.ts';
import { createParts } from './folder-content.ts';
import { runtimeFolder } from './runtime-folder.ts';

const path = mkdtempSync(join(tmpdir(), 'await-ready-'));
const test = suite('waiting for a service');
test.after(() => rmSync(path, { recursive: true, force: true }));

function world() {
  const folder = runtimeFolder('/', mkdtempSync(join(path, 'rig-')), '/');
  createParts(folder);
  mkdirSync(join(folder.pm2, 'pids'));
  const pidFile = join(folder.pm2, 'pids', 'svc-bridge-1.pid');
  writeFileSync(pidFile, '123');
  const clock = new SteppedClock();
  const stop = new AbortController();
  const waiting = awaitReady('svc-bridge', folder, { limitMs: 1000, clock, signal: stop.signal });
  const log = (stream: 'out' | 'err', text: string) =>
    writeFileSync(join(folder.logs, `svc-bridge.${stream}.log`), text);
  return { waiting, clock, stop, pidFile, log };
}

async function refusal(waiting: Promise<Ready>): Promise<string> {
  try {
    await waiting;
  } catch (error) {
    return messageOf(error);
  }
  throw new Error('it became ready');
}

test('the last line that says so counts, a half one does not', async () => {
  const { waiting, clock, log } = world();
  log('out', 'starting\n{"ready":true,"url":"http://127.0.0.1:1","p');
  await clock.advance(100);
  log('out', 'starting\n{"ready":true,"url":"http://127.0.0.1:1","pid":123}\n');
  await clock.advance(100);
  assert.equal(await waiting, { url: 'http://127.0.0.1:1', pid: 123 });
  assert.is(clock.pending, 0);
});

test('a service that ended is reported at once, with its last lines', async () => {
  const { waiting, clock, log, pidFile } = world();
  const told = refusal(waiting);
  log('err', 'svc-bridge: plugins.modbus-io: unknown key\n');
  rmSync(pidFile);
  await clock.advance(100);
  assert.match(await told, /^svc-bridge ended before it was ready; its last lines:\n {4}svc-bridge: plugins/);
});

test('a service that was started again had ended', async () => {
  const { waiting, clock, pidFile } = world();
  const told = refusal(waiting);
  writeFileSync(pidFile, '124');
  await clock.advance(100);
  assert.is(await told, 'svc-bridge ended before it was ready and said nothing');
});

test('a service that hangs is told after the limit', async () => {
  const { waiting, clock, log } = world();
  const told = refusal(waiting);
  log('err', 'opening the devices\n');
  await clock.advance(1100);
  assert.match(await told, /^svc-bridge was not ready within 1 s; .*\n {4}opening the devices/);
});

test('a wish to stop ends the wait', async () => {
  const { waiting, clock, stop } = world();
  const told = refusal(waiting);
  await clock.advance(100);
  stop.abort(new Error('stopped by SIGINT'));
  assert.is(await told, 'stopped by SIGINT');
  assert.is(clock.pending, 0);
});

test.run();
