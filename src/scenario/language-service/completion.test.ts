import * as assert from 'uvu/assert';
import { analyseMarked } from '../../test-kit/scenario/marked-text.ts';
import { suite } from '../../test-kit/suite.ts';
import { completionAt } from './completion.ts';

const test = suite('completion');

const GOAL = "GOAL:\n  SET NAME 'x'\n";

function labels(marked: string, files?: Record<string, string>): string[] {
  const { analysis, offset } = analyseMarked(marked, files);
  return completionAt(analysis, offset).items.map(({ label }) => label);
}

function replaced(marked: string): string {
  const { analysis, offset } = analyseMarked(marked);
  return analysis.source.slice({ from: completionAt(analysis, offset).from, to: offset });
}

test('an indented line of a goal offers commands and no block', () => {
  const found = labels(`${GOAL}  CH|`);
  assert.ok(found.includes('CHECK'));
  assert.not(found.includes('GOAL:'));
});

test('a line at the margin offers blocks, and metadata before the first one only', () => {
  assert.ok(labels('|').includes('GOAL:'));
  assert.ok(labels('|').includes('SCENARIO:'));
  assert.not(labels(`${GOAL}|`).includes('SCENARIO:'));
});

test('SET offers the actuators of the rig, then the values of the one named', () => {
  assert.ok(labels(`${GOAL}  SET va|`).includes('valve-3'));
  assert.equal(labels(`${GOAL}  SET valve-3 |`), ['on', 'off']);
  assert.equal(labels(`${GOAL}  SET lung '|`), ['start', 'stop']);
  assert.equal(labels(`${GOAL}  SET pump 5 |`).slice(0, 2), ['%', 'l/min']);
});

test('GET, CHECK and MIN offer sensors, and behind a number the units of that sensor', () => {
  for (const line of ['GET |', 'CHECK |', 'MIN |'])
    assert.ok(labels(`${GOAL}  ${line}`).includes('ai01'), line);
  const units = labels(`${GOAL}  CHECK AI01 <= 5 |`);
  assert.ok(units.includes('mbar') && units.includes('V'));
  assert.not(units.includes('l/min'));
  assert.ok(labels(`${GOAL}  MIN AI01 '5 |`).includes('mbar'));
});

test('variables of the text are offered where a value is read', () => {
  assert.ok(labels(`${GOAL}  GET AI01\n  SAVE low\n  GET |`).includes('low'));
});

test('CALL offers macros of the text and of its includes, quoted where the name needs it', () => {
  const files = { 'lib.oql': 'MACRO settle down:\n  WAIT $1\n' };
  const { analysis, offset } = analyseMarked(
    `INCLUDE 'lib.oql'\nMACRO hold:\n  WAIT 1s\n${GOAL}  CALL |`,
    files,
  );
  const found = completionAt(analysis, offset).items.map(({ text, detail }) => [text, detail]);
  assert.equal(found, [
    ['hold', 'no arguments'],
    ["'settle down'", '1 argument'],
  ]);
});

test('INCLUDE offers files, GOTO goals, SAMPLE its actions, WAIT its units', () => {
  assert.equal(labels("INCLUDE '|", { 'lib/a.oql': '' }), ['lib/a.oql']);
  assert.equal(labels(`${GOAL}  GOTO |`), ['x']);
  assert.equal(labels(`${GOAL}  SAMPLE AI01 |`), ['START', 'STOP']);
  assert.equal(labels(`${GOAL}  WAIT 5 |`), ['ms', 's', 'min', 'h']);
});

test('the word under the cursor is replaced, also inside quotes', () => {
  assert.is(replaced(`${GOAL}  CHE|`), 'CHE');
  assert.is(replaced(`${GOAL}  GET 'AI|`), 'AI');
  assert.is(replaced(`${GOAL}  MIN AI01 '5 mb|`), 'mb');
});

test('comments, headers, texts and closed quotes offer nothing', () => {
  for (const line of ['  # |', '  CHECK AI01 <= 5 V # |', "  LOG '|", "  SET 'valve-1'|"])
    assert.equal(labels(`${GOAL}${line}`), [], line);
  assert.equal(labels('GOAL: |'), []);
});

test.run();
