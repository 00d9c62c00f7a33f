import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { COMMANDS } from '../commands/table.ts';
import { loadScenario } from '../load.ts';
import { editorDataText } from './editor-data.ts';
import { languagePage } from './language-page.ts';

const test = suite('command table');

test('docs/language.md is what the command table says (npm run docs)', () => {
  assert.is(readFileSync('docs/language.md', 'utf8'), languagePage());
});

test('docs/language.json, for editors, is what the tables say (npm run docs)', () => {
  assert.is(readFileSync('docs/language.json', 'utf8'), editorDataText());
});

for (const spec of COMMANDS)
  for (const example of spec.examples)
    test(`the example of ${spec.name} reads without an error: ${example.split('\n')[0]}`, () => {
      const body = example
        .split('\n')
        .map((line) => `  ${line}`)
        .join('\n');
      const { diagnostics, document } = loadScenario(`GOAL:\n  SET NAME 'Example'\n${body}\n`, 'example.oql');
      assert.equal(
        diagnostics.filter((one) => one.severity === 'error').map((one) => `${one.code} ${one.message}`),
        [],
      );
      const [goal] = document.items;
      assert.ok(goal?.type === 'block');
      assert.not(goal.type === 'block' && goal.items.some((item) => item.type === 'unknown'));
    });

test('every command that can run has an example', () => {
  const without = COMMANDS.filter((spec) => spec.examples.length === 0).map((spec) => spec.name);
  // These need another block, goal or file beside them; the text cases show them.
  assert.equal(without, ['CALL', 'FUNC', 'INCLUDE', 'GOTO']);
});

test.run();
