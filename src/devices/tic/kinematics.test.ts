import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { at, pathToPosition, pathToVelocity, secondsUntil } from './kinematics.ts';

const test = suite('tic kinematics');

const near = (actual: number | undefined, wanted: number, what = '') =>
  assert.ok(actual !== undefined && Math.abs(actual - wanted) < 1e-6, `${what} ${actual} is not ${wanted}`);

const LIMITS = { maxSpeed: 1000, acceleration: 400, deceleration: 400 };
const REST = { position: 0, velocity: 0 };

test('a short way is a triangle: 500 steps at 400 step/s2 take 2 sqrt(500/400) s', () => {
  const path = pathToPosition(REST, 500, LIMITS);
  near(path.durationS, 2 * Math.sqrt(500 / 400));
  near(at(path, path.durationS / 2).position, 250);
  near(at(path, path.durationS / 2).velocity, Math.sqrt(500 * 400));
  assert.equal(at(path, 10), { position: 500, velocity: 0 });
});

test('a long way is a trapezoid: 10000 steps take 2.5 + 7.5 + 2.5 s', () => {
  const path = pathToPosition(REST, -10_000, LIMITS);
  near(path.durationS, 12.5);
  near(at(path, 2.5).position, -1250);
  near(at(path, 5).velocity, -1000);
  near(at(path, 10).position, -8750);
});

test('a target behind is reached by way of a stop', () => {
  const path = pathToPosition({ position: 0, velocity: 400 }, -100, LIMITS);
  near(at(path, 1).velocity, 0);
  near(at(path, 1).position, 200);
  assert.equal(path.end, { position: -100, velocity: 0 });
});

test('a target that is too near to brake for is passed and come back to', () => {
  const path = pathToPosition({ position: 0, velocity: 400 }, 100, LIMITS);
  near(at(path, 1).position, 200);
  assert.equal(path.end, { position: 100, velocity: 0 });
});

test('a velocity is ramped to and kept', () => {
  const path = pathToVelocity({ position: 0, velocity: -200 }, 600, LIMITS);
  near(at(path, 0.5).velocity, 0);
  near(at(path, 2).velocity, 600);
  near(at(path, 3).position - at(path, 2).position, 600);
});

test('a boundary is met when the position says so', () => {
  const path = pathToPosition(REST, 10_000, LIMITS);
  near(secondsUntil(path, 1250, 0), 2.5);
  near(secondsUntil(path, 5000, 0), 2.5 + 3.75);
  assert.is(secondsUntil(path, 10_001, 0), undefined);
  assert.is(secondsUntil(path, 1250, 3), undefined);
  near(secondsUntil(pathToVelocity(REST, -1000, LIMITS), -101_250, 0), 102.5);
});

test('whatever the start, the path has no jump and ends at its target', () => {
  const random = seededRandom(4);
  for (let round = 0; round < 500; round += 1) {
    const start = { position: 1000 * (random() - 0.5), velocity: 2000 * (random() - 0.5) };
    const limits = {
      maxSpeed: 1 + 900 * random(),
      acceleration: 1 + 5000 * random(),
      deceleration: 1 + 5000 * random(),
    };
    const target = Math.round(4000 * (random() - 0.5));
    const path = pathToPosition(start, target, limits);
    near(at(path, path.durationS).position, target, `round ${round}`);
    for (const { from } of path.stretches) {
      const [before, after] = [at(path, from - 1e-9), at(path, from + 1e-9)];
      if (from === 0) continue;
      assert.ok(Math.abs(after.position - before.position) < 1e-3, `round ${round} jumps`);
      assert.ok(Math.abs(after.velocity - before.velocity) < 1e-2, `round ${round} jerks`);
    }
    const last = path.stretches.at(-1);
    if (last) {
      const end = at(path, last.to - 1e-9);
      assert.ok(Math.abs(end.position - target) < 1e-3, `round ${round} misses: ${end.position}, ${target}`);
    }
  }
});

test.run();
