import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { TraceFile } from './trace-file.ts';

const test = suite('trace file');
let folder = '';
let path = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'trace-file-'));
  path = join(folder, 'trace.ndjson');
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

const entry = (n: number) => JSON.stringify({ n, note: 'é'.repeat(500) });
const numbersIn = (file: string): number[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { n: number }).n]));

test('SVC-061 a bounded trace and the one before stay below their size together, and the newest entries are whole', () => {
  const file = new TraceFile(path, 1);
  for (let n = 0; n < 3000; n++) {
    file.append(entry(n));
    const before = existsSync(`${path}.1`) ? statSync(`${path}.1`).size : 0;
    assert.ok(statSync(path).size + before <= 1_000_000);
  }
  file.close();
  const kept = [...numbersIn(`${path}.1`), ...numbersIn(path)];
  assert.is(kept.at(-1), 2999);
  assert.ok(kept.length > 450);
  assert.equal(
    kept,
    kept.map((_, n) => 3000 - kept.length + n),
    'none is missing between the two files',
  );
});

test('SVC-061 what a bench before has left counts', () => {
  appendFileSync(path, `${'x'.repeat(499_000)}\n`);
  const file = new TraceFile(path, 1);
  file.append(entry(1));
  file.close();
  assert.equal([numbersIn(path), statSync(`${path}.1`).size], [[1], 499_001]);
});

test('without a bound the file has all of it', () => {
  const file = new TraceFile(path);
  for (let n = 0; n < 1000; n++) file.append(entry(n));
  file.close();
  assert.equal([numbersIn(path).length, existsSync(`${path}.1`)], [1000, false]);
});

test.run();
