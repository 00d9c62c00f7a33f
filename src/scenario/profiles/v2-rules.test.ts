import * as assert from 'uvu/assert';
import { test } from '../../test-kit/suite.ts';
import { meaningfulLines } from './source-line.ts';
import { applyRules } from './text-rule.ts';
import { V2_TEXT_RULES } from './v2-rules.ts';

const fired = (text: string) =>
  applyRules(V2_TEXT_RULES, meaningfulLines(text)).map((issue) => `${issue.rule}:${issue.line ?? '-'}`);

const goal = (line: string) => `GOAL:\n  SET NAME 'x'\n  ${line}\n`;

/** Rule, a text where it is the only one to fire, the line, and the mended twin of the text. */
const ALONE: [rule: string, line: number, broken: string, mended: string][] = [
  ['already_v4', 1, `VERSION: 4\n${goal('WAIT 1s')}`, goal('WAIT 1s')],
  ['goal_inline_name_legacy', 1, 'GOAL: x\n  WAIT 1s\n', goal('WAIT 1s')],
  ['task_legacy', 3, goal('TASK: open valve-1'), goal("SET 'valve-1' 'open'")],
  ['calc_legacy', 3, goal("CALC 'v' = 'AVG' 'a, b'"), goal("FUNC 'v' = 'AVG' 'a, b'")],
  ['val_legacy', 3, goal("VAL 'AI01' 'bar'"), goal("GET 'AI01'")],
  ['if_cmp_legacy', 3, goal("IF 'AI01' >= '6 bar'"), goal("IF 'AI01' '6 .. 8 bar'")],
  [
    'else_error_legacy',
    3,
    goal("IF AI01 >= 6 bar ELSE ERROR 'low'"),
    goal("IF AI01 >= 6 bar\n    ERROR 'low'"),
  ],
  ['bracket_tokens_legacy', 3, goal("SET [main pump] '5 l/min'"), goal("SET 'main pump' '5 l/min'")],
];

for (const [rule, line, broken, mended] of ALONE)
  test(`LANG-025 ${rule} fires alone, and not on the mended text`, () => {
    assert.equal(fired(broken), [`${rule}:${line}`]);
    assert.equal(fired(mended), []);
  });

test('LANG-025 only already_v4 and bracket_tokens_legacy are warnings', () => {
  const warnings = V2_TEXT_RULES.filter(({ severity }) => severity === 'warning').map(({ rule }) => rule);
  assert.equal(warnings, ['already_v4', 'bracket_tokens_legacy']);
});

test('LANG-025 brackets are reported once for each line, ranges after ∈ and brackets in texts are none', () => {
  assert.equal(fired(goal('SET [main pump] [5 l/min]\n  GET [AI01]')), [
    'bracket_tokens_legacy:3',
    'bracket_tokens_legacy:4',
  ]);
  assert.equal(fired(goal("AI01 ∈ [-11, -9] mbar | ERROR 'drift'\n  LOG 'see [3]'")), []);
});

test('LANG-025 a bracketed comparison fires both of its rules', () => {
  assert.equal(fired(goal('IF [AI01] [<=] [-12 mbar]')), ['if_cmp_legacy:3', 'bracket_tokens_legacy:3']);
});

test('LANG-025 quotes in the text of ELSE or LOG do not count', () => {
  assert.equal(fired(goal("IF AI01 >= 6 bar ELSE INFO 'below > 6'")), []);
  assert.equal(fired(goal("LOG 'or ELSE ERROR follows'")), []);
});

test('LANG-025 ELSE ERROR on its own line counts', () => {
  assert.equal(fired(goal("IF AI01 >= 6 bar\n  ELSE ERROR 'low'")), ['else_error_legacy:4']);
});

test.run();
