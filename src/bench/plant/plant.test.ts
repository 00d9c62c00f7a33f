import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import type { PlantParameters } from './parameters.ts';
import { Plant } from './plant.ts';

const test = suite('plant');

function rig(parameters: Partial<PlantParameters> = {}, seed = 1) {
  const clock = new SteppedClock();
  return { clock, plant: new Plant({ clock, random: seededRandom(seed), parameters }) };
}
const near = (seen: number, wanted: number, off = 1e-9) =>
  assert.ok(Math.abs(seen - wanted) <= off, `${seen} is not ${wanted}`);

test('with the pump off the calibration windows pass, valves open or closed', async () => {
  const { clock, plant } = rig();
  const windows = [
    [0.6, 0.67],
    [0.73, 0.78],
    [0.86, 0.91],
  ] as const;
  for (const open of [false, true, false]) {
    for (let coil = 0; coil < 3; coil++) plant.setCoil(coil, open);
    await clock.advance(500);
    for (const [input, [low, high]] of windows.entries()) {
      const volts = plant.volts(input);
      assert.ok(volts >= low && volts <= high, `ai0${input + 1} ${volts}`);
    }
  }
  assert.is(plant.volts(3), 0);
});

test('an input follows its own valve with tau_s to rest + gain x duty, and back', async () => {
  const { clock, plant } = rig({ gain: 2 });
  plant.setDuty(0.5);
  plant.setCoil(1, true);
  await clock.advance(400);
  near(plant.volts(1), 0.755 + (1 - Math.exp(-1)));
  near(plant.volts(0), 0.635);
  await clock.advance(10_000);
  near(plant.volts(1), 1.755);
  plant.setCoil(1, false);
  await clock.advance(400);
  near(plant.volts(1), 0.755 + Math.exp(-1));
});

test('how often it is looked at makes no difference', async () => {
  const [often, once] = [rig(), rig()];
  for (const { plant } of [often, once]) {
    plant.setDuty(1);
    plant.setCoil(0, true);
  }
  for (let i = 0; i < 100; i++) {
    await often.clock.advance(7);
    often.plant.volts(0);
  }
  await once.clock.advance(700);
  near(often.plant.volts(0), once.plant.volts(0));
});

/** Fill for 10 s, close, and see what is left after 5 s. */
async function leakTest(leak: number): Promise<number> {
  const { clock, plant } = rig({ leak });
  plant.setDuty(1);
  plant.setCoil(0, true);
  await clock.advance(10_000);
  plant.setCoil(0, false);
  plant.setDuty(0);
  const held = plant.volts(0) - 0.635;
  await clock.advance(5000);
  return (plant.volts(0) - 0.635) / held;
}

test('a tight mask holds its pressure behind the closed valve, a leaking one loses it exponentially', async () => {
  near(await leakTest(0), 1);
  near(await leakTest(0.2), Math.exp(-1));
  assert.ok((await leakTest(0.02)) > 0.9);
});

test('a leaking mask fills less far', async () => {
  const { clock, plant } = rig({ leak: 2.5 });
  plant.setDuty(1);
  plant.setCoil(0, true);
  await clock.advance(60_000);
  near(plant.volts(0) - 0.635, 0.5, 1e-6);
});

test('a mounted mask vents through an open valve when the pump stops', async () => {
  const { clock, plant } = rig({ leak: 0 });
  plant.setDuty(1);
  plant.setCoil(0, true);
  await clock.advance(10_000);
  plant.setDuty(0);
  await clock.advance(4000);
  near(plant.volts(0), 0.635, 1e-3);
});

test('DEV-047 noise is the same for the same seed and has the deviation asked for', () => {
  const draw = (seed: number) => {
    const { plant } = rig({ noise_v: 0.01 }, seed);
    return Array.from({ length: 2000 }, () => plant.volts(0));
  };
  assert.equal(draw(5), draw(5));
  assert.not.equal(draw(5), draw(6));
  const values = draw(5);
  const mean = values.reduce((sum, volts) => sum + volts, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, volts) => sum + (volts - mean) ** 2, 0) / values.length);
  near(mean, 0.635, 0.001);
  near(deviation, 0.01, 0.001);
});

test('values that cannot be are refused', () => {
  const { plant } = rig();
  for (const duty of [-0.1, 1.1, Number.NaN]) assert.throws(() => plant.setDuty(duty), /not 0 to 1/);
  for (const coil of [-1, 8, 0.5]) assert.throws(() => plant.setCoil(coil, true), /not 0 to 7/);
  assert.throws(() => plant.volts(4), /not 0 to 3/);
  assert.throws(() => plant.setParameters({ tau_s: 0 }));
  assert.throws(() => plant.startLung({ steps: 0, speed: 1 }), /lung motion/);
});

test('the lung goes out and back and ends after its cycles', async () => {
  const { clock, plant } = rig();
  plant.startLung({ steps: 100, speed: 100, cycles: 2, pauseS: 0.5 });
  const at = async (ms: number) => {
    await clock.advance(ms);
    const { running, position, cyclesDone } = plant.lungState();
    return [running, position, cyclesDone];
  };
  assert.equal(await at(500), [true, 50, 0]);
  assert.equal(await at(750), [true, 100, 0]);
  assert.equal(await at(750), [true, 50, 0]);
  assert.equal(await at(1500), [true, 50, 1]);
  assert.equal(await at(10_000), [false, 0, 2]);
});

test('a stopped lung stays where it is', async () => {
  const { clock, plant } = rig();
  plant.startLung({ steps: 100, speed: 100 });
  await clock.advance(300);
  plant.stopLung();
  await clock.advance(5000);
  assert.equal(plant.lungState(), { running: false, position: 30, cyclesDone: 0 });
});

test('reset brings back the rig as it was', async () => {
  const { clock, plant } = rig();
  plant.setParameters({ gain: 3, leak: 0 });
  plant.setDuty(1);
  plant.setCoil(0, true);
  await clock.advance(1000);
  plant.reset();
  assert.equal(
    [plant.duty, plant.coils.some(Boolean), plant.parameters.gain, plant.volts(0)],
    [0, false, 1, 0.635],
  );
});

test.run();
