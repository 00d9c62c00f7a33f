import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Color, flat, motley, paint } from '../../test-kit/window/pictures.ts';
import { frame, writeText } from '../../test-kit/window/write-text.ts';
import type { Pixels } from '../image/pixels.ts';
import { detect } from './detect.ts';
import { type Box, overlapOf, ROLES, type Role } from './element.ts';
import { stages } from './stages.ts';

const test = suite();

const BLUE: Color = [52, 90, 160];
const INK: Color = [30, 30, 34];

/** A dialog: two labelled fields, two lines of text, three icon buttons, two buttons. */
function dialog(dark = false): { pixels: Pixels; truth: { role: Role; box: Box }[] } {
  const tone = ([r, g, b]: Color): Color => (dark ? [255 - r, 255 - g, 255 - b] : [r, g, b]);
  const pixels = flat(640, 400, tone([240, 240, 242]));
  const truth: { role: Role; box: Box }[] = [];
  const ink = tone(INK);
  const edge = tone([130, 130, 140]);
  const text = (x: number, y: number, words: string, scale = 2) => {
    const end = writeText(pixels, x, y, words, ink, scale);
    truth.push({ role: 'text', box: { x0: x, y0: y, x1: end, y1: y + 7 * scale } });
  };
  const boxed = (role: Role, x: number, y: number, w: number, h: number, fill: Color) => {
    paint(pixels, x, y, w, h, fill);
    frame(pixels, x, y, w, h, edge);
    truth.push({ role, box: { x0: x, y0: y, x1: x + w, y1: y + h } });
  };
  paint(pixels, 40, 30, 560, 340, tone([255, 255, 255]));
  frame(pixels, 40, 30, 560, 340, tone([120, 120, 130]));
  text(70, 90, 'PRESSURE');
  boxed('input', 270, 80, 240, 34, tone([255, 255, 255]));
  writeText(pixels, 280, 90, '1240', ink);
  text(70, 140, 'FLOW');
  boxed('input', 270, 130, 240, 34, tone([255, 255, 255]));
  text(70, 200, 'THE VALVE CLOSES WHEN THE LIMIT IS REACHED', 1);
  text(70, 215, 'NOTHING IS STARTED AGAIN BY ITSELF', 1);
  for (let i = 0; i < 3; i++) {
    boxed('icon_button', 70 + i * 40, 310, 32, 32, tone([235, 235, 238]));
    paint(pixels, 80 + i * 40, 322, 12, 4, ink);
    paint(pixels, 84 + i * 40, 318, 4, 12, ink);
  }
  boxed('button', 330, 310, 110, 36, BLUE);
  writeText(pixels, 352, 321, 'APPLY', [255, 255, 255]);
  boxed('button', 460, 310, 110, 36, tone([225, 225, 228]));
  writeText(pixels, 475, 321, 'CANCEL', ink);
  return { pixels, truth };
}

for (const dark of [false, true]) {
  test(`WIN-007 finds the buttons, inputs, texts and icons of a ${dark ? 'dark' : 'light'} dialog in their boxes`, () => {
    const { pixels, truth } = dialog(dark);
    const found = detect(pixels);
    for (const { role, box } of truth) {
      const best = found.find((element) => overlapOf(element.box, box) >= 0.7);
      assert.ok(best, `${role} at ${JSON.stringify(box)} of ${JSON.stringify(found)}`);
      assert.is(best?.role, role, JSON.stringify(box));
    }
    const holders = found.filter(({ role }) => ['window', 'panel', 'titlebar', 'toolbar'].includes(role));
    assert.ok(found.length - holders.length <= truth.length + 1, 'and little else');
  });
}

test('WIN-006 a window, its tool bar, a panel, buttons and icon buttons in it are told apart', () => {
  const pixels = flat(900, 600, [58, 110, 165]);
  const [x0, y0, w, h] = [60, 40, 780, 520];
  paint(pixels, x0, y0, w, h, [240, 240, 240]);
  frame(pixels, x0, y0, w, h, [90, 90, 100]);
  paint(pixels, x0 + 1, y0 + 1, w - 2, 28, BLUE);
  writeText(pixels, x0 + 14, y0 + 8, 'SETTINGS', [255, 255, 255]);
  for (let i = 0; i < 3; i++) frame(pixels, x0 + w - 30 - i * 26, y0 + 9, 11, 11, [255, 255, 255], 2);
  paint(pixels, x0 + 1, y0 + 29, w - 2, 38, [222, 222, 224]);
  paint(pixels, x0 + 1, y0 + 66, w - 2, 1, [170, 170, 175]);
  for (let i = 0; i < 6; i++) {
    const x = x0 + 10 + i * 36;
    paint(pixels, x, y0 + 33, 30, 30, [250, 250, 250]);
    frame(pixels, x, y0 + 33, 30, 30, [150, 150, 155]);
    paint(pixels, x + 9, y0 + 46, 12, 4, INK);
    paint(pixels, x + 13, y0 + 42, 4, 12, INK);
  }
  paint(pixels, x0 + 30, y0 + 100, 360, 200, [255, 255, 255]);
  frame(pixels, x0 + 30, y0 + 100, 360, 200, [180, 180, 185]);
  ['PRESSURE', 'FLOW'].forEach((words, i) => {
    writeText(pixels, x0 + 50, y0 + 120 + i * 50, words, INK);
    frame(pixels, x0 + 180, y0 + 112 + i * 50, 180, 30, [120, 120, 130]);
  });
  writeText(pixels, x0 + 50, y0 + 220, 'THE LIMIT', INK);
  paint(pixels, x0 + w - 260, y0 + h - 60, 100, 34, [225, 225, 228]);
  frame(pixels, x0 + w - 260, y0 + h - 60, 100, 34, [140, 140, 150]);
  writeText(pixels, x0 + w - 236, y0 + h - 50, 'STOP', INK);
  const found = detect(pixels);
  const best = (box: Box) => found.reduce((a, b) => (overlapOf(b.box, box) > overlapOf(a.box, box) ? b : a));
  const roleAt = (x: number, y: number, width: number, height: number) => {
    const box = { x0: x, y0: y, x1: x + width, y1: y + height };
    return overlapOf(best(box).box, box) >= 0.8 ? best(box).role : 'none';
  };
  assert.is(roleAt(x0, y0, w, h), 'window');
  assert.is(roleAt(x0, y0, w, 29), 'titlebar');
  assert.is(roleAt(x0, y0 + 29, w, 38), 'toolbar');
  assert.is(roleAt(x0 + 30, y0 + 100, 360, 200), 'panel');
  assert.is(roleAt(x0 + w - 260, y0 + h - 60, 100, 34), 'button');
  assert.is(roleAt(x0 + 10, y0 + 33, 30, 30), 'icon_button');
  assert.is(roleAt(x0 + 180, y0 + 112, 180, 30), 'input');
  const stop = best({ x0: x0 + w - 260, y0: y0 + h - 60, x1: x0 + w - 160, y1: y0 + h - 26 });
  assert.is(found[stop.parent ?? -1]?.role, 'window', 'the button lies in the window');
});

test('WIN-006 every element is whole: a box in the image, a role, a colour, a confidence, a parent before it', () => {
  const { pixels } = dialog();
  const found = detect(pixels);
  assert.ok(found.length >= 10);
  found.forEach(({ box, role, color, confidence, parent, source }, i) => {
    for (const side of Object.values(box)) assert.ok(Number.isInteger(side));
    assert.ok(box.x0 >= 0 && box.y0 >= 0 && box.x1 > box.x0 && box.y1 > box.y0);
    assert.ok(box.x1 <= pixels.width && box.y1 <= pixels.height);
    assert.ok(ROLES.includes(role));
    assert.match(color, /^#[0-9A-F]{6}$/);
    assert.ok(confidence > 0 && confidence <= 1);
    assert.ok(parent === null || parent < i);
    assert.ok(['row', 'cluster', 'box', 'frame', 'blob'].includes(source));
  });
});

test('WIN-006 the same pixels give the same elements', () => {
  assert.equal(detect(dialog().pixels), detect(dialog().pixels));
});

test('WIN-006 no two elements overlap by more than 0.85, whatever the picture', () => {
  const random = seededRandom(11);
  const whole = (most: number) => Math.floor(random() * most);
  for (let round = 0; round < 12; round++) {
    const pixels = flat(320, 240, [whole(256), whole(256), whole(256)]);
    for (let i = 0; i < 40; i++)
      paint(pixels, whole(300), whole(220), 1 + whole(90), 1 + whole(60), [
        whole(256),
        whole(256),
        whole(256),
      ]);
    const found = detect(pixels);
    found.forEach(({ box }, i) => {
      for (const other of found.slice(i + 1)) assert.ok(overlapOf(box, other.box) <= 0.85);
    });
  }
});

test('pictures without anything to see, and the smallest ones, hold no elements', () => {
  assert.equal(detect(flat(300, 200, [255, 255, 255])), []);
  assert.equal(detect(flat(300, 200, [200, 0, 0])), []);
  for (const [width, height] of [
    [1, 1],
    [1, 50],
    [50, 1],
    [2, 2],
    [3, 3],
  ] as const)
    assert.equal(detect(flat(width, height, [9, 9, 9])), []);
});

test('noise of every colour ends, and without hundreds of elements', () => {
  assert.ok(detect(motley(400, 300)).length < 50);
  const random = seededRandom(2);
  const data = Uint8Array.from({ length: 400 * 300 * 3 }, () => Math.floor(random() * 256));
  assert.ok(detect({ width: 400, height: 300, data }).length < 50);
});

test('the stages can be looked at one by one, each box with its label', () => {
  const seen = [...stages(dialog().pixels)];
  assert.equal(
    seen.map(({ name }) => name),
    ['surfaces', 'ink', 'underlines', 'rows', 'candidates', 'elements'],
  );
  for (const { boxes, labels, name } of seen) {
    assert.is(boxes.length, labels.length, name);
    if (name !== 'underlines') assert.ok(boxes.length > 0, name);
  }
});

test.run();
