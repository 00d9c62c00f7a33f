import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat } from '../../test-kit/window/pictures.ts';
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
  const file = truthFile(SCREEN, flat(400, 100, [255, 255, 255]), known) as { items: { role?: string }[] };
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
  const file = truthFile(SCREEN, flat(400, 100, [255, 255, 255]), [
    { class: 'text', box: { x: 190, y: 40, width: 30, height: 30 }, text: 'Flow' },
  ]) as { items: { box: object }[] };
  assert.equal(file.items[0]?.box, { x: 380, y: 80, width: 20, height: 20 });
});

test.run();
