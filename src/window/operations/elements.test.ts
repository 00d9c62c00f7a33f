import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import { makeScreen, type Screen } from '../../lab/compare-benchmark/screen.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Document, inFolder } from '../../test-kit/window/folder.ts';
import { flat, paint } from '../../test-kit/window/pictures.ts';
import { overlap } from '../compare/box.ts';
import { decodePng } from '../image/png/decode.ts';
import { programFaults } from '../program/schema.ts';
import { renderProgram } from '../render/render.ts';
import { type ElementDocument, locationOf, skippedOf } from './elements.ts';

const test = suite('elements');
const SLOW = { timeoutMs: 120_000 };

function form(): Screen {
  const screen = makeScreen(seededRandom(1));
  return {
    ...screen,
    width: 800,
    height: 480,
    fontSize: 15,
    dialog: { x0: 200, y0: 100, x1: 600, y1: 360, title: 'Stop the run?' },
    controls: screen.controls.filter(({ x, y, width, height }) => x + width < 780 && y + height < 460),
  };
}

test('WIN-022 an answer says what a picture had too much of to be looked at, and nothing of a usual one', () =>
  inFolder(async ({ png, perform }) => {
    // Thin stripes have too many borders for their area; wide ones are no strokes of letters, and too many surfaces.
    for (const [name, step, height] of [
      ['thin.png', 18, 300],
      ['wide.png', 66, 230],
    ] as const) {
      const slanting = flat(400, height, [255, 255, 255]);
      for (let x = -270; x < 400; x += step)
        for (let y = Math.max(0, -x); y < Math.min(height, 400 - x); y++)
          paint(slanting, x + y, y, 1, 1, [0, 0, 0]);
      png(name, slanting);
    }
    png('usual.png', await drawn(form()));
    const left = async (image: string) =>
      ((await perform('detect', { image, ocr: false })).skipped as { part: string; reason: string }[]).filter(
        ({ part }) => part === 'detection',
      );
    const reasons = [...(await left('thin.png')), ...(await left('wide.png'))].map(({ reason }) => reason);
    assert.ok(
      reasons.some((reason) => /^[1-9]\d* borders were not searched/.test(reason)),
      reasons.join('; '),
    );
    assert.ok(
      reasons.some((reason) => /^[1-9]\d* surfaces were not searched/.test(reason)),
      reasons.join('; '),
    );
    assert.equal(await left('usual.png'), []);
  }));

test('WIN-022 an answer counts one border and several ones in the words of their number', () => {
  const reasons = (borders: number) =>
    skippedOf({ rows: 0, crowded: 0, borders, displays: 0, unordered: 0 }).map(({ reason }) => reason);
  assert.equal(reasons(0), []);
  assert.equal(reasons(1), ['1 border was not searched for letters that touch it: the picture has too many']);
  assert.equal(reasons(2), [
    '2 borders were not searched for letters that touch them: the picture has too many',
  ]);
});

test(
  'WIN-006 elements have all fields, whole and exclusive ends, unique ids, known parents, no doubles; twice the same',
  () =>
    inFolder(async ({ png, perform }) => {
      png('a.png', await drawn(form()));
      const answer = await perform('detect', { image: 'a.png', locale: 'en' });
      const elements = answer.elements as ElementDocument[];
      assert.ok(elements.length >= 8, `${elements.length} elements`);
      assert.equal([answer.width, answer.height, answer.element_count], [800, 480, elements.length]);
      const ids = elements.map(({ id }) => id);
      assert.is(new Set(ids).size, ids.length);
      elements.forEach((element, index) => {
        const {
          id,
          role,
          bbox,
          bbox_norm,
          center,
          width,
          height,
          color,
          confidence,
          label,
          text,
          location,
          parent,
        } = element;
        const [x0, y0, x1, y1] = bbox;
        assert.ok(
          bbox.every(Number.isInteger) && x0 >= 0 && y0 >= 0 && x1 <= 800 && y1 <= 480 && x0 < x1 && y0 < y1,
          id,
        );
        assert.equal([width, height, center], [x1 - x0, y1 - y0, { x: (x0 + x1) / 2, y: (y0 + y1) / 2 }]);
        [x0 / 800, y0 / 480, x1 / 800, y1 / 480].forEach((value, end) => {
          assert.ok(
            Math.abs((bbox_norm[end] ?? -1) - value) <= 0.000051 && String(bbox_norm[end]).length <= 6,
            id,
          );
        });
        assert.match(id, new RegExp(`^${role}_[1-9]\\d*$`));
        assert.match(color, /^#[0-9A-F]{6}$/);
        assert.ok(confidence >= 0 && confidence <= 1);
        assert.ok(text === null ? label.length > 0 : label === text);
        assert.is(location, locationOf(center.x / 800, center.y / 480));
        assert.ok(parent === null || ids.indexOf(parent) < index, 'parents come first');
        assert.is(typeof element.metadata.source, 'string');
      });
      const box = ({ bbox: [x0, y0, x1, y1] }: ElementDocument) => ({ x0, y0, x1, y1 });
      for (const one of elements)
        for (const other of elements)
          assert.ok(one === other || overlap(box(one), box(other)) <= 0.85, `${one.id} ${other.id}`);
      const counted = Object.values(answer.by_role as Record<string, number>).reduce(
        (sum, count) => sum + count,
        0,
      );
      assert.is(counted, elements.length);
      assert.is(
        JSON.stringify(await perform('detect', { image: 'a.png', locale: 'en' })),
        JSON.stringify(answer),
      );
    }),
  SLOW,
);

test(
  'the texts of elements are read, and dark ones like light ones',
  () =>
    inFolder(async ({ png, perform }) => {
      for (const theme of ['light', 'dark'] as const) {
        const ink = theme === 'light' ? '#202124' : '#f0f0f0';
        const ground = theme === 'light' ? '#ffffff' : '#20242a';
        const screen = form();
        const control = {
          kind: 'label' as const,
          x: 40,
          y: 100,
          width: 200,
          height: 24,
          text: 'Calibration required',
        };
        const themed = {
          ...screen,
          controls: [control],
          theme: { ...screen.theme, ink, ground, panel: ground },
        };
        png('a.png', await drawn(themed));
        const { elements } = await perform('detect', { image: 'a.png', locale: 'en' });
        const texts = (elements as ElementDocument[]).map(({ text }) => text);
        assert.ok(texts.includes('Calibration required'), `${theme}: ${texts}`);
      }
    }),
  SLOW,
);

test(
  'WIN-008 the description has a header with the right counts, twelve bullets and a line for the rest, in both languages',
  () =>
    inFolder(async ({ png, perform }) => {
      const rows = Array.from({ length: 20 }, (_, index) => ({
        kind: 'label' as const,
        x: 40 + (index % 2) * 300,
        y: 60 + Math.floor(index / 2) * 36,
        width: 160,
        height: 24,
        text: `Measured value ${index}`,
      }));
      png('a.png', await drawn({ ...form(), dialog: undefined, controls: rows }));
      for (const [locale, header, more] of [
        ['en', /^Screen 800 x 480: (\d+) elements \(.*text: (\d+)/, /^\.\.\. and (\d+) more elements?$/],
        ['pl', /^Ekran 800 x 480: (\d+) element(?:y|ów) \(.*tekst: (\d+)/, /^\.\.\. i jeszcze (\d+) element/],
      ] as const) {
        const { description, element_count, by_role } = await perform('detect', { image: 'a.png', locale });
        const lines = String(description).split('\n');
        const [, count, texts] = header.exec(lines[0] ?? '') ?? [];
        assert.equal(
          [Number(count), Number(texts)],
          [element_count, (by_role as Record<string, number>).text],
          lines[0],
        );
        assert.is(lines.filter((line) => line.startsWith('- ')).length, 12);
        assert.is(Number(more.exec(lines.at(-1) ?? '')?.[1]), Number(element_count) - 12, lines.at(-1));
      }
      png('empty.png', flat(100, 80, [255, 255, 255]));
      const { description, element_count } = await perform('detect', { image: 'empty.png', locale: 'en' });
      assert.equal([description, element_count], ['Screen 100 x 80: no elements', 0]);
    }),
  SLOW,
);

test(
  'WIN-017 adopt writes layer, styles and direct relations, valid against the schema; with_grid adds the regions below',
  () =>
    inFolder(async ({ png, file, perform }) => {
      png('a.png', await drawn(form()));
      const answer = await perform('adopt', { image: 'a.png', file: 'p.json', with_grid: true, grid: 6 });
      const program = JSON.parse(readFileSync(file('p.json'), 'utf8'));
      const elements = answer.elements as ElementDocument[];
      assert.equal(programFaults(program), []);
      assert.equal(
        program.scene.layers.map(({ id }: Document) => id),
        ['screen_regions', 'ui_elements'],
      );
      const layer = program.scene.layers[1].objects as {
        id: string;
        style: Document;
        primitives: { params: Document }[];
      }[];
      assert.equal(
        layer.map(({ id, style, primitives }) => [id, style.color, primitives[0]?.params]),
        elements.map(({ id, color, bbox: [x, y], width, height }) => [id, color, { x, y, width, height }]),
      );
      assert.equal(
        program.scene.relations.map(({ kind, source, target }: Document) => [kind, source, target]),
        elements.filter(({ parent }) => parent !== null).map(({ id, parent }) => ['contains', parent, id]),
      );
      assert.ok(program.scene.relations.length > 0, 'the screen has nothing in anything');
      assert.equal(
        [answer.object_count, program.metadata.grid],
        [layer.length + program.scene.layers[0].objects.length, 6],
      );
      await perform('adopt', { image: 'a.png', file: 'p.json' });
      const again = JSON.parse(readFileSync(file('p.json'), 'utf8'));
      assert.equal(
        again.scene.layers.map(({ id }: Document) => id),
        ['ui_elements'],
      );
      assert.equal(again.scene.relations, program.scene.relations);
    }),
  SLOW,
);

test(
  'WIN-025 a rendered program covers the boxes that were adopted, to the pixel, as PNG and as SVG',
  () =>
    inFolder(async ({ png, file, perform }) => {
      png('a.png', await drawn(form()));
      await perform('adopt', { image: 'a.png', file: 'p.json' });
      const program = JSON.parse(readFileSync(file('p.json'), 'utf8'));
      await renderProgram(program, file('p.svg'));
      await renderProgram(program, file('p.png'));
      const pixels = await decodePng(readFileSync(file('p.png')));
      assert.equal([pixels.width, pixels.height], [800, 480]);
      const colors = new Array<string>(800 * 480).fill(program.scene.background);
      for (const { style, primitives } of program.scene.layers[0].objects) {
        const { x, y, width, height } = primitives[0].params;
        for (let row = y; row < y + height; row++)
          colors.fill(style.color, row * 800 + x, row * 800 + x + width);
      }
      const wrong = colors.filter((color, at) => {
        const rgb = Buffer.from(pixels.data.subarray(at * 3, at * 3 + 3)).toString('hex');
        return `#${rgb}`.toUpperCase() !== color.toUpperCase();
      });
      assert.is(wrong.length, 0, `${wrong.length} pixels`);
      const svg = readFileSync(file('p.svg'), 'utf8');
      assert.is(svg.match(/<rect /g)?.length, program.scene.layers[0].objects.length + 1);
    }),
  SLOW,
);

test('what a program says is text in a drawing, never markup', () =>
  inFolder(async ({ file }) => {
    const object = {
      id: 'a"><script>',
      primitives: [{ shape_type: 'text' as const, params: { text: '<script>alert(1)</script>&"' } }],
      style: { color: '#000000' },
    };
    const scene = { width: 9, height: 9, background: '#FFFFFF', layers: [{ id: '<l>', objects: [object] }] };
    await renderProgram({ version: '1.0', render_target: 'svg', scene }, file('x.svg'));
    assert.not.match(readFileSync(file('x.svg'), 'utf8'), '<script>');
  }));

test.run();
