import * as assert from 'uvu/assert';
import { test } from '../../test-kit/suite.ts';
import { meaningfulLines } from './source-line.ts';
import { applyRules } from './text-rule.ts';
import { V4_TEXT_RULES } from './v4-rules.ts';

const fired = (text: string) =>
  applyRules(V4_TEXT_RULES, meaningfulLines(text)).map((issue) => `${issue.rule}:${issue.line ?? '-'}`);

const GOAL = "GOAL:\n  SET NAME 'x'\n";

/** Rule, the places it fires at in a text where no other text rule fires, and the mended twin of the text. */
const ALONE: [rule: string, places: string[], broken: string, mended: string][] = [
  ['version_present', ['version_present:-'], '# only a comment\n\n', 'VERSION: 4\n'],
  ['goal_inline_name', ['goal_inline_name:2'], 'VERSION: 4\nGOAL: x\n', `VERSION: 4\n${GOAL}`],
  ['goal_set_name', ['goal_set_name:2'], 'VERSION: 4\nGOAL:\n  SET NAME x\n', `VERSION: 4\n${GOAL}`],
  [
    'loop_deprecated',
    ['loop_deprecated:4'],
    `VERSION: 4\n${GOAL}  loop 2 TIMES\n`,
    `VERSION: 4\n${GOAL}  REPEAT 2:\n`,
  ],
  [
    'repeats_typo',
    ['repeats_typo:4'],
    `VERSION: 4\n${GOAL}  REPEATS 2:\n`,
    `VERSION: 4\n${GOAL}  REPEAT 2:\n`,
  ],
  [
    'repeat_format',
    ['repeat_format:4'],
    `VERSION: 4\n${GOAL}  REPEAT 2\n`,
    `VERSION: 4\n${GOAL}  REPEAT 2:\n`,
  ],
];

for (const [rule, places, broken, mended] of ALONE)
  test(`LANG-024 ${rule} fires alone among the text rules, and not on the mended text`, () => {
    assert.equal(fired(broken), places);
    assert.equal(fired(mended), []);
  });

test('LANG-024 version_first_line reports the line, version_present the text: one cause, two findings', () => {
  assert.equal(fired(`# head\n\nSCENARIO: x\n${GOAL}`), ['version_first_line:3', 'version_present:-']);
  assert.equal(fired(`# head\n\nVERSION: 4   # ours\nSCENARIO: x\n${GOAL}`), []);
});

test('LANG-026 VERSION: 5 is not version 4', () => {
  assert.equal(fired(`VERSION: 5\n${GOAL}`), ['version_first_line:1', 'version_present:-']);
});

test('LANG-024 a later VERSION: 4 is not the first line', () => {
  assert.equal(fired(`SCENARIO: x\nVERSION: 4\n${GOAL}`), ['version_first_line:1', 'version_present:-']);
});

test('LANG-024 goal_set_name looks past blanks and comments, and knows the end of the text', () => {
  assert.equal(fired(`VERSION: 4\nGOAL:\n\n  # name\n  SET NAME "x"\n`), []);
  assert.equal(fired('VERSION: 4\nGOAL:\n'), ['goal_set_name:2']);
  assert.equal(fired("VERSION: 4\nGOAL:\n  LOG 'x'\n  SET NAME 'x'\n"), ['goal_set_name:2']);
});

test('LANG-024 repeat_format accepts numbers, macro arguments and STOP only', () => {
  const repeat = (form: string) => fired(`VERSION: 4\nMACRO m:\n  ${form}\n`);
  for (const form of ['REPEAT 3:', 'repeat 3 :', 'REPEAT $1:', 'REPEAT STOP'])
    assert.equal(repeat(form), [], form);
  for (const form of ['REPEAT', 'REPEAT:', 'REPEAT 3', 'REPEAT x:', "REPEAT '3':", 'REPEAT STOP:'])
    assert.equal(repeat(form), ['repeat_format:3'], form);
});

test('LANG-006 line ends, byte order mark and tabs change nothing', () => {
  const text = `\uFEFFVERSION: 4\r\nGOAL:\r\tSET NAME 'x'\r\n\tREPEAT 2`;
  assert.equal(fired(text), ['repeat_format:4']);
});

test('LANG-005 a # in quotes is no comment', () => {
  assert.equal(fired("VERSION: 4\nGOAL:\n  SET NAME 'no # 4' # four\n"), []);
});

test.run();
