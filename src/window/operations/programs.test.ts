import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { codeOf, type Document, inFolder } from '../../test-kit/window/folder.ts';
import { type Color, flat, motley, paint } from '../../test-kit/window/pictures.ts';
import { programFaults } from '../program/schema.ts';

const test = suite('operations on programs');

const screen = (color: Color = [200, 0, 0]) => paint(flat(200, 120, [250, 250, 250]), 20, 20, 60, 24, color);
const program = (path: string) =>
  JSON.parse(readFileSync(path, 'utf8')) as Document & { scene: Document; metadata: Document };

test('analyze writes a valid program with the documented answer; the same again is kept', () =>
  inFolder(async ({ png, file, perform }) => {
    png('a.png', screen());
    const first = await perform('analyze', { image: 'a.png', file: 'p.json' });
    assert.equal([first.ok, first.skipped_adopt, first.scene], [true, false, { width: 200, height: 120 }]);
    assert.equal([first.program, first.image], [file('p.json'), file('a.png')]);
    const { scene, metadata, ...rest } = program(file('p.json'));
    assert.equal(programFaults({ ...rest, scene, metadata }), []);
    assert.equal([rest.version, rest.render_target, rest.validation], ['1.0', 'svg', null]);
    assert.equal([scene.app, scene.url, scene.background], ['desktop', `file://${file('a.png')}`, '#FAFAFA']);
    assert.equal(
      [metadata.grid, metadata.image, metadata.fingerprint],
      [12, file('a.png'), first.fingerprint],
    );
    const before = readFileSync(file('p.json'), 'utf8');
    const second = await perform('analyze', { image: 'a.png', file: 'p.json' });
    assert.equal([second.skipped_adopt, (second.similarity as Document).match], [true, true]);
    assert.is(readFileSync(file('p.json'), 'utf8'), before);
    for (const changed of [{ grid: 5 }, { with_grid: true }]) {
      const again = await perform('analyze', { image: 'a.png', file: 'p.json', ...changed });
      assert.is(again.skipped_adopt, false, JSON.stringify(changed));
    }
  }));

test('WIN-034 analyze writes the named file only; without one the answer holds the program', () =>
  inFolder(async ({ png, file, perform }) => {
    png('a.png', screen());
    const unwritten = await perform('analyze', { image: 'a.png' });
    assert.equal([unwritten.program, existsSync(file('app.vql.json'))], [null, false]);
    assert.is((await perform('analyze', { image: 'a.png', file: 'p.json' })).document, undefined);
    assert.equal(
      { ...program(file('p.json')), metadata: 0 },
      { ...(unwritten.document as object), metadata: 0 },
    );
  }));

test('a rewrite keeps keys and layers that are not ours, and replaces those that are', () =>
  inFolder(async ({ png, file, perform }) => {
    png('a.png', screen());
    png('b.png', screen([0, 200, 0]));
    await perform('analyze', { image: 'a.png', file: 'p.json', with_grid: true });
    const own = program(file('p.json'));
    const layers = [...(own.scene.layers as Document[]), { id: 'mine', objects: [] }];
    writeFileSync(
      file('p.json'),
      JSON.stringify({
        ...own,
        x_top: 1,
        scene: { ...own.scene, x_scene: 2, layers },
        metadata: { ...own.metadata, x_meta: 3 },
      }),
    );
    await perform('analyze', { image: 'b.png', file: 'p.json' });
    const { scene, metadata, x_top } = program(file('p.json'));
    assert.equal([x_top, scene.x_scene, metadata.x_meta], [1, 2, 3]);
    assert.equal(
      (scene.layers as Document[]).map(({ id }) => id),
      ['screen_regions', 'mine'],
    );
    assert.is(scene.url, `file://${file('b.png')}`);
  }));

test('WIN-004 a blank image is blank_image: black, white, red, nearly one colour, a side of one pixel', () =>
  inFolder(async ({ png, perform }) => {
    const nearly = paint(flat(50, 50, [100, 100, 100]), 0, 0, 20, 20, [112, 92, 100]);
    for (const pixels of [
      flat(9, 9, [0, 0, 0]),
      flat(9, 9, [255, 255, 255]),
      flat(9, 9, [255, 0, 0]),
      nearly,
      motley(1, 40),
    ]) {
      png('x.png', pixels);
      assert.is(await codeOf(perform('analyze', { image: 'x.png', file: 'p.json' })), 'blank_image');
    }
    png('x.png', paint(flat(50, 50, [100, 100, 100]), 0, 0, 20, 20, [118, 100, 100]));
    assert.is(
      await codeOf(perform('analyze', { image: 'x.png', file: 'q.json' })),
      '',
      '18 levels are two colours',
    );
    png('x.png', paint(flat(500, 500, [255, 255, 255]), 250, 250, 1, 9, [0, 0, 0]));
    assert.is(
      await codeOf(perform('analyze', { image: 'x.png', file: 'p.json' })),
      '',
      'one thin line is not a blank image',
    );
  }));

test(
  'the largest program that can be written can be read again',
  () =>
    inFolder(async ({ png, perform }) => {
      png('a.png', motley(300, 260));
      const { object_count } = await perform('analyze', {
        image: 'a.png',
        file: 'p.json',
        grid: 256,
        with_grid: true,
      });
      assert.ok(Number(object_count) > 120_000);
      assert.is((await perform('summary', { file: 'p.json', live: true })).object_count, object_count);
    }),
  { timeoutMs: 120_000 },
);

test('analyze does not overwrite a file that is no program', () =>
  inFolder(async ({ png, file, perform }) => {
    png('a.png', screen());
    writeFileSync(file('notes.txt'), 'important');
    assert.is(await codeOf(perform('analyze', { image: 'a.png', file: 'notes.txt' })), 'program_invalid');
    assert.is(readFileSync(file('notes.txt'), 'utf8'), 'important');
  }));

test('compare: a match and a change are both 200; without a fingerprint it is an error', () =>
  inFolder(async ({ png, file, perform }) => {
    png('a.png', screen());
    png('b.png', paint(screen(), 150, 90, 10, 12, [0, 0, 0]));
    await perform('analyze', { image: 'a.png', file: 'p.json' });
    const same = await perform('compare', { image: 'a.png', file: 'p.json' });
    assert.equal([same.ok, same.match, same.changed_regions, same.phash_distance], [true, true, [], 0]);
    assert.equal([same.reference_phash, same.vql_program], [same.current_phash, file('p.json')]);
    const other = await perform('compare', { image: 'b.png', file: 'p.json' });
    assert.equal([other.ok, other.match], [true, false]);
    assert.equal(other.changed_regions, [
      { bbox: [150, 90, 160, 102], x: 150, y: 90, width: 10, height: 12 },
    ]);
    const { metadata: _, ...bare } = program(file('p.json'));
    writeFileSync(file('bare.json'), JSON.stringify(bare));
    assert.is(await codeOf(perform('compare', { image: 'a.png', file: 'bare.json' })), 'no_fingerprint');
    const spoilt = program(file('p.json'));
    (spoilt.metadata.fingerprint as Document).tiles = '01ff';
    writeFileSync(file('spoilt.json'), JSON.stringify(spoilt));
    assert.is(await codeOf(perform('compare', { image: 'a.png', file: 'spoilt.json' })), 'program_invalid');
  }));

test('WIN-010 when the former image has been overwritten, its blocks still tell where the change is', () =>
  inFolder(async ({ png, perform }) => {
    png('a.png', screen());
    await perform('analyze', { image: 'a.png', file: 'p.json' });
    png('a.png', paint(screen(), 150, 88, 12, 12, [0, 0, 0]));
    const { match, changed_regions } = await perform('compare', { image: 'a.png', file: 'p.json' });
    assert.is(match, false);
    assert.equal((changed_regions as Document[])[0]?.bbox, [148, 88, 164, 100]);
    png('b.png', paint(screen(), 150, 88, 12, 12, [0, 0, 0]));
    png('a.png', paint(screen(), 150, 88, 6, 12, [0, 0, 0]));
    const third = await perform('compare', { image: 'b.png', file: 'p.json' });
    assert.equal(
      (third.changed_regions as Document[])[0]?.bbox,
      [148, 88, 164, 100],
      'another picture is no witness',
    );
  }));

test('WIN-011 refresh keeps everything but the metadata of the image byte for byte, and tells whether the image changed', () =>
  inFolder(async ({ png, file, perform }) => {
    png('a.png', screen());
    png('b.png', screen([0, 0, 200]));
    await perform('analyze', { image: 'a.png', file: 'p.json' });
    const text = readFileSync(file('p.json'), 'utf8')
      .replace('"version": "1.0"', '"x_float": 1.50,\n "version":"1.0"')
      .replace('"grid": 12', '"grid": 12, "mine": [1.0, 2]');
    writeFileSync(file('p.json'), text);
    const kept = await perform('refresh', { image: 'a.png', file: 'p.json' });
    assert.equal([kept.ok, kept.unchanged, kept.program], [true, true, file('p.json')]);
    const fresh = await perform('refresh', { image: 'b.png', file: 'p.json', locale: 'en' });
    assert.equal([fresh.unchanged, fresh.image], [false, file('b.png')]);
    const after = readFileSync(file('p.json'), 'utf8');
    const head = text.slice(0, text.indexOf('"metadata"'));
    assert.ok(after.startsWith(head), 'all before the metadata is as it was');
    assert.ok(after.includes('"grid": 12, "mine": [1.0, 2]'));
    assert.equal((fresh.metadata as Document).mine, [1, 2]);
    assert.equal(program(file('p.json')).metadata.fingerprint, fresh.fingerprint);
    assert.is((await perform('compare', { image: 'b.png', file: 'p.json' })).match, true);
  }));

test('refresh of a program without a fingerprint does not claim to know whether anything changed', () =>
  inFolder(async ({ png, file, perform }) => {
    png('a.png', screen());
    const scene = { width: 1, height: 1, background: '#000000', layers: [] };
    writeFileSync(file('p.json'), JSON.stringify({ version: '1.0', render_target: 'canvas', scene }));
    assert.is((await perform('refresh', { image: 'a.png', file: 'p.json' })).unchanged, null);
    assert.is((await perform('refresh', { image: 'a.png', file: 'p.json' })).unchanged, true);
  }));

test('WIN-018 summary tells what the program holds; live refreshes it first, and fails when that fails', () =>
  inFolder(async ({ png, file, perform }) => {
    const image = png('a.png', screen());
    await perform('analyze', { image: 'a.png', file: 'p.json' });
    const old = await perform('summary', { file: 'p.json' });
    assert.equal([old.ok, old.refreshed, old.image, old.file], [true, false, image, file('p.json')]);
    assert.equal((old.scene as Document).layers, [{ id: 'screen_regions', objects: old.object_count }]);
    assert.equal([old.diagnosed_at, old.diagnose_recommendation, old.similarity], [null, null, null]);
    png('a.png', paint(screen(), 100, 60, 50, 50, [0, 0, 0]));
    const live = await perform('summary', { file: 'p.json', live: true });
    assert.equal([live.refreshed, (live.similarity as Document).match], [true, false]);
    assert.is.not((live.fingerprint as Document).tiles, (old.fingerprint as Document).tiles);
    rmSync(image);
    assert.is((await perform('summary', { file: 'p.json' })).refreshed, false);
    assert.is(await codeOf(perform('summary', { file: 'p.json', live: true })), 'image_not_found');
    png('b.png', screen());
    const other = await perform('summary', { file: 'p.json', live: true, image: 'b.png' });
    assert.equal([other.refreshed, other.image], [true, file('b.png')]);
  }));

test('summary with live of a program that knows no image asks for one', () =>
  inFolder(async ({ file, perform }) => {
    const scene = { width: 1, height: 1, background: '#000000', layers: [] };
    writeFileSync(file('p.json'), JSON.stringify({ version: '1.0', render_target: 'canvas', scene }));
    assert.is(await codeOf(perform('summary', { file: 'p.json', live: true })), 'missing_field');
    assert.is((await perform('summary', { file: 'p.json' })).image, null);
  }));

test('interactive is for capture, which is not done here: it is told and not obeyed', () =>
  inFolder(async ({ png, perform }) => {
    png('a.png', screen());
    const { skipped } = await perform('analyze', { image: 'a.png', file: 'p.json', interactive: true });
    assert.is((skipped as Document[])[0]?.part, 'interactive');
    assert.equal(
      (await perform('analyze', { image: 'a.png', file: 'p.json', interactive: null })).skipped,
      [],
    );
  }));

test.run();
