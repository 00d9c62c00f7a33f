import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { parseCases } from '../cases/case-file.ts';
import { caseRig } from './cases/case-rig.ts';
import { loadChecked } from './load-checked.ts';

const test = suite('safety check of scenarios of all kinds');
const safety = caseRig(['--shipped', '--peripheral lamp'], 'here');
const AGAINST_CLOSED = 'GOAL a:\n  SET pump 20 %\n';

test('findings come after those of the reader, with code, name and position', () => {
  const { diagnostics } = loadChecked(AGAINST_CLOSED, 'x.oql', { safety });
  const [reader, found] = diagnostics;
  assert.is(reader?.code, 'SCN244');
  assert.equal([found?.code, found?.name, found?.severity], ['SCN276', 'interlock-broken', 'error']);
  assert.equal(found?.pos, { file: 'x.oql', line: 2, col: 3, endLine: 2, endCol: 16 });
});

test('what is asked to warn only is a warning', () => {
  const { diagnostics, safety: report } = loadChecked(AGAINST_CLOSED, 'x.oql', {
    safety,
    warnsOf: ({ code }) => code === 'SCN276',
  });
  assert.is(diagnostics.at(-1)?.severity, 'warning');
  assert.is(report?.findings[0]?.severity, 'error', 'the report itself stays as it is');
});

test('a text with errors has no plan to check', () => {
  const { diagnostics, safety: report } = loadChecked(`${AGAINST_CLOSED}  WIAT 2s\n`, 'x.oql', { safety });
  assert.is(report, undefined);
  assert.not.ok(diagnostics.some(({ code }) => code === 'SCN276'));
});

test('no scenario of the language cases makes it throw', () => {
  const folder = path.resolve('src/scenario/cases');
  const inputs = readdirSync(folder)
    .filter((name) => name.endsWith('.case.txt'))
    .flatMap((name) => parseCases(readFileSync(path.join(folder, name), 'utf8'), name));
  assert.ok(inputs.length > 100);
  let checked = 0;
  for (const { input } of inputs) {
    const { safety: report } = loadChecked(input, 'case.oql', { safety });
    if (report) checked++;
    for (const { message, pos } of report?.findings ?? []) {
      assert.ok(pos.line >= 1 && message.length > 20, message);
      assert.not.match(message, /NaN|undefined|\[object/);
    }
  }
  assert.ok(checked > 100, `${checked}`);
});

test('a scenario of many loops is judged without running through all of their rounds', () => {
  const deep = Array.from({ length: 6 }, (_, i) => `${'  '.repeat(i + 1)}REPEAT 1000:`);
  const inner = '  '.repeat(7);
  const source = `GOAL a:\n  VAR p = '0'\n${deep.join('\n')}\n${inner}CALC p = ADD 'p, 1'\n${inner}CALC p = MIN 'p, 40'\n${inner}SET pump '$p %'\n`;
  const { safety: report } = loadChecked(source, 'deep.oql', { safety });
  assert.equal(
    report?.findings.map(({ code }) => code),
    ['SCN273', 'SCN276'],
  );
});

test.run();
