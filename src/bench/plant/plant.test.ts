import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import type { PlantPatch } from './parameters.ts';
import { Plant } from './plant.ts';

const test = suite('plant');

function rig(parameters: PlantPatch = {}, seed = 1) {
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

test('a leak and a noise can be of one input only', async () => {
  const { clock, plant } = rig({ leak: [0, null, 0.5, null], noise_v: [0, 0, 0, 0.1] });
  plant.setDuty(1);
  for (const coil of [0, 1, 2]) plant.setCoil(coil, true);
  await clock.advance(20_000);
  for (const coil of [0, 1, 2]) plant.setCoil(coil, false);
  plant.setDuty(0);
  const [tight = 0, , leaking = 0] = plant.state().pressure_v;
  await clock.advance(5000);
  const [held = 0, vented = 0, left = 0] = plant.state().pressure_v;
  near(held, tight);
  near(vented, 0, 1e-5);
  near(left, leaking * Math.exp(-2.5));
  assert.is(plant.volts(0), plant.volts(0));
  assert.is.not(plant.volts(3), plant.volts(3));
});

test('the pump moves its full scale at full power, and nothing against closed valves', () => {
  const { plant } = rig();
  plant.setDuty(0.3);
  assert.is(plant.state().pump_flow_lpm, 0);
  plant.setCoil(4, true);
  near(plant.state().pump_flow_lpm, 3);
  plant.setParameters({ pump_full_scale_lpm: 20 });
  near(plant.state().pump_flow_lpm, 6);
});

test('a meter follows the flow with its time constant, however often it is read', async () => {
  const { clock, plant } = rig();
  let tauS = 0.5;
  const [often, once] = [plant.laggedFlow(() => tauS), plant.laggedFlow(() => 0.5)];
  plant.setDuty(0.4);
  await clock.advance(1000);
  near(often(), 0);
  plant.setCoil(2, true);
  for (let step = 0; step < 100; step++) {
    await clock.advance(5);
    often();
  }
  near(often(), 4 * (1 - Math.exp(-1)));
  near(once(), often());
  tauS = 0;
  plant.setDuty(0.7);
  near(often(), 7);
  plant.reset();
  assert.equal([often(), once()], [0, 0]);
});

test('the supply gives its volts without load, and each load takes its part', () => {
  const { plant } = rig({ supply_v: 12, sag_pump_v: 0.4, sag_coil_v: 0.1, sag_motor_v: 2 });
  assert.is(plant.vinMv(), 12_000);
  plant.setDuty(0.5);
  assert.is(plant.vinMv(), 11_800);
  plant.setCoil(0, true);
  plant.setCoil(7, true);
  assert.is(plant.vinMv(), 11_600);
  plant.startLung({ steps: 100, speed: 100 });
  assert.is(plant.vinMv(), 9600);
  plant.setParameters({ supply_v: 1 });
  assert.is(plant.vinMv(), 0, 'never below 0');
});

test('the lung gives out its volume with its steps, and a mounted mask resists its breath', async () => {
  const { clock, plant } = rig({ lung_rest_l: 2, lung_l_per_step: 0.001, breathing_v_per_lpm: 0.001 });
  plant.startLung({ steps: 500, speed: 1000 });
  await clock.advance(250);
  near(plant.state().lung_volume_l, 1.75);
  near(plant.state().lung_flow_lpm, 60);
  assert.is(plant.volts(0), 0.635, 'no mask, no resistance');
  plant.setParameters({ leak: 0 });
  near(plant.volts(0), 0.695);
  assert.is(plant.volts(1), 0.755, 'only where the mask is');
  await clock.advance(500);
  near(plant.state().lung_flow_lpm, -60);
  near(plant.volts(0), 0.575);
  plant.stopLung();
  assert.is(plant.volts(0), 0.635);
});

test('another motor can move the lung, and is notified when its supply changes', () => {
  const { plant } = rig({ sag_motor_v: 1 });
  let told = 0;
  const motor = { position: 100, velocity: 0 };
  plant.attachLung({
    motion: () => motor,
    isEnergized: () => true,
    supplyChanged: () => {
      told += 1;
    },
  });
  near(plant.state().lung_volume_l, 1.9);
  assert.is(plant.vinMv(), 23_000);
  plant.setDuty(1);
  plant.setCoil(0, true);
  plant.setParameters({ supply_v: 20 });
  plant.reset();
  assert.is(told, 4);
});

test('a change of the inputs of one ADC leaves the others as they are', () => {
  const { plant } = rig();
  plant.setParameters({ inputs: { uart: ['ai01', 'ai04'] } });
  assert.equal(plant.parameters.inputs.uart, ['ai01', 'ai04']);
  assert.equal(plant.parameters.inputs.usbhid, ['ai01', 'ai02', 'ai03']);
  assert.throws(() => plant.setParameters({ tau_s: 0 }));
  assert.is(plant.parameters.tau_s, 0.4);
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
