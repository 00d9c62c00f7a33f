import * as assert from 'uvu/assert';
import { boost } from '../../lab/window-training/boost.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { Forest, packTree } from './forest.ts';

const test = suite();

test('a packed tree answers as it was written', () => {
  const tree = packTree({
    feature: [1, 0],
    threshold: [0, 1],
    left: [-1, -2],
    right: [1, -3],
    leaves: [100, 200, -300],
  });
  const forest = new Forest({
    features: ['a', 'b'],
    thresholds: [[5, 7], [2]],
    bias: [0.5],
    step: 0.01,
    trees: [tree],
  });
  const answer = (a: number, b: number) => Math.round(forest.logit(Float32Array.of(a, b), 0) * 1000) / 1000;
  assert.is(answer(9, 2), 1.5, 'b at its threshold goes left');
  assert.is(answer(7, 3), 2.5, 'the second threshold of a');
  assert.is(answer(8, 3), -2.5);
});

/** Two features, of which only both together tell. */
function corners(): { rows: Float32Array; target: Float32Array } {
  const random = seededRandom(3);
  const rows = Float32Array.from({ length: 4000 }, () => random());
  const target = Float32Array.from({ length: 2000 }, (_, i) =>
    (rows[i * 2] as number) > 0.5 === (rows[i * 2 + 1] as number) > 0.3 ? 1 : 0,
  );
  return { rows, target };
}

const train = (seed: number) => {
  const { rows, target } = corners();
  return boost(rows, [target], new Float32Array(2000).fill(1), {
    features: ['a', 'b'],
    rounds: 40,
    leaves: 8,
    rate: 0.3,
    rowShare: 0.7,
    featureShare: 1,
    leastWeight: 1,
    random: seededRandom(seed),
  });
};

test('boosted trees learn what no feature tells alone', () => {
  const { rows, target } = corners();
  const forest = new Forest(train(1));
  const right = target.filter((value, i) => forest.probability(rows, i) > 0.5 === (value === 1)).length;
  assert.ok(right > 1950, `${right} of 2000`);
});

test('the same seed gives the same weights, another one others', () => {
  assert.equal(train(1), train(1));
  assert.not.equal(train(1), train(2));
});

test.run();
