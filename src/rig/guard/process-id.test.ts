import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { abstractAddress } from '../../lib/liveness/abstract-address.ts';
import { isAlive, processIdOf } from '../../lib/proc.ts';
import { suite } from '../../test-kit/suite.ts';
import { killMarked, listenerOf, runsProgram } from './process-id.ts';

const test = suite('process mark');
const folder = mkdtempSync(join(tmpdir(), 'mark-'));
const children: ChildProcess[] = [];
test.after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function listening(name: string, address: string): Promise<ChildProcess & { pid: number }> {
  const path = join(folder, name);
  writeFileSync(
    path,
    `require('net').createServer().listen(${JSON.stringify(address)}, () => console.log('up'))`,
  );
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child as ChildProcess & { pid: number };
}

test('the process that listens on an address is found, also while it stands still, and by its program', async () => {
  const address = abstractAddress(`svc-lock/mark-${process.pid}`);
  assert.is(listenerOf(address), undefined);
  const child = await listening('svc-pump.cjs', address);
  child.kill('SIGSTOP');
  const mark = listenerOf(address);
  assert.is(mark?.pid, child.pid);
  if (!mark) throw new Error('not found');
  assert.equal([runsProgram(mark, 'svc-pump'), runsProgram(mark, 'svc-lung')], [true, false]);
  assert.is(await killMarked(mark, 5000, systemClock), true);
  assert.equal([isAlive(mark), listenerOf(address)], [false, undefined]);
});

test('a pid that belongs to another process by now is left alone', async () => {
  const child = await listening('other.cjs', abstractAddress(`svc-lock/mark-other-${process.pid}`));
  const stranger = { pid: child.pid, startTicks: '1' };
  assert.is(await killMarked(stranger, 1000, systemClock), true, 'the one that was meant is gone');
  await systemClock.sleep(50);
  assert.is(child.exitCode ?? child.signalCode, null);
  assert.ok(processIdOf(child.pid));
});

test('a process that ended and was not asked for by its parent is no longer alive', async () => {
  copyFileSync('/bin/sleep', join(folder, 'sleep'));
  const parent = spawn('sh', [
    '-c',
    `${join(folder, 'sleep')} 0.2 & echo $!; exec ${join(folder, 'sleep')} 5`,
  ]);
  children.push(parent);
  const [data] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(data.toString());
  const mark = processIdOf(pid);
  if (!mark) throw new Error('it is not there yet');
  while (isAlive(mark)) await systemClock.sleep(10);
  assert.is(processIdOf(pid), undefined);
});

test.run();
