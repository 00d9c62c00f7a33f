import * as assert from 'uvu/assert';
import { analyseMarked } from '../../test-kit/scenario/marked-text.ts';
import { suite } from '../../test-kit/suite.ts';
import { formatScenario } from '../format/format.ts';
import { foldingRanges } from './folding.ts';
import { difference, formatEdit } from './formatting.ts';
import { hoverAt } from './hover.ts';
import { codeLenses } from './lenses.ts';
import { type OutlineItem, outlineOf } from './outline.ts';

const test = suite('structure of a text for an editor');

const TEXT = `# one
# two
SCENARIO: x
CONFIG open:
  SET valve-1 on
GOAL:
  SET NAME 'first'
  1. Fill:
    WAIT 1s
  2. Wait:
    WAIT 2s
  IF AI01 > 5 V
    LOG 'high'
  ELSE
    LOG 'low'
  ENDIF
GOAL:
  SET NAME 'second'
  REPEAT 2:
    WAIT 1s
  CHECK AI01 <= 5 V
CONFIG close:
  SET valve-1 off
`;

test('the outline has blocks by name with their steps, each inside its parent', () => {
  const { analysis } = analyseMarked(TEXT);
  const shown = (items: readonly OutlineItem[]): unknown[] =>
    items.map(({ kind, name, children }) =>
      children.length > 0 ? [kind, name, shown(children)] : [kind, name],
    );
  const items = outlineOf(analysis);
  assert.equal(shown(items), [
    ['config', 'open'],
    [
      'goal',
      'first',
      [
        ['step', '1 Fill'],
        ['step', '2 Wait'],
      ],
    ],
    ['goal', 'second'],
    ['config', 'close'],
  ]);
  const check = ({ range, selection, children }: OutlineItem) => {
    assert.ok(range.from <= selection.from && selection.to <= range.to);
    for (const child of children) {
      assert.ok(range.from <= child.range.from && child.range.to <= range.to);
      check(child);
    }
  };
  items.forEach(check);
});

test('blocks, bodies of branches and loops, and comments fold', () => {
  const { analysis } = analyseMarked(TEXT);
  assert.equal(
    foldingRanges(analysis).map(({ startLine, endLine, kind }) => `${startLine}-${endLine} ${kind}`),
    [
      '1-2 comment',
      '4-5 block',
      '6-16 block',
      '12-13 block',
      '14-15 block',
      '17-21 block',
      '19-20 block',
      '22-23 block',
    ],
  );
});

test('a dry-run is offered for the scenario and for each of several goals, not for a library', () => {
  const lenses = codeLenses(analyseMarked(TEXT).analysis);
  assert.equal(
    lenses.map(({ goal }) => goal),
    [undefined, 'first', 'second'],
  );
  assert.equal(codeLenses(analyseMarked('MACRO hold:\n  WAIT 1s\n').analysis), []);
  assert.is(codeLenses(analyseMarked("GOAL:\n  SET NAME 'x'\n  CHECK AI01 <= 5 V\n").analysis).length, 1);
});

function formatted(text: string): string {
  const result = formatEdit(analyseMarked(text).analysis);
  assert.ok('edit' in result);
  if (!('edit' in result) || !result.edit) return text;
  const { from, to, text: by } = result.edit;
  return text.slice(0, from) + by + text.slice(to);
}

test('the format is that of svcctl format, with the line ends of the text', () => {
  const text = "GOAL:\n  SET NAME '😀'\n  check   AI01<=5 V\n\n\n";
  const canonical = formatScenario(text, 'x');
  assert.ok('text' in canonical);
  assert.is(formatted(text), 'text' in canonical ? canonical.text : '');
  const crlf = text.replaceAll('\n', '\r\n');
  assert.is(formatted(crlf), formatted(text).replaceAll('\n', '\r\n'));
  assert.is(formatted(formatted(crlf)), formatted(crlf));
});

test('an edit never splits a character or a line end', () => {
  assert.equal(difference('a😀b', 'a😁b'), { from: 1, to: 3, text: '😁' });
  assert.equal(
    difference('a\u{1f600}', 'a\u{1fa00}'),
    { from: 1, to: 3, text: '\u{1fa00}' },
    'equal second units',
  );
  assert.equal(difference('a\r\nb', 'a\rb'), { from: 1, to: 3, text: '\r' });
  assert.is(difference('a', 'a'), undefined);
});

test('a text with errors is not formatted', () => {
  assert.equal(formatEdit(analyseMarked("GOAL:\n  SET NAME 'x'\n  CHEK 1\n").analysis), { errors: 1 });
});

function hover(marked: string): string[] {
  const { analysis, offset } = analyseMarked(marked);
  const found = hoverAt(analysis, offset);
  return found ? [found.signature, ...found.sentences] : [];
}

test('hover explains commands, blocks, sensors, actuators, macros and units', () => {
  const goal = "GOAL:\n  SET NAME 'x'\n";
  assert.is(hover(`${goal}  CH|ECK AI01 <= 5 V`)[0], 'CHECK condition');
  assert.is(hover('GO|AL:\n')[0], 'GOAL:');
  assert.match(hover(`${goal}  CHECK AI|01 <= 5 V`).join(' '), 'Calibration cal-1 gives mbar');
  assert.match(
    hover(`${goal}  SET valve-|1 on`).join(' '),
    'Actuator valve-1 (valve). The safe state closes it.',
  );
  assert.match(hover(`${goal}  CHECK AI01 <= 5 mb|ar`).join(' '), 'Unit of pressure');
  assert.is(hover(`MACRO hold:\n  WAIT $1\n${goal}  CALL ho|ld 1s`)[0], 'CALL hold $1');
  assert.equal(hover(`${goal}  LOG 'valve-|1'`), []);
});

test.run();
