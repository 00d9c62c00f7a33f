import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { pupilsOf } from './pupils.ts';

const test = suite();

const screens = (family: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `${family}-${i}`, family }));

test('WIN-033 of each family some are learned from, the same ones whatever else is there, in whatever order', () => {
  const all = [...screens('98.css', 30), ...screens('xterm', 2), ...screens('generated page 1', 40)];
  const ids = pupilsOf(all).map(({ id }) => id);
  const count = (family: string) => ids.filter((id) => id.startsWith(`${family}-`)).length;
  assert.equal([count('98.css'), count('xterm'), count('generated page 1')], [4, 2, 25]);
  assert.equal(
    pupilsOf([...all].reverse()).map(({ id }) => id),
    ids,
  );
  assert.equal(
    pupilsOf(all.filter(({ id }) => ids.includes(id))).map(({ id }) => id),
    ids,
    'those alone are all learned from',
  );
});

test.run();
