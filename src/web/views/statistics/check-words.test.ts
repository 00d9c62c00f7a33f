import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { checkWords, distinctNames, type NamedCheck } from './check-words.ts';

const test = suite('names of measurements on the page');

const inWords = (check: NamedCheck) =>
  checkWords(check, {
    open: 'open',
    closed: 'closed',
    toEndOfBlock: 'to the end of the block',
    limits: (low, high, unit) =>
      low === null ? '' : high === null ? `≥ ${low} ${unit}` : `${low} … ${high} ${unit}`,
  });

test('a check without a name is its sensor with its limits, and the name of an author stays', () => {
  const ai01 = { sensor: 'AI01', low: 0.665, high: 2.4, unit: 'V' };
  assert.is(inWords({ check: 'CHECK # <= AI01 <= # V', ...ai01 }), 'AI01: 0.665 … 2.4 V');
  assert.is(inWords({ check: 'CHECK # <= AI01 <= # V (2)', ...ai01 }), 'AI01: 0.665 … 2.4 V (2)');
  assert.is(inWords({ check: 'CHECK AI01 >= # V', ...ai01, high: null }), 'AI01: ≥ 0.665 V');
  assert.is(inWords({ check: 'Leak rate (2)', ...ai01 }), 'Leak rate (2)');
  assert.is(inWords({ check: 'CHECK AI01 >= # V (3)', ...ai01, low: null, high: null }), 'AI01 (3)');
  const none = { sensor: null, low: null, high: null, unit: null };
  assert.is(inWords({ check: "ASSERT_VALVE 'valve-nc' on", ...none }), 'valve-nc: open');
  assert.is(inWords({ check: 'IF size = #', ...none }), 'IF size = …');
});

test('a statistic, a change and a value of one sensor have different names', () => {
  const of = (check: string, sensor = 'AI01') => inWords({ check, sensor, low: 0.5, high: null, unit: 'V' });
  assert.is(of('CHECK AI01.delta >= # V'), 'AI01.delta: ≥ 0.5 V');
  assert.is(of('CHECK AI01.delta >= # V', 'AI01.delta'), 'AI01.delta: ≥ 0.5 V');
  assert.is(of('MIN AI01 # V'), 'AI01: ≥ 0.5 V to the end of the block');
  assert.is(of('MIN AI01 lowest V (2)'), 'AI01: ≥ 0.5 V to the end of the block (2)');
  assert.is(of('IF_DELTA AI01 #s # V'), 'ΔAI01: ≥ 0.5 V');
  assert.is(of('IF ΔAI01 > # V'), 'ΔAI01: ≥ 0.5 V');
  assert.is(of('ASSERT_SENSOR AI01 >= # V'), 'AI01: ≥ 0.5 V');
});

test('a name of an author that begins as a command does stays as it is', () => {
  const ai01 = { sensor: 'AI01', low: 0.665, high: 2.4, unit: 'V' };
  const none = { sensor: null, low: null, high: null, unit: null };
  for (const check of [
    'CHECK of the strap',
    'IF in doubt, measure again (2)',
    'MIN. pressure at AI01',
    'MAX of AI01 #1',
    'RANGE test',
    'CHECK valve <= AI02',
    'PROMPT answered',
    'MIN AI01 before tightening',
    'MIN AI01 after tightening',
    'CHECK seal >= good at AI01',
    'IF Check AI01 = ok',
    'CHECK AI01 >= AI02',
    'RANGE AI01 of masks .. hoods',
  ]) {
    assert.is(inWords({ check, ...ai01 }), check);
    if (!/[<>=]/.test(check)) assert.is(inWords({ check, ...none }), check);
  }
});

test('every form of a command is put in words, also with another name for the sensor', () => {
  const ai01 = { sensor: 'AI01', low: 0.5, high: null, unit: 'V' };
  for (const check of [
    'CHECK ai01 >= # V',
    'CHECK $strap >= # V',
    "CHECK 'face seal' >= # V",
    "ASSERT_SENSOR 'AI01' '>=' '# V'",
    'CHECK AI01 >=#V',
    'CHECK AI01 # .. # V',
    "CHECK AI01 '# .. # V'",
    'CHECK AI01 ∈ [#, #] V',
    'CHECK # < AI01',
    'CHECK AI01 >= $limit V',
    'CHECK AI01 <= -inf',
    "IF [AI01] >= # V ELSE ERROR 'too low'",
    'IF AI01 # .. # V THEN',
  ])
    assert.is(inWords({ check, ...ai01 }), 'AI01: ≥ 0.5 V', check);
  for (const check of ['MIN AI01 = # V', "MIN 'AI01' '# V'", "RANGE 'AI01' '# V' .. '# V'", 'MIN $strap # V'])
    assert.is(inWords({ check, ...ai01 }), 'AI01: ≥ 0.5 V to the end of the block', check);
  for (const check of ['IF_DELTA AI01 #s # V', 'IF_DELTA AI01 # s # V', 'IF_DELTA $strap $time # V'])
    assert.is(inWords({ check, ...ai01 }), 'ΔAI01: ≥ 0.5 V', check);
  assert.is(inWords({ check: 'CHECK ai01.delta >= # V', ...ai01 }), 'AI01.delta: ≥ 0.5 V');
  assert.is(
    inWords({ check: 'CHECK AI01 >= # V AND AI02 < # V', ...ai01 }),
    'CHECK AI01 >= … V AND AI02 < … V',
  );
});

test('two measurements of a list never have one name', () => {
  const of = (check: string): NamedCheck => ({ check, sensor: 'AI01', low: 0.5, high: null, unit: 'V' });
  assert.equal(
    distinctNames(
      ['CHECK AI01 >= # V', 'ASSERT_SENSOR AI01 >= # V', 'MIN AI01 # V', 'Leak'].map(of),
      inWords,
    ),
    [
      'AI01: ≥ 0.5 V – CHECK AI01 >= … V',
      'AI01: ≥ 0.5 V – ASSERT_SENSOR AI01 >= … V',
      'AI01: ≥ 0.5 V to the end of the block',
      'Leak',
    ],
  );
});

test.run();
