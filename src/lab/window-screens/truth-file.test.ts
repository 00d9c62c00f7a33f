import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat, motley, paint } from '../../test-kit/window/pictures.ts';
import { frame, writeText } from '../../test-kit/window/write-text.ts';
import type { TruthItem } from '../window-training/truth-script.ts';
import { truthFile } from './truth-file.ts';

const test = suite();

const SCREEN = { id: 'a', family: 'f', page: 'p', source: 's', kind: 'web', scale: 2 } as const;

const rolesOf = (...items: readonly Partial<TruthItem>[]): (string | undefined)[] => {
  const known = items.map((item, i) => ({
    class: 'interactive' as const,
    box: { x: 10 + 40 * i, y: 10, width: 30, height: 20 },
    ...item,
  }));
  const file = truthFile(SCREEN, motley(400, 100), known) as { items: { role?: string }[] };
  return file.items.map(({ role }) => role);
};

test('a button with a sign alone on it is an icon button, as it looks; one with a letter or a digit is a button', () => {
  assert.equal(
    rolesOf(
      { role: 'button', text: '×' },
      { role: 'button', text: 'C' },
      { role: 'button', text: '7' },
      { role: 'button' },
      { role: 'link', text: '»' },
    ),
    ['icon_button', 'button', 'button', 'button', 'link'],
  );
});

test('boxes are told in pixels of the picture, and end within it', () => {
  const file = truthFile(SCREEN, motley(400, 100), [
    { class: 'text', box: { x: 190, y: 40, width: 30, height: 30 }, text: 'Flow' },
  ]) as { items: { box: object }[] };
  assert.equal(file.items[0]?.box, { x: 380, y: 80, width: 20, height: 20 });
});

test('WIN-007 what has the colour of all around it is no element: nobody sees it', () => {
  const pixels = flat(400, 100, [255, 255, 255]);
  paint(pixels, 200, 10, 4, 4, [0, 0, 0]);
  const file = truthFile({ ...SCREEN, scale: 1 }, pixels, [
    { class: 'interactive', role: 'link', box: { x: 20, y: 10, width: 60, height: 20 }, text: 'White' },
    { class: 'interactive', role: 'link', box: { x: 160, y: 5, width: 60, height: 20 }, text: 'Black' },
    { class: 'interactive', role: 'input', box: { x: 204, y: 10, width: 60, height: 20 } },
    { class: 'container', box: { x: 20, y: 10, width: 60, height: 20 } },
  ]) as { items: { class: string; text?: string; role?: string }[] };
  assert.equal(
    file.items.map(({ class: name, text }) => text ?? name),
    ['Black', 'interactive', 'container'],
  );
});

test('the lines of a grid are no ink of the text in a cell on a desktop, and are the ink of a button', () => {
  const pixels = flat(200, 100, [255, 255, 255]);
  frame(pixels, 10, 10, 80, 30, [120, 120, 120]);
  const end = writeText(pixels, 20, 18, 'FLOW', [0, 0, 0]);
  const box = { x: 10, y: 10, width: 80, height: 30 };
  const inkOf = (item: Omit<TruthItem, 'box'>) =>
    (
      truthFile({ ...SCREEN, kind: 'desktop', scale: 1 }, pixels, [{ ...item, box }]) as {
        items: { ink: object }[];
      }
    ).items[0]?.ink;
  assert.equal(inkOf({ class: 'text', text: 'FLOW' }), { x: 20, y: 18, width: end - 20, height: 14 });
  assert.equal(inkOf({ class: 'interactive', role: 'button', text: 'FLOW' }), box);
});

test.run();
