import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { PICTURES } from './pictures.ts';

const test = suite('docs/pictures');
const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}docs/pictures/`;
const MOST_BYTES = 60 * 1024;

test('the folder holds what the recordings give (npm run pictures)', () => {
  assert.equal(readdirSync(folder).sort(), Object.keys(PICTURES).sort());
  for (const [name, draw] of Object.entries(PICTURES)) {
    const text = readFileSync(folder + name, 'utf8');
    assert.is(text, draw(), name);
    assert.ok(text.length < MOST_BYTES, `${name}: ${text.length} bytes`);
    assert.not.match(text, /href|url\(|@import|<image|<script/, `${name} needs nothing from elsewhere`);
    assert.not.match(text, /NaN|undefined|Infinity/, name);
  }
});

test('a page shows each picture, and says in words what is to be seen', () => {
  const pages = ['README.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)];
  const texts = pages.filter((name) => name.endsWith('.md')).map((name) => readFileSync(root + name, 'utf8'));
  for (const name of Object.keys(PICTURES)) {
    const shown = texts.flatMap((text) => [
      ...text.matchAll(new RegExp(`!\\[([^\\]]*)\\]\\([^)]*${name}\\)`, 'g')),
    ]);
    assert.ok(shown.length > 0, `${name} is shown nowhere`);
    for (const [, words = ''] of shown) assert.ok(words.length > 30, `${name}: "${words}"`);
  }
});

test.run();
