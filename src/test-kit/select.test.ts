import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { selectTestFiles } from './select.ts';
import { suite } from './suite.ts';

const test = suite<{ root: string }>('selection of test files', { root: '' });

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'select-'));
  for (const file of [
    'src/lib/a.test.ts',
    'src/lib/a.ts',
    'test-hil/rig/b.test.ts',
    'src/node_modules/c.test.ts',
  ]) {
    mkdirSync(join(context.root, file, '..'), { recursive: true });
    writeFileSync(join(context.root, file), '');
  }
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

test('without arguments all test files, those of the rig first', ({ root }) => {
  assert.equal(selectTestFiles(root, []), {
    files: ['test-hil/rig/b.test.ts', 'src/lib/a.test.ts'],
    empty: [],
  });
});

test('an argument is a file, a folder or a part of a name', ({ root }) => {
  assert.equal(selectTestFiles(root, ['src/lib/a.ts']).files, ['src/lib/a.ts']);
  assert.equal(selectTestFiles(root, ['src']).files, ['src/lib/a.test.ts']);
  assert.equal(selectTestFiles(root, ['rig/b']).files, ['test-hil/rig/b.test.ts']);
});

test('a file that two arguments name is taken once', ({ root }) => {
  assert.equal(selectTestFiles(root, ['src', 'a.test']).files, ['src/lib/a.test.ts']);
});

test('an argument without a test file is reported, also beside one that has some', ({ root }) => {
  assert.equal(selectTestFiles(root, ['src', 'nothing']), {
    files: ['src/lib/a.test.ts'],
    empty: ['nothing'],
  });
});

test('a project without any test is reported', ({ root }) => {
  assert.equal(selectTestFiles(join(root, 'src'), []), { files: [], empty: ['test-hil', 'src'] });
});

test.run();
