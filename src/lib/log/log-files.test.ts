import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { SteppedClock } from '../clock/stepped-clock.ts';
import { LogFiles, logFilesOf } from './log-files.ts';

const test = suite('log files');
let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-files-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

const line = (text: string) => `${text.padEnd(99, '.')}\n`;

test('SVC-061 a log file and the one before stay below logs.max_mb together, and the newest lines are kept', async () => {
  const path = join(folder, 'svc-pump.err.log');
  const files = new LogFiles({ paths: [path], maxMb: 1, clock: new SteppedClock() });
  let written = 0;
  for (let round = 0; round < 30; round++) {
    for (let n = 0; n < 1000; n++) appendFileSync(path, line(`line ${written++}`));
    await files.rotate();
    const before = existsSync(`${path}.1`) ? statSync(`${path}.1`).size : 0;
    assert.ok(statSync(path).size + before <= 1_000_000);
  }
  const kept = readFileSync(`${path}.1`, 'utf8') + readFileSync(path, 'utf8');
  assert.ok(kept.endsWith(line(`line ${written - 1}`)));
  assert.ok(kept.split('\n').length > 5000);
});

test('SVC-061 a file that cannot be copied is emptied all the same; one that is missing is left alone', async () => {
  const path = join(folder, 'svc-pump.err.log');
  mkdirSync(`${path}.1`);
  appendFileSync(path, 'x'.repeat(600_000));
  await new LogFiles({ paths: [path, join(folder, 'none')], maxMb: 1, clock: new SteppedClock() }).rotate();
  assert.is(statSync(path).size, 0);
  assert.not(existsSync(join(folder, 'none')));
});

test('SVC-061 the files are those that PM2 writes, and are checked again and again', async () => {
  const clock = new SteppedClock();
  const base = join(folder, 'svc-bridge');
  logFilesOf({ RIG_LOG_FILES: `${base}.out.log:${base}.err.log` }, 1, clock).start();
  for (const stream of ['out', 'err']) {
    appendFileSync(`${base}.${stream}.log`, 'x'.repeat(600_000));
    while (statSync(`${base}.${stream}.log`).size > 0) {
      await clock.advance(5000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  logFilesOf({}, 1, clock).start();
});

test.run();
