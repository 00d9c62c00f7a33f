import * as assert from 'uvu/assert';
import { analyseMarked, editorRig } from '../../test-kit/scenario/marked-text.ts';
import { suite } from '../../test-kit/suite.ts';
import { loadChecked } from '../safety/load-checked.ts';
import { analyse } from './analysis.ts';
import { findingsOf } from './findings.ts';

const test = suite('findings for an editor');

test('the findings are those of the check before a run, in its order and words', () => {
  const text = "GOAL:\n  SET NAME 'x'\n  CHEK AI01\n  SET valve-l on\n";
  const { registry, limits, interlocks } = editorRig();
  const { diagnostics } = loadChecked(text, 'top.oql', { safety: { registry, limits, interlocks } });
  assert.ok(diagnostics.length > 0);
  assert.equal(
    findingsOf(analyse(text, 'top.oql', editorRig())).map(({ diagnostic }) => diagnostic),
    diagnostics,
  );
});

test('a range selects the text that is wrong, with CRLF and non-ASCII text before it (LSP-001)', () => {
  const text = "# zażółć 😀\r\nGOAL:\r\n  SET NAME '😀'\r\n  LOG 'ść' # ą\r\n  CHEK AI01\r\n";
  const { analysis } = analyseMarked(text);
  const finding = findingsOf(analysis).find(({ diagnostic }) => diagnostic.code === 'SCN120')!;
  assert.is(analysis.source.slice(finding), 'CHEK');
});

function fixed(text: string, code: string): string {
  const { analysis } = analyseMarked(text);
  const [fix] = findingsOf(analysis).find(({ diagnostic }) => diagnostic.code === code)!.fixes;
  const { from, to, text: by } = fix!.edit;
  return text.slice(0, from) + by + text.slice(to);
}

test('a fix replaces what is wrong, an insertion adds to it, a suggestion replaces the name', () => {
  assert.match(fixed("GOAL:\n  SET NAME 'x'\n  CHEK AI01 <= 5 V\n", 'SCN120'), '  CHECK AI01 <= 5 V\n');
  assert.match(fixed('GOAL x\n  CHECK AI01 <= 5 V\n', 'SCN120'), 'GOAL x:\n');
  assert.match(fixed("GOAL:\n  SET NAME 'x'\n  SET 'valve-l' on\n", 'SCN221'), "SET 'valve-1' on");
  assert.match(
    fixed("MACRO hold:\n  WAIT 1s\nGOAL:\n  SET NAME 'x'\n  CALL hodl\n", 'SCN201'),
    'CALL hold\n',
  );
});

test('a finding in an included file is shown at the INCLUDE or the call that leads there, with its place', () => {
  const files = {
    'other.oql': 'MACRO other:\n  WAIT 1s\n',
    'lib.oql': "INCLUDE 'deep.oql'\n",
    'deep.oql': 'MACRO hold:\n  SET valve-l on\n  SET valve-1 $1\n',
  };
  const { analysis } = analyseMarked(
    "INCLUDE 'other.oql'\nINCLUDE 'lib.oql'\nGOAL:\n  SET NAME 'x'\n  CALL hold maybe\n",
    files,
  );
  const shown = findingsOf(analysis).flatMap((finding) =>
    finding.diagnostic.pos.file === 'deep.oql'
      ? [
          [
            finding.diagnostic.code,
            analysis.source.slice(finding),
            finding.related.map(({ place }) => analysis.sources.get(place.file)!.slice(place)),
          ],
        ]
      : [],
  );
  assert.equal(shown, [
    ['SCN221', "INCLUDE 'lib.oql'", ['valve-l']],
    ['SCN223', 'CALL hold maybe', ['$1', 'CALL hold maybe']],
  ]);
});

test.run();
