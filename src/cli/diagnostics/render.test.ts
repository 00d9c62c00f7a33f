import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { posInLine } from '../../scenario/source/position.ts';
import { test } from '../../test-kit/suite.ts';
import { COLOURED } from './colour.ts';
import { countFindings, renderDiagnostic } from './render.ts';
import { SourceTexts } from './source-texts.ts';

const textsOf = (text: string, file = 'a.oql') => {
  const texts = new SourceTexts();
  texts.add(file, text);
  return texts;
};

const unknownCommand = (
  line: number,
  col: number,
  endCol: number,
  more: Partial<Diagnostic> = {},
): Diagnostic => ({
  code: 'SCN120',
  name: 'unknown-command',
  severity: 'error',
  message: '"WIAT" is not a command',
  pos: posInLine('a.oql', line, col, endCol),
  ...more,
});

test('LANG-009 a finding shows place, line, carets, suggestion and fix', () => {
  const found = unknownCommand(2, 3, 7, {
    suggestion: 'WAIT',
    fix: { pos: posInLine('a.oql', 2, 3, 7), text: 'WAIT' },
  });
  assert.is(
    renderDiagnostic(found, { texts: textsOf('GOAL:\n  WIAT 2s\n') }),
    [
      'error[SCN120] unknown-command: "WIAT" is not a command',
      ' --> a.oql:2:3',
      '  |',
      '2 |   WIAT 2s',
      '  |   ^^^^',
      '  = help: did you mean WAIT?',
      '  = fix: write `WAIT` in place of `WIAT`',
    ].join('\n'),
  );
});

test('LANG-010 an empty range gets one caret, also behind the end of the line', () => {
  const rendered = renderDiagnostic(unknownCommand(1, 9, 9), { texts: textsOf("  LOG 'x") });
  assert.match(rendered, "1 |   LOG 'x\n  |         ^");
});

test('LANG-004 a finding in a macro shows its calls, innermost first', () => {
  const texts = textsOf(['MACRO m:', '  WIAT', 'GOAL:', '  CALL m'].join('\n'));
  const stack = [posInLine('a.oql', 4, 3, 9)];
  assert.match(
    renderDiagnostic(unknownCommand(2, 3, 7, { stack }), { texts }),
    ' ::: called at a.oql:4:3\n  |\n4 |   CALL m\n  |   ^^^^^^',
  );
});

test('deep calls are counted, not shown', () => {
  const stack = Array.from({ length: 7 }, () => posInLine('a.oql', 1, 1, 2));
  const rendered = renderDiagnostic(unknownCommand(1, 1, 2, { stack }), { texts: textsOf('x') });
  assert.is(rendered.split(':::').length - 1, 4);
  assert.match(rendered, 'and 3 more calls');
});

test('tabs and wide characters do not move the carets away', () => {
  const line = "\tLOG '圧力 é' WIAT";
  const col = line.indexOf('WIAT') + 1;
  const rows = renderDiagnostic(unknownCommand(1, col, col + 4), { texts: textsOf(line) }).split('\n');
  assert.is(rows[3], "1 |     LOG '圧力 é' WIAT");
  // Two characters of the line take two columns each, the combining mark none.
  assert.is(rows[4], `  | ${' '.repeat(4 + "LOG '".length + 4 + 1 + 1 + "' ".length)}^^^^`);
});

test('a long line is cut around its range', () => {
  const line = `  LOG '${'a'.repeat(300)}' WIAT '${'b'.repeat(300)}'`;
  const col = line.indexOf('WIAT') + 1;
  const rows = renderDiagnostic(unknownCommand(1, col, col + 4), { texts: textsOf(line), columns: 80 }).split(
    '\n',
  );
  const [, shown = ''] = rows[3]!.split(' | ');
  assert.ok(
    rows.every((row) => row.length <= 80),
    'no row is wider than the terminal',
  );
  assert.match(shown, /^…a+' WIAT 'b+…$/);
  assert.is(rows[4]!.indexOf('^^^^'), rows[3]!.indexOf('WIAT'));
});

test('control and direction characters of a scenario cannot act on the terminal', () => {
  const rendered = renderDiagnostic(unknownCommand(1, 1, 2, { message: 'bad \x1b[2J' }), {
    texts: textsOf('\x1b]0;gone\x07 \u202Etxet'),
  });
  assert.not.match(rendered, /[^\P{Cc}\n]|\u202E/u);
  assert.match(rendered, '␛]0;gone␇ �txet');
});

test('a range of several lines is marked to the end of its first', () => {
  const pos = { file: 'a.oql', line: 1, col: 3, endLine: 3, endCol: 2 };
  assert.match(
    renderDiagnostic({ ...unknownCommand(1, 1, 2), pos }, { texts: textsOf('  IF x\n    y\n z') }),
    '  |   ^^^^',
  );
});

test('a file that was not read is named without its line', () => {
  assert.is(renderDiagnostic(unknownCommand(2, 3, 7)).split('\n').length, 2);
});

test('CRLF and CR end lines as LF does', () => {
  const texts = textsOf('one\r\ntwo\rthree\nfour');
  assert.equal(
    [1, 2, 3, 4].map((n) => texts.line('a.oql', n)),
    ['one', 'two', 'three', 'four'],
  );
});

test('colours only add escape sequences', () => {
  const options = { texts: textsOf('  WIAT') };
  const coloured = renderDiagnostic(unknownCommand(1, 3, 7), { ...options, paint: COLOURED });
  assert.match(coloured, '\x1b[31m');
  assert.is(coloured.replace(/\p{Cc}\[\d+m/gu, ''), renderDiagnostic(unknownCommand(1, 3, 7), options));
});

test('information is not counted', () => {
  const of = (severity: Diagnostic['severity']) => ({ severity });
  assert.is(countFindings([of('error'), of('error'), of('warning'), of('info')]), '2 errors, 1 warning');
  assert.is(countFindings([of('info')]), '');
});

test.run();
