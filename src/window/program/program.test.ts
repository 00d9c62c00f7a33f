import { readFileSync, writeFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { codeOf, inFolder } from '../../test-kit/window/folder.ts';
import { motley } from '../../test-kit/window/pictures.ts';
import { setMembers } from './edit-json.ts';
import { readProgram } from './read-program.ts';
import { saveProgram } from './save-program.ts';
import { programFaults, programJsonSchema } from './schema.ts';

const test = suite('programs');

const object = {
  id: 'a',
  primitives: [{ shape_type: 'rectangle', params: { width: 4, height: 3 } }],
  style: { color: '#00FF00', fill: true, stroke_width: 0, opacity: 0.5 },
};
const good = {
  version: '1.0',
  render_target: 'svg',
  scene: {
    width: 10,
    height: 10,
    background: '#FFFFFF',
    url: 'file:///x.png',
    app: 'desktop',
    layers: [{ id: 'l', visible: true, objects: [object] }],
    relations: [{ kind: 'contains', source: 'a', target: 'a', args: {} }],
  },
  validation: null,
  metadata: { image: '/x.png' },
};

/** Each breaks one thing: what is set, and the path that must be named. */
const broken: [keys: (string | number)[], value: unknown, path: string][] = [
  [['version'], '2.0', '$.version'],
  [['version'], 1, '$.version'],
  [['version'], undefined, '$.version'],
  [['render_target'], 'png', '$.render_target'],
  [['scene'], null, '$.scene'],
  [['scene', 'width'], 0, '$.scene.width'],
  [['scene', 'width'], '10', '$.scene.width'],
  [['scene', 'height'], -1, '$.scene.height'],
  [['scene', 'background'], 'red', '$.scene.background'],
  [['scene', 'background'], '#12345', '$.scene.background'],
  [['scene', 'url'], 'http://x', '$.scene.url'],
  [['scene', 'app'], 7, '$.scene.app'],
  [['scene', 'layers'], {}, '$.scene.layers'],
  [['scene', 'layers', 0, 'id'], '', '$.scene.layers[0].id'],
  [['scene', 'layers', 0, 'objects'], null, '$.scene.layers[0].objects'],
  [['scene', 'layers', 0, 'objects', 0, 'id'], 5, '$.scene.layers[0].objects[0].id'],
  [
    ['scene', 'layers', 0, 'objects', 0, 'primitives', 0, 'shape_type'],
    'star',
    '$.scene.layers[0].objects[0].primitives[0].shape_type',
  ],
  [
    ['scene', 'layers', 0, 'objects', 0, 'primitives', 0, 'params', 'width'],
    -4,
    '$.scene.layers[0].objects[0].primitives[0].params.width',
  ],
  [['scene', 'layers', 0, 'objects', 0, 'style', 'opacity'], 2, '$.scene.layers[0].objects[0].style.opacity'],
  [
    ['scene', 'layers', 0, 'objects', 0, 'style', 'stroke_width'],
    -1,
    '$.scene.layers[0].objects[0].style.stroke_width',
  ],
  [['scene', 'relations', 0, 'source'], null, '$.scene.relations[0].source'],
  [['metadata'], [], '$.metadata'],
  [['metadata', 'fingerprint'], { phash: 'xyz' }, '$.metadata.fingerprint.phash'],
  [['metadata', 'grid'], 1, '$.metadata.grid'],
];

function broke(keys: (string | number)[], value: unknown): unknown {
  const document = structuredClone(good);
  let at: Record<string | number, unknown> = document;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[keys.at(-1) ?? ''] = value;
  return JSON.parse(JSON.stringify(document));
}

test('WIN-024 the schema is valid 2020-12; it and the program accept and refuse the same documents, with a JSON path', () => {
  const schema = programJsonSchema();
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  assert.is((schema as { $schema?: string }).$schema, 'https://json-schema.org/draft/2020-12/schema');
  assert.equal([programFaults(good), validate(good)], [[], true]);
  for (const [keys, value, path] of broken) {
    const document = broke(keys, value);
    assert.is(programFaults(document)[0]?.path, path, JSON.stringify([keys, value]));
    assert.is(validate(document), false, JSON.stringify([keys, value]));
  }
});

test('a program that is none is refused with the path of the fault, and its content is not quoted', () =>
  inFolder(async ({ context, file }) => {
    writeFileSync(file('a.json'), 'root:x:0:0:secret');
    writeFileSync(file('b.json'), JSON.stringify(broke(['scene', 'width'], 0)));
    writeFileSync(file('c.json'), Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    for (const name of ['a.json', 'b.json', 'c.json'])
      assert.is(await codeOf(readProgram(context.access, name)), 'program_invalid', name);
    await readProgram(context.access, 'a.json').catch((error: Error) =>
      assert.not.match(error.message, 'secret'),
    );
    await readProgram(context.access, 'b.json').catch((error: Error) =>
      assert.match(error.message, '$.scene.width'),
    );
    assert.is(await codeOf(readProgram(context.access, 'none.json')), 'program_not_found');
  }));

const text = `{ "version" : "1.0",\n  "x": [1.50, 1e3, "\\u00e9\\"}", {"metadata": 5}],
  "metadata": {"a" : 1.0, "image": "old}",\t"b": {"c": [ ]}, "a": 2 }, "end":true }`;

test('WIN-011 a member is replaced and added, every other byte stays', () => {
  const edited = setMembers(text, 'metadata', { image: 'new', grid: 7, left: undefined });
  assert.is(edited, text.replace('"old}"', '"new"').replace('"a": 2', '"a": 2,\n    "grid": 7'));
  assert.equal(JSON.parse(edited).metadata, { a: 2, image: 'new', b: { c: [] }, grid: 7 });
});

test('the holder is made when it is missing, null or empty', () => {
  assert.is(setMembers('{"a":1}', 'metadata', { b: 2 }), '{"a":1,"metadata":{"b":2}}');
  assert.is(setMembers('{"metadata":null,"a":1}', 'metadata', { b: 2 }), '{"metadata":{"b":2},"a":1}');
  assert.is(setMembers('{"metadata":{},"a":1}', 'metadata', { b: 2 }), '{"metadata":{"b":2},"a":1}');
  assert.is(setMembers('{}', 'metadata', { b: 2 }), '{"metadata":{"b":2}}');
});

test('a twin of a key is edited where the one that counts stands', () => {
  const edited = setMembers('{"metadata":{"k":1,"k":2}}', 'metadata', { k: 3 });
  assert.is(edited, '{"metadata":{"k":1,"k":3}}');
});

test('WIN-019 a program that was changed since it was read is not overwritten', () =>
  inFolder(async ({ context, file }) => {
    writeFileSync(file('p.json'), JSON.stringify(good));
    const stored = await readProgram(context.access, 'p.json');
    writeFileSync(file('p.json'), JSON.stringify({ ...good, by: 'somebody else' }));
    assert.is(await codeOf(saveProgram(context, 'p.json', stored, '{}')), 'program_changed');
    assert.is(await codeOf(saveProgram(context, 'p.json', undefined, '{}')), 'program_changed');
    assert.match(readFileSync(file('p.json'), 'utf8'), 'somebody else');
    assert.is(await codeOf(saveProgram(context, 'none/p.json', undefined, '{}')), 'program_unwritable');
  }));

test('WIN-019 of two writers at a time one is told: no change is lost silently', () =>
  inFolder(async ({ context, file, perform, png }) => {
    png('a.png', motley(60, 60));
    png('b.png', motley(61, 60));
    await perform('analyze', { image: 'a.png', file: 'p.json' });
    const stored = await readProgram(context.access, 'p.json');
    const results = await Promise.all(
      ['1', '2', '3', '4'].map((by) =>
        codeOf(saveProgram(context, 'p.json', stored, `${stored.text} ${by.repeat(9)}`)),
      ),
    );
    assert.equal(results.toSorted(), ['', 'program_changed', 'program_changed', 'program_changed']);
    const kept = readFileSync(file('p.json'), 'utf8').slice(stored.text.length);
    assert.is(kept, ` ${String(results.indexOf('') + 1).repeat(9)}`);
  }));

test.run();
