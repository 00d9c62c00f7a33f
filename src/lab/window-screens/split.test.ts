import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { windows } from './desktop/programs.ts';
import { idOf } from './screen.ts';
import { splitOf } from './split.ts';
import { packagePages } from './web/package-pages.ts';
import { panelScreens } from './web/panels.ts';
import { webScreens } from './web/screens.ts';
import { terminalScreens } from './web/terminals.ts';

const test = suite();

const all = [
  ...[...webScreens(1), ...packagePages(), ...terminalScreens(1), ...panelScreens(1)],
  ...windows(1).map((one) => ({ ...one, width: 1280 })),
];

test('there are more than 150 screens of more than 25 families at several densities, each with a name of its own', () => {
  assert.ok(all.length > 150);
  assert.ok(new Set(all.map(({ family }) => family)).size > 25);
  for (const wanted of [1, 1.25, 1.5, 2]) assert.ok(all.some(({ scale }) => scale === wanted));
  for (const wanted of [390, 800]) assert.ok(all.some(({ width }) => width === wanted));
  assert.is(new Set(all.map(idOf)).size, all.length);
});

test('of what is not late about a third is held back: whole families, and of the others pages at all their densities', () => {
  const held = all.filter(({ family, page }) => splitOf(family, page) === 'held');
  const share = held.length / all.filter(({ family, page }) => splitOf(family, page) !== 'late').length;
  assert.ok(share > 0.25 && share < 0.42, `${share}`);
  const families = [...new Set(all.map(({ family }) => family))];
  const unseen = families.filter((one) =>
    all.filter(({ family }) => family === one).every(({ family, page }) => splitOf(family, page) === 'held'),
  );
  assert.ok(unseen.length >= 5, `${unseen}`);
});

test('families that came when the detector had been made only judge it', () => {
  const late = all.filter(({ family, page }) => splitOf(family, page) === 'late');
  assert.ok(late.length > 100, `${late.length}`);
  assert.ok(new Set(late.map(({ family }) => family)).size > 15);
  for (const { family, page } of all)
    if (late.some((one) => one.family === family)) assert.is(splitOf(family, page), 'late', page);
});

test('the same seed makes the same pages', () => {
  assert.equal(webScreens(1), webScreens(1));
  assert.not.equal(webScreens(1), webScreens(2));
});

test.run();
