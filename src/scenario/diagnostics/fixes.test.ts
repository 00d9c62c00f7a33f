import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { loadScenario } from '../load.ts';
import type { Fix } from './diagnostic.ts';

const test = suite('fixes');

/** The text with the range of the fix replaced. */
function apply(source: string, { pos, text }: Fix): string {
  const lines = source.split('\n');
  const line = lines[pos.line - 1]!;
  assert.is(pos.endLine, pos.line, 'a fix stays within its line');
  lines[pos.line - 1] = line.slice(0, pos.col - 1) + text + line.slice(pos.endCol - 1);
  return lines.join('\n');
}

const goal = (line: string): string => `GOAL:\n  SET NAME 'x'\n  CHECK AI01 <= 5 V\n${line}\n`;

const cases: [title: string, code: string, source: string, mended: string][] = [
  ['LANG-011 VERSION without colon', 'SCN101', `VERSION 3\n${goal('  WAIT 1')}`, 'VERSION: 3'],
  ['lower-case metadata', 'SCN110', `scenario: x\n${goal('  WAIT 1')}`, 'SCENARIO: x'],
  ['a command at the margin', 'SCN111', goal('WAIT 1'), '  WAIT 1'],
  ['LANG-009 a misspelt command', 'SCN120', goal('  WIAT 1'), '  WAIT 1'],
  ['a header without its colon', 'SCN120', `GOAL x\n  CHECK AI01 <= 5 V\n`, 'GOAL x:'],
  ['LANG-047 a volume for the pump', 'SCN226', goal('  SET pump 5l'), "  SET pump '5 l/min'"],
  ['LANG-041 a change without sign', 'SCN246', goal('  IF_DELTA AI01 5s 2 V'), '  IF_DELTA AI01 5s +2 V'],
  ['a quoted change without sign', 'SCN246', goal("  IF_DELTA AI01 5s '2 V'"), "  IF_DELTA AI01 5s '+2 V'"],
];

for (const [title, code, source, mended] of cases)
  test(`${title}: the fix of ${code} mends it`, () => {
    const found = loadScenario(source, 'x.oql').diagnostics.find((one) => one.code === code);
    assert.ok(found?.fix, `${code} with a fix`);
    const fixed = apply(source, found!.fix!);
    assert.ok(fixed.split('\n').includes(mended), fixed);
    const left = loadScenario(fixed, 'x.oql').diagnostics;
    assert.not.ok(left.some((one) => one.code === code || one.severity === 'error'));
  });

test.run();
