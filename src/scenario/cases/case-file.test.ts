import * as assert from 'uvu/assert';
import { test } from '../../test-kit/suite.ts';
import { parseCases } from './case-file.ts';
import { parseOptions, resolveEscapes } from './case-options.ts';
import { compareRecords } from './record-line.ts';

test('a case has a title, options, input, files and sections', () => {
  const [one] = parseCases(
    '// note\n\n=== Title\n--strict\nGOAL x:\n\n  WAIT 1\n\n--- lib/a.oql\nMACRO m:\n==> events wait\n\nwait\n\n==> plan\nnone\n',
    'x.case.txt',
  );
  assert.is(one!.title, 'Title');
  assert.is(one!.place, 'x.case.txt:3');
  assert.equal(one!.options, ['--strict']);
  assert.is(one!.input, 'GOAL x:\n\n  WAIT 1\n');
  assert.equal([...one!.files], [['lib/a.oql', 'MACRO m:\n']]);
  assert.equal(one!.sections, [
    { name: 'events', words: ['wait'], lines: ['wait'], line: 11 },
    { name: 'plan', words: [], lines: ['none'], line: 15 },
  ]);
});

test('a case that checks nothing is refused', () => {
  assert.throws(() => parseCases('=== A\nGOAL x:\n', 'f'), /f:1: "A" checks nothing/);
  assert.throws(() => parseCases('=== A\nGOAL x:\n==> plan\n\n', 'f'), /expects nothing/);
  assert.throws(() => parseCases('=== A\nx\n==>\nnone\n', 'f'), /needs the name/);
  assert.throws(() => parseCases('\n', 'f'), /no case/);
  assert.throws(() => parseCases('stray\n=== A\nx\n==> plan\ny\n', 'f'), /f:1: text before/);
});

test('an option that does not exist is refused', () => {
  assert.throws(() => parseOptions(['--sensors AI01=0'], 'f:1'), /f:1: no such option/);
  assert.throws(() => parseOptions(['--sensor AI01'], 'f:1'), /needs NAME=value/);
  assert.equal(parseOptions(['--sensor AI01=0 V'], 'f:1').sensors, { AI01: '0 V' });
});

test('escapes stand for characters that a case file cannot show', () => {
  assert.is(resolveEscapes('\\uFEFFGOAL:\\r\\n\n\\tx\\\\y'), '\uFEFFGOAL:\r\n\tx\\y');
});

const RECORDS = [
  { type: 'wait', fields: { ms: 200, virtual: true, note: 'a b' } },
  { type: 'wait', fields: { ms: 200, virtual: true, note: undefined } },
];

const differs = (lines: string[]) => {
  const { actual, expected } = compareRecords(lines, RECORDS, (word) => ({ name: 'note', value: word }));
  return actual.join('\n') !== expected.join('\n');
};

test('expected lines name the fields that matter', () => {
  assert.not(differs(['wait ms=200 note="a b"', 'wait']));
  assert.not(differs(['2x wait ms=200']));
  assert.not(differs(['wait "a b" ms=200.00000000001', 'wait virtual=true']));
  assert.not(differs(['wait note~b', 'wait']));
});

test('expected lines differ on type, value, absent field, count and order', () => {
  assert.ok(differs(['wait ms=201', 'wait']));
  assert.ok(differs(['log', 'wait']));
  assert.ok(differs(['wait', 'wait nothing=1']));
  assert.ok(differs(['wait', 'wait note=a']));
  assert.ok(differs(['wait']));
  assert.ok(differs(['3x wait']));
  assert.ok(differs(['none']));
  assert.ok(differs(['wait', 'wait "a b"']));
  assert.ok(differs(['wait note~c', 'wait']));
});

test('what differs is reported in full, what agrees as it was written', () => {
  const { actual } = compareRecords(['wait ms=200', 'wait ms=1'], RECORDS);
  assert.equal(actual, ['wait ms=200', 'wait ms=200 virtual=true']);
});

test.run();
