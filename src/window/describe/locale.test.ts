import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { ROLES } from '../detect/element.ts';
import { BUILT_IN } from './catalogues.ts';
import { type Catalogue, speakerOf } from './locale.ts';

const test = suite('texts');

const none: ReadonlyMap<string, Catalogue> = new Map();
const say = (locale: string, key: string, values: Record<string, string | number>) =>
  speakerOf(locale, 'auto', BUILT_IN, none).say(key, values);

test('every language has every text, and a name for every role', () => {
  const bare = (catalogue: Catalogue) =>
    [...new Set(Object.keys(catalogue).map((key) => key.replace(/\.(one|few|many|other)$/, '')))].toSorted();
  const [english = {}, polish = {}] = [BUILT_IN.get('en'), BUILT_IN.get('pl')];
  assert.equal(bare(polish), bare(english));
  for (const role of ROLES) assert.ok(english[`role.${role}`] && polish[`role.${role}`], role);
});

test('WIN-008 counts have the form that the language wants', () => {
  const values = { width: 1, height: 1, roles: 'x' };
  for (const [count, word] of [
    [1, 'element'],
    [2, 'elementy'],
    [5, 'elementów'],
    [22, 'elementy'],
    [12, 'elementów'],
  ] as const)
    assert.is(say('pl', 'elements.header', { ...values, count }), `Ekran 1 x 1: ${count} ${word} (x)`);
  assert.match(say('en', 'elements.header', { ...values, count: 1 }), /1 element \(/);
  assert.match(say('en', 'elements.header', { ...values, count: 3 }), /3 elements \(/);
});

test('region tags are reduced and unknown languages are English', () => {
  for (const [locale, spoken] of [
    ['en-GB', 'en'],
    ['pl_PL', 'pl'],
    ['PL', 'pl'],
    ['xx', 'en'],
    ['', 'en'],
    ['constructor', 'en'],
  ] as const)
    assert.is(speakerOf(locale, 'auto', BUILT_IN, none).locale, spoken);
});

test.run();
