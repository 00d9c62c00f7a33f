import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { systemClock } from '../lib/clock/clock.ts';
import { STARTED_BY_VARIABLE } from './end-with-parent.ts';
import { suite } from './suite.ts';

const test = suite('what a program starts ends with it');

const MODULE = fileURLToPath(new URL('./end-with-parent.ts', import.meta.url));
/** Starts a program that starts another one and is deaf to signals; then says where its folder is. */
const STARTER = `
import { spawn } from 'node:child_process';
const { temporaryFolder } = await import(process.argv[1]);
const folder = temporaryFolder('ends-');
const deaf = "process.on('SIGTERM', () => {}); require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true }); setInterval(() => {}, 1000)";
spawn(process.execPath, ['-e', deaf], { detached: true, stdio: 'ignore' });
console.log(folder);
setInterval(() => {}, 1000);
`;

function startedBy({ pid }: ChildProcess): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => {
      try {
        return readFileSync(`/proc/${one}/environ`, 'utf8').includes(`\0${STARTED_BY_VARIABLE}=${pid}-`);
      } catch {
        return false;
      }
    });
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const)
  test(`after ${signal} nothing is left that it has started, and no folder`, async () => {
    // Without the mark of a test, whose runner would look first.
    const env = { PATH: process.env.PATH ?? '' };
    const args = ['--import', 'tsx', '--input-type=module', '-e', STARTER, MODULE];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [chunk] = (await new Promise((resolve) => child.stdout.once('data', (...all) => resolve(all)))) as [
      Buffer,
    ];
    const folder = chunk.toString().trim();
    while (startedBy(child).length < 2) await systemClock.sleep(20);
    assert.ok(existsSync(folder));
    child.kill(signal);
    while (startedBy(child).length > 0 || existsSync(folder)) await systemClock.sleep(20);
  });

test('a script of several programs becomes the last one, so that a signal to npm reaches it', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const [name, script] of Object.entries<string>(scripts)) {
    const [last, ...before] = script.split(' && ').toReversed();
    if (before.length > 0) assert.match(String(last), /^exec /, name);
  }
});

test.run();
