import * as assert from 'uvu/assert';
import { analyseMarked } from '../../test-kit/scenario/marked-text.ts';
import { suite } from '../../test-kit/suite.ts';
import { planOf } from '../program/plan.ts';
import { analyse } from './analysis.ts';
import { macroAt, macroReferences } from './macros.ts';
import { renameEdits, renameFault } from './rename.ts';

const test = suite('macros for an editor');

const TEXT = `MACRO hold:
  WAIT $1
MACRO two words:
  CALL hold 1s
MACRO old:
  SET NAME 'ramp up'
  WAIT 1s
GOAL:
  SET NAME 'x'
  CALL hold 2s
  FUNC 'hold' '3s'
  FUNC: two words
  FUNC:hold 1s
  CALL 'ramp up'
  CHECK AI01 <= 5 V
`;

/** The places of the macro under the cursor, as `line:text`. */
function placesAt(offset: number, text = TEXT): string[] {
  const { analysis } = analyseMarked(text);
  const macro = macroAt(analysis, offset);
  return macro
    ? macroReferences(analysis, macro).map(
        (at) => `${analysis.source.lineAt(at.from)}:${analysis.source.slice(at)}`,
      )
    : [];
}

const HOLD = ['1:hold', '4:hold', '10:hold', "11:'hold'", '13:hold'];

test('definition and calls of a macro are found from each of them', () => {
  for (const place of ['MACRO ho', 'CALL ho', "FUNC 'ho", 'FUNC:ho'])
    assert.equal(placesAt(TEXT.indexOf(place) + place.length), HOLD, place);
});

test('a name of several words, and one given by SET NAME, are whole', () => {
  assert.equal(placesAt(TEXT.indexOf('two')), ['3:two words', '12:two words']);
  assert.equal(placesAt(TEXT.indexOf("ramp up'\n  CHECK")), ["6:'ramp up'", "14:'ramp up'"]);
});

test('other words are no macro', () => {
  assert.equal(placesAt(TEXT.indexOf('WAIT')), []);
  assert.equal(placesAt(TEXT.indexOf('AI01')), []);
});

function renamed(offset: number, newName: string): string {
  const { analysis } = analyseMarked(TEXT);
  const edits = renameEdits(analysis, macroAt(analysis, offset)!, newName);
  return [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), TEXT);
}

for (const [place, newName] of [
  ['hold', 'settle'],
  ['hold', 'zażółć gęślą'],
  ['two', "it's"],
  ['ramp', 'ramp'],
] as const)
  test(`a rename of ${place} to ${newName} keeps the plan and the findings`, () => {
    const { analysis } = analyseMarked(TEXT);
    const after = analyse(renamed(TEXT.indexOf(place), newName), 'top.oql', analysis.environment);
    assert.not(after.source.text === TEXT);
    assert.equal(planOf(after.checked.program), planOf(analysis.checked.program));
    const codes = (one: typeof after) => one.checked.diagnostics.map(({ code }) => code);
    assert.equal(codes(after), codes(analysis));
  });

test('a rename is refused for an empty name, one with a mark of the language, and one in use', () => {
  const { analysis } = analyseMarked(TEXT);
  const hold = macroAt(analysis, TEXT.indexOf('hold'))!;
  assert.match(renameFault(analysis, hold, ' ')!, 'is empty');
  assert.match(renameFault(analysis, hold, 'a$1')!, 'leave out');
  assert.match(renameFault(analysis, hold, 'two words')!, 'already exists');
  assert.is(renameFault(analysis, hold, 'settle'), undefined);
});

test('the definition of an included macro is in its file', () => {
  const files = { 'lib.oql': '# first\nMACRO hold:\n  WAIT $1\n' };
  const { analysis, offset } = analyseMarked(
    "INCLUDE 'lib.oql'\nGOAL:\n  SET NAME 'x'\n  CALL ho|ld 1s\n",
    files,
  );
  const { nameAt } = macroAt(analysis, offset)!;
  assert.is(nameAt?.file, 'lib.oql');
  assert.is(analysis.sources.get('lib.oql')!.slice(nameAt!), 'hold');
});

test.run();
