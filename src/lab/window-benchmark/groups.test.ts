import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { f1, groupsOf, type Judged, scaleLosses } from './groups.ts';
import { RoleTally } from './roles.ts';
import { scoreOf } from './score.ts';
import type { Screen } from './truth.ts';

const test = suite();

const found = (role: 'button' | 'link' | 'text') => ({
  role,
  box: { x0: 0, y0: 0, x1: 50, y1: 20 },
  confidence: 1,
  color: '#000000',
  parent: null,
  source: 'row',
});

/** A screen with one button, found or not. */
function judged(id: string, family: string, scale: number, isFound: boolean): Judged {
  const screen: Screen = {
    id,
    image: '',
    isDesktop: false,
    family,
    page: id.split('@')[0] as string,
    scale,
    items: [{ class: 'interactive', role: 'button', box: { x: 0, y: 0, width: 50, height: 20 } }],
  };
  return { screen, score: scoreOf(screen, isFound ? [found('button').box] : []) };
}

test('WIN-028 the loss by density compares the same pages only', () => {
  const all = [
    judged('a@1x', 'a', 1, true),
    judged('a@2x', 'a', 2, false),
    judged('b@1x', 'b', 1, true),
    judged('c@2x', 'c', 2, true),
    judged('d@2x-390', 'd', 2, true),
    judged('d@1x', 'd', 1, false),
  ];
  assert.equal(scaleLosses(all), [{ scale: 2, pages: 1, usual: 1, here: 0 }]);
  assert.equal(
    [...groupsOf(all, ({ family }) => family)].map(([name, score]) => [name, f1(score)]),
    [
      ['a', 2 / 3],
      ['b', 1],
      ['c', 1],
      ['d', 2 / 3],
    ],
  );
});

test('WIN-031 roles are compared for what was found, and rare ones count as much as frequent ones', () => {
  const roles = new RoleTally();
  const { score } = judged('a@1x', 'a', 1, true);
  roles.add([found('button')], score);
  roles.add([found('button')], score);
  roles.add([found('link')], score);
  assert.match(String(roles), /told apart: 0\.667 .*button 0\.667 of 3/);
});

test.run();
