import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { deadExports } from './dead-exports.ts';
import { suite } from './suite.ts';

const test = suite('dead exports');
const top = fileURLToPath(new URL('../../', import.meta.url));

/** The compiler looks at the first, the loader of VS Code calls two, and the beginning of dist/svcctl.cjs calls the last. */
const CALLED_ELSEWHERE = [
  'src/scenario/commands/table.ts: Missing',
  'src/test-kit/fixtures/no-tests.fixture.ts: nothing',
  'editors/vscode/src/extension.ts: activate',
  'editors/vscode/src/extension.ts: deactivate',
  'src/cli/svcctl/quick-main.ts: quick',
];

test('every export is used', () => {
  const files = ['src', 'test-hil', 'editors'].flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
      .filter(({ name, parentPath }) => /\.tsx?$/.test(name) && !parentPath.includes('node_modules'))
      .map(({ name, parentPath }) => join(parentPath, name))
      .map((file) => ({ path: relative(top, file), text: readFileSync(file, 'utf8') })),
  );
  assert.ok(files.length > 1000, 'the sources were not found');
  assert.equal(deadExports(files).sort(), [...CALLED_ELSEWHERE].sort());
});

const uses: [text: string, dead: string[]][] = [
  ['', ['a.ts: one', 'a.ts: Two']],
  ["import { one, type Two } from './a.ts';", []],
  ["import { one as other } from './a.ts';", ['a.ts: Two']],
  ["export type { Two } from './a.ts';", ['a.ts: one']],
  ["import * as a from './a.ts';", []],
  ["const { one } = await import('./a.ts');", []],
  ["// import { one, Two } from './a.ts';", ['a.ts: one', 'a.ts: Two']],
  ["import { one, Two } from './b/a.ts';", ['a.ts: one', 'a.ts: Two']],
];
for (const [text, dead] of uses)
  test(`${text || 'nothing'} leaves ${dead.join(' and ') || 'none'}`, () => {
    const path = 'a.ts';
    const found = deadExports([
      { path, text: 'export const one = 1;\nexport interface Two {}' },
      { path: 'user.ts', text },
    ]);
    assert.equal(found, dead);
  });

test('an export that its own file uses is not dead', () => {
  assert.equal(deadExports([{ path: 'a.ts', text: 'export const one = 1;\nconst two = one;' }]), []);
});

test.run();
