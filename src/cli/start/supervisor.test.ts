import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { CliError } from '../errors/cli-error.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { Supervisor } from './supervisor.ts';

interface Context {
  path: string;
  supervisor: Supervisor;
  daemon: Server;
  /** What the program in PM2's place does. */
  program(script: string): void;
}

const test = suite<Context>('PM2 as a program beside ours');

test.before.each(async (context) => {
  context.path = mkdtempSync(join(tmpdir(), 'pm2-'));
  const folder = runtimeFolder('/', context.path, '/');
  const pm2 = join(context.path, 'pm2.cjs');
  context.program = (script) => writeFileSync(pm2, script);
  context.supervisor = new Supervisor({
    installation: { pm2, root: context.path, ecosystem: '/opt/rig/ecosystem.config.cjs' },
    folder,
    env: { PATH: process.env.PATH ?? '' },
    clock: systemClock,
  });
  mkdirSync(folder.pm2);
  context.daemon = createServer(() => {});
  await new Promise<void>((resolve) => context.daemon.listen(join(folder.pm2, 'rpc.sock'), resolve));
});

test.after.each(async ({ daemon, path }) => {
  await new Promise((resolve) => daemon.close(resolve));
  rmSync(path, { recursive: true, force: true });
});

async function refusal(work: Promise<unknown>): Promise<CliError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test('without a daemon it is not asked, for its command would start one', async ({
  supervisor,
  program,
  daemon,
}) => {
  program("require('node:fs').writeFileSync('asked', ''); console.log('[]')");
  assert.ok(await supervisor.isRunning());
  await new Promise((resolve) => daemon.close(resolve));
  assert.not(await supervisor.isRunning());
  assert.equal(await supervisor.list(), []);
});

test("the list is read behind PM2's own talk", async ({ supervisor, program }) => {
  const app = {
    name: 'svc-adc-usb',
    pid: 12,
    monit: { memory: 4096 },
    pm2_env: { status: 'online', restart_time: 3, pm_uptime: 99, exit_code: 0 },
  };
  const stopped = { name: 'svc-adc-uart', pm2_env: { status: 'stopped', exit_code: 75 } };
  program(
    `console.log('[PM2][WARN] In-memory PM2 is out-of-date'); console.log(${JSON.stringify(JSON.stringify([app, stopped]))})`,
  );
  assert.equal(await supervisor.list(), [
    {
      name: 'svc-adc-usb',
      pid: 12,
      state: 'online',
      restarts: 3,
      startedAt: 99,
      memoryBytes: 4096,
      exitCode: 0,
    },
    {
      name: 'svc-adc-uart',
      pid: 0,
      state: 'stopped',
      restarts: 0,
      startedAt: 0,
      memoryBytes: 0,
      exitCode: 75,
    },
  ]);
});

test('an app that PM2 will not start again is stopped, whatever PM2 calls it; one that waits has no process', async ({
  supervisor,
  program,
}) => {
  const held = { name: 'svc-adc-usb', pid: 0, pm2_env: { status: 'waiting restart', exit_code: 75 } };
  const crashed = { name: 'svc-adc-uart', pid: 99, pm2_env: { status: 'waiting restart', exit_code: 1 } };
  program(`console.log(${JSON.stringify(JSON.stringify([held, crashed]))})`);
  assert.equal(
    (await supervisor.list()).map(({ pid, state }) => [pid, state]),
    [
      [0, 'stopped'],
      [0, 'waiting restart'],
    ],
  );
});

test('an answer that is not a list is an error, never an empty list', async ({ supervisor, program }) => {
  for (const said of ['', 'pm2 is confused', '[{"name":']) {
    program(`console.log(${JSON.stringify(said)})`);
    const error = await refusal(supervisor.list());
    assert.is(error.code, 'supervisor_failed');
    assert.is(error.exitCode, 3);
    assert.match(error.message, /pm2 kill/);
  }
});

test('a command that fails is reported with what PM2 said', async ({ supervisor, program }) => {
  program("console.error('[PM2][ERROR] Script not found'); process.exit(1)");
  const error = await refusal(supervisor.start(['svc-adc-usb', 'svc-adc-uart']));
  assert.is(
    error.message,
    'pm2 start --only svc-adc-usb,svc-adc-uart ended with 1:\n    [PM2][ERROR] Script not found',
  );
});

test('a daemon that hangs is told after the limit', async ({ supervisor, program }) => {
  program('setInterval(() => {}, 1e6)');
  const error = await refusal(supervisor.ask(['delete', 'svc-adc-usb'], 200));
  assert.match(error.message, /^pm2 delete svc-adc-usb did not answer within 0.2 s/);
});

test.run();
