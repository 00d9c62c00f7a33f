import * as assert from 'uvu/assert';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { formatScenario } from '../../scenario/format/format.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import { loadScenario } from '../../scenario/load.ts';
import { validateScenario } from '../../scenario/profiles/report.ts';
import { planOf } from '../../scenario/program/plan.ts';
import { suite } from '../../test-kit/suite.ts';
import { renderDiagnostic } from './render.ts';
import { SourceTexts } from './source-texts.ts';

const test = suite('long lines');

/** Half a million characters: work that grows with the square of the length would take hours. */
const LENGTH = 500_000;
const many = (part: string): string => part.repeat(Math.floor(LENGTH / part.length));
const goal = (line: string): string => `GOAL:\n  SET NAME 'x'\n  CHECK AI01 <= 5 V\n  ${line}\n`;
const blanks = many(' ');

const lines: readonly (readonly [title: string, source: string])[] = [
  ['blanks between words', goal(`LOG 'a'${blanks}b`)],
  ['blanks in a text', goal(`LOG 'a${blanks}b'`)],
  ['blanks in a step', `GOAL: x\n  1. Fill${blanks}b\n  CHECK AI01 <= 5 V\n`],
  ['blanks in a header', `@Rig${blanks}b\n  Hold:\n    CHECK AI01 <= 5 V\n`],
  ['blanks in metadata', `SCENARIO: a${blanks}b\n${goal("LOG 'x'")}`],
  ['brackets that are never closed', `GOAL: ${many('[ ')} # x\n  CHECK AI01 <= 5 V\n`],
  ['an unclosed bracket of a command', goal(`LOG ${many('[')}`)],
  ['an unknown word', goal(many('x'))],
  ['words too many', goal(`WAIT 5 ${many('a ')}`)],
  ['undefined variables', goal(`LOG '${Array.from({ length: 40_000 }, (_, i) => `$x${i}`).join(' ')}'`)],
  ['unknown units', goal(`CHECK AI01 <= 5 V${many(' AND AI01 <= 5 foo')}`)],
  ['names that are nearly the same', goal(`GET ${many('m')}a\n  GET ${many('m')}b\n  VAR ${many('m')}c = 1`)],
  ['a variable and words in one text', goal(`CHECK AI01 <= '$${many('p')} x y'`)],
  [
    'choices',
    goal(`PROMPT 'x' AS a CHOICES ${Array.from({ length: 60_000 }, (_, i) => `'c${i}'`).join(' ')}`),
  ],
  ['digits', goal(`CHECK AI01 <= ${many('9')} V`)],
  ['dots', goal(`CHECK AI01 ${many('..')}`)],
];

for (const [title, source] of lines)
  test(`LANG-084 checking, formatting and printing end with a line of 500,000 characters: ${title}`, async () => {
    const { program, diagnostics } = loadScenario(source, 'x.oql');
    const texts = new SourceTexts();
    texts.add('x.oql', source);
    for (const one of diagnostics) {
      const shown = renderDiagnostic(one, { texts });
      assert.ok(shown.length < LENGTH + 10_000, 'a finding is no longer than the line it names');
    }
    planOf(program);
    formatScenario(source, 'x.oql');
    for (const as of [2, 4] as const) await validateScenario(source, 'x.oql', { as });
    await new Interpreter({ mode: 'dry-run', out: () => {} }).run(source, 'x.oql');
  });

test('LANG-084 a line lists at most 50 findings of one code, and says so', () => {
  const { diagnostics } = loadScenario(goal(`CHECK AI01 <= 5 V${many(' AND AI01 <= 5 foo')}`), 'x.oql');
  const found = diagnostics.filter(({ code }) => code === 'SCN127');
  assert.is(found.length, 50);
  assert.match(found.at(-1)!.message, 'further ones on this line are not listed');
});

test('LANG-084 the excerpt of a very long line shows the range within it', () => {
  const line = `${many('a ')}CHEK${many(' b')}`;
  const texts = new SourceTexts();
  texts.add('x.oql', line);
  const col = LENGTH + 1;
  const pos = { file: 'x.oql', line: 1, col, endLine: 1, endCol: col + 4 };
  const shown = renderDiagnostic(
    { code: 'SCN120', name: 'unknown-command', severity: 'error', message: 'CHEK is not a command', pos },
    { texts, columns: 60 },
  ).split('\n');
  const [text, marks] = [shown[3]!, shown[4]!];
  assert.is(text.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1), 'CHEK');
  assert.ok(text.length <= 60 && text.includes('…'));
});

test('LANG-084 a macro argument that is repeated without end fills no memory', () => {
  const source = `MACRO m:\n  LOG '${many('$1')}'\nGOAL:\n  SET NAME 'x'\n  CALL m ${many('a')}\n  CHECK AI01 <= 5 V\n`;
  const { program } = loadScenario(source, 'x.oql');
  assert.ok(JSON.stringify(planOf(program)).length < 10 * LENGTH);
});

test('LANG-084 near names are found as before: swapped, missing, added and replaced letters', () => {
  const names = ['CHECK', 'valve-1', 'valve-2', 'AI01', 'pressure'];
  const near = (word: string) => suggest(word, names);
  assert.equal(
    ['CHEK', 'CHCEK', 'CHECKS', 'valve-l', 'valv-2', 'AI10', 'presure', 'xyz', 'prssue'].map(near),
    ['CHECK', 'CHECK', 'CHECK', 'valve-1', 'valve-2', 'AI01', 'pressure', undefined, 'pressure'],
  );
});

test.run();
