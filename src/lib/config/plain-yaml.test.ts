import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { ConfigError } from './config-error.ts';
import { plainYaml } from './plain-yaml.ts';
import { readText } from './read-text.ts';

const test = suite('plain YAML');
const folder = mkdtempSync(join(tmpdir(), 'plain-yaml-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

function faultOf(text: string): string {
  const read = plainYaml(text);
  return 'faults' in read ? read.faults.map(({ path, message }) => `${path}: ${message}`).join('; ') : 'none';
}

const layers = 'bcdefghi'
  .split('')
  .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]\n`);
const BOMB = `a: &a [x, x, x, x, x, x, x, x, x]\n${layers.join('')}`;

test('SVC-063 an alias bomb, a cycle and an alias of nothing are faults with a remedy', () => {
  assert.match(faultOf(BOMB), /Excessive alias count.*; write the values out/);
  assert.is(faultOf('a: &a {b: *a}'), 'a.b: contains itself through an alias (*); write the value out');
  assert.is(faultOf('&a [*a]'), '0: contains itself through an alias (*); write the value out');
  assert.match(faultOf('a: *nothing'), /anchor must be set before the alias.*write the values out/);
});

test('SVC-063 nesting by the thousand is a fault in every style, not the end of the process', () => {
  const block = Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  const flat = /write it flatter$/;
  for (const text of ['['.repeat(20_000), '{a: '.repeat(5000), '- '.repeat(5000), '? '.repeat(5000), block])
    assert.match(faultOf(text), flat, text.slice(0, 10));
  assert.match(faultOf(Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')), flat);
});

test('SVC-063 brackets in texts and comments, long lines and wide comments are no nesting', () => {
  const brackets = '['.repeat(1000);
  for (const text of [
    `a: "${brackets}"\nb: '${brackets}' # ${brackets}`,
    `a: "${'x'.repeat(300)}"   # comment`,
    `${' '.repeat(300)}# comment\na: 1`,
    `a: |\n${' '.repeat(300)}text`,
    `a: [\n${' '.repeat(300)}b]`,
  ])
    assert.is(faultOf(text), 'none', text.slice(0, 20));
});

test('SVC-063 a key __proto__ is a fault with its place, wherever it stands', () => {
  for (const [text, path] of [
    ['__proto__: {a: 1}', '__proto__'],
    ['plugins: {__proto__: {a: 1}}', 'plugins.__proto__'],
    ['a:\n  - "__proto__": {a: 1}', 'a.0.__proto__'],
  ] as const)
    assert.is(faultOf(text), `${path}: is a reserved word and cannot be a name; use another name`);
});

test('SVC-063 a tag without meaning and a second document are faults with their place', () => {
  assert.is(faultOf('a: !foo 1'), 'line 1, column 4: Unresolved tag: !foo');
  assert.match(faultOf('a: 1\n---\nb: 1'), /^line 2, column 1: .*multiple documents/);
});

test('SVC-063 a file that is not a text, too large or no file is refused with its path', () => {
  const refused = (path: string) => {
    try {
      readText(path, 'correct it');
    } catch (thrown) {
      assert.instance(thrown, ConfigError);
      return (thrown as ConfigError).message;
    }
    return 'none';
  };
  const path = join(folder, 'svc.yaml');
  writeFileSync(path, Buffer.from([0x61, 0x3a, 0x20, 0xff]));
  assert.is(refused(path), `${path}: file: is not UTF-8 text; save it as UTF-8`);
  writeFileSync(path, '#'.repeat(1024 * 1024 + 1));
  assert.match(refused(path), `${path}: file: cannot be read: it is larger than 1048576 bytes; correct it`);
  for (const other of [folder, '/dev/zero'])
    assert.match(refused(other), `${other}: file: cannot be read: it is not a regular file`);
  assert.is(refused('/dev/null'), 'none', 'an empty configuration by name');
});

test.run();
