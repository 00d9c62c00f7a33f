import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';

const test = suite('docs/requirements.md');
const ID = /\b(?:LANG|DEV|SVC|DIAG|WIN|IMG|REC|PAGE|LSP)-\d{3}\b/g;

function idsInTests(): Set<string> {
  const ids = new Set<string>();
  for (const folder of ['src', 'test-hil'])
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.(?:test\.ts|case\.txt)$/.test(name))
        for (const [id] of readFileSync(path.join(folder, name), 'utf8').matchAll(ID)) ids.add(id);
  return ids;
}

const lines = readFileSync('docs/requirements.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('- '))
  .map((line) => line.slice(2, line.indexOf(' ', 2)));
const listed = new Set(lines);

test('it lists each requirement once', () => {
  assert.equal(
    lines.filter((id, at) => lines.indexOf(id) !== at),
    [],
  );
});

test('every requirement it lists is named by a test', () => {
  const named = idsInTests();
  assert.equal(
    [...listed].filter((id) => !named.has(id)),
    [],
  );
});

test('every requirement that a test names is listed', () => {
  assert.equal([...idsInTests()].filter((id) => !listed.has(id)).sort(), []);
});

test.run();
