import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { processIdOf } from '../../lib/proc.ts';
import { suite } from '../../test-kit/suite.ts';
import { UnresponsiveTime } from './unresponsive-time.ts';

const test = suite('time that a process had');
const BUSY = "process.stdout.write('up'); setImmediate(() => { for (;;); })";
const IDLE = "process.stdout.write('up'); setInterval(() => {}, 1000)";

async function up(command: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** Looks for so long, every few milliseconds. @returns what counted */
async function watched(child: ChildProcess, ms: number): Promise<number> {
  const mark = processIdOf(child.pid ?? 0);
  assert.ok(mark);
  const own = new UnresponsiveTime(mark, systemClock);
  const startedAt = systemClock.monotonic();
  while (systemClock.monotonic() - startedAt < ms) {
    await systemClock.sleep(2);
    own.look();
  }
  return own.ms;
}

/** Until it has had so much. The runner's limit ends one that never does. */
async function has(child: ChildProcess, ownMs: number): Promise<void> {
  const mark = processIdOf(child.pid ?? 0);
  assert.ok(mark);
  const own = new UnresponsiveTime(mark, systemClock);
  while (own.ms < ownMs) {
    await systemClock.sleep(2);
    own.look();
  }
}

for (const [title, script, signal] of [
  ['is busy', BUSY, undefined],
  ['is stopped', BUSY, 'SIGSTOP'],
  ['waits', IDLE, undefined],
] as const)
  test(`a process that ${title} has time of its own`, async () => {
    const child = await up(process.execPath, '-e', script);
    if (signal) child.kill(signal);
    await has(child, 60);
    child.kill('SIGKILL');
  });

const SCHEDSTAT = '/proc/self/schedstat';
const counts = existsSync(SCHEDSTAT) && Number(readFileSync(SCHEDSTAT, 'utf8').split(' ')[0]) > 0;
test.needs(counts, `this kernel does not count processor time (${SCHEDSTAT})`)(
  'the time in which it waits for a processor is not its own',
  async () => {
    const busy = ['sh', '-c', 'echo up; while :; do :; done'];
    const status = readFileSync('/proc/self/status', 'utf8');
    const processor = /^Cpus_allowed_list:\s*(\d+)/m.exec(status)?.[1] ?? '0';
    const others = await Promise.all([1, 2, 3].map(() => up('taskset', '-c', processor, ...busy)));
    const starved = await up('taskset', '-c', processor, 'nice', '-n', '19', ...busy);
    const ownMs = await watched(starved, 400).finally(() => {
      for (const child of [...others, starved]) child.kill('SIGKILL');
    });
    assert.ok(ownMs < 200, `${ownMs} ms of 400`);
  },
);

test.run();
