import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { processIdOf } from '../../lib/proc.ts';
import { suite } from '../../test-kit/suite.ts';
import { endOwnProcesses, ownProcesses } from './own-processes.ts';
import { runtimeFolder } from './runtime-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'own-'));
const folder = runtimeFolder('/', join(base, 'rig'), '/');
const children: ChildProcess[] = [];
const test = suite('processes of a start');
test.after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

/** Runs a script of that name until it is ended. */
async function run(name: string, env: Record<string, string>, ...args: string[]): Promise<number> {
  const script = join(base, name);
  writeFileSync(
    script,
    "if (process.env.TITLE) process.title = process.env.TITLE; console.log('up'); setInterval(() => {}, 1e6)",
  );
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

test('only our programs that carry the folder count', async () => {
  const mark = { RIG_RUNTIME_DIR: folder.path };
  const bench = await run('svc-bench.cjs', mark);
  const bridge = await run('svc-bridge.cjs', mark);
  const daemon = await run('daemon.cjs', { ...mark, TITLE: `PM2 v7.0.4: God Daemon (${folder.pm2})` });
  const foreign = [
    await run('editor.cjs', mark),
    await run('svc-bridge.cjs', { RIG_RUNTIME_DIR: `${folder.path}2` }),
    await run('svc-bench.cjs', {}),
    await run('other.cjs', { TITLE: `PM2 v7.0.4: God Daemon (${folder.pm2})` }),
  ];
  const found = ownProcesses(folder).map(({ pid, role }) => `${role} ${pid}`);
  assert.equal(found.sort(), [`pm2 ${daemon}`, `svc-bench ${bench}`, `svc-bridge ${bridge}`]);

  await endOwnProcesses(folder, systemClock, ['svc-bridge']);
  assert.equal(
    ownProcesses(folder)
      .map(({ role }) => role)
      .sort(),
    ['pm2', 'svc-bench'],
  );
  await endOwnProcesses(folder, systemClock);
  assert.equal(ownProcesses(folder), []);
  assert.equal(
    foreign.map((pid) => processIdOf(pid) !== undefined),
    [true, true, true, true],
  );
});

test('what PM2 has started is distinguished from what a person has started, and a pm2 command that changes something counts', async () => {
  const mark = { RIG_RUNTIME_DIR: folder.path };
  const child = await run('svc-adc-usb.cjs', { ...mark, pm_id: '0' });
  const byHand = await run('svc-adc-uart.cjs', mark);
  mkdirSync(join(base, 'pm2', 'bin'), { recursive: true });
  const command = await run('pm2/bin/pm2', mark, 'delete', 'svc-adc-usb');
  await run('pm2/bin/pm2', mark, 'logs');
  const found = ownProcesses(folder)
    .sort((one, other) => one.pid - other.pid)
    .map(({ pid, role, bornSupervised }) => [pid, role, bornSupervised]);
  assert.equal(found, [
    [child, 'svc-adc-usb', true],
    [byHand, 'svc-adc-uart', false],
    [command, 'pm2-command', false],
  ]);
  await endOwnProcesses(folder, systemClock);
  assert.equal(ownProcesses(folder), []);
});

test.run();
