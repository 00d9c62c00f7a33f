import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { LUNG_ID } from '../../rig/device-kinds/lung.ts';
import { PUMP_ID } from '../../rig/device-kinds/pump.ts';
import type { LungStatus, PumpReading, Rig } from '../../rig/hardware/ports.ts';
import { KnownStates } from '../../rig/interlocks/known-states.ts';
import { suite } from '../../test-kit/suite.ts';
import { ReadBack } from './read-back.ts';

const test = suite('read-back of the outputs');

const YAML = `
plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/valves}}
  pump-motor: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/pump}}
  lung-motor: {connection_type: http, connection_params: {base_url: "http://127.0.0.1:1"}}
`;

const STANDING: LungStatus = {
  ...{ connected: true, energized: false, moving: false, position: 0, positionUncertain: false },
  ...{ forwardLimitActive: false, reverseLimitActive: false, lowVin: false, vinMv: 12_000 },
  ...{ motorDriverError: false, lastMotionError: null, cyclesDone: 0, cyclesTotal: 0, error: null },
};
const STOPPED: PumpReading = { powerPercent: 0, duty: 0, enabled: false, frequencyHz: null, verified: true };

/** What the devices show, as it is when the reply is made; `between` runs before it comes. */
function rig(disabled: readonly string[] = []) {
  const shown = {
    valves: Array<boolean>(8).fill(false),
    pump: STOPPED,
    lung: STANDING,
    between: () => {},
  };
  const reply = async <T>(value: T): Promise<T> => {
    await Promise.resolve();
    shown.between();
    return value;
  };
  const components = ['modbus-io', 'pump-motor', 'lung-motor'].map((id) => ({
    id,
    known: () => ({ status: disabled.includes(id) ? 'disabled' : 'ok' }),
  }));
  const ports = {
    components,
    valves: { read: () => reply([...shown.valves]), readBoard: () => reply([...shown.valves]) },
    pump: { read: () => reply(shown.pump) },
    lung: { read: () => reply(shown.lung) },
  } as unknown as Rig;
  const states = new KnownStates();
  const clock = new SteppedClock();
  const told: string[] = [];
  const config = mergeConfig(parseConfig(YAML, 'svc.yaml'), { SVC_HARDWARE_MODE: 'real' });
  const onDeviation = (kind: string, device: string, why: string) =>
    void told.push(`${kind} ${device} ${why}`);
  const readBack = new ReadBack({ rig: ports, config, clock, states, onDeviation });
  /** A command that was confirmed. */
  const command = (id: string, on: boolean) => states.begin(id, on)(on);
  const look = (plugin: string) => readBack.devices.find((one) => one.plugin === plugin)?.look();
  return { shown, states, clock, told, readBack, command, look };
}

test('SVC-051 every output that reads on is named, and reported where it was not commanded', async () => {
  const { shown, told, look } = rig();
  assert.equal([await look('modbus-io'), await look('pump-motor'), await look('lung-motor')], [[], [], []]);
  assert.equal(told, []);
  shown.valves[3] = true;
  shown.pump = { ...STOPPED, duty: 255, enabled: true };
  shown.lung = { ...STANDING, moving: true, energized: true };
  assert.equal(
    [await look('modbus-io'), await look('pump-motor'), await look('lung-motor')],
    [['valve-4'], [PUMP_ID], [LUNG_ID]],
  );
  assert.equal(told, [
    'unexpected valves valve-4 reads open, but was not commanded to open',
    'unexpected pump pump-main: reads duty 255, enabled, but was not commanded to run',
    'unexpected lung lung-main: reads moving, but was not commanded to move',
  ]);
});

test('SVC-051 a pump runs when it is enabled with a duty, and not with one of the two', async () => {
  const { shown, told, look } = rig();
  for (const pump of [
    { ...STOPPED, enabled: true },
    { ...STOPPED, duty: 255 },
  ]) {
    shown.pump = pump;
    assert.equal(await look('pump-motor'), []);
  }
  assert.equal(told, []);
});

test('SVC-051 a lung that has current without motion is on; it is reported when that lasts 0.5 s', async () => {
  const { shown, clock, told, look, command } = rig();
  shown.lung = { ...STANDING, energized: true };
  assert.equal([await look('lung-motor'), told], [[LUNG_ID], []]);
  await clock.advance(499);
  await look('lung-motor');
  assert.equal(told, []);
  await clock.advance(1);
  await look('lung-motor');
  assert.equal(told, [
    'unexpected lung lung-main: is energized without motion, but was not commanded to move',
  ]);
  told.length = 0;
  shown.lung = STANDING;
  await look('lung-motor');
  shown.lung = { ...STANDING, energized: true };
  await look('lung-motor');
  assert.equal(told, [], 'it was off in between');
  command(LUNG_ID, true);
  await clock.advance(1000);
  shown.lung = { ...STANDING, energized: true, cyclesDone: 1, cyclesTotal: 1 };
  await look('lung-motor');
  assert.equal(told, [], 'its motion has just ended');
});

test('SVC-051 what was read while a command came between says nothing', async () => {
  const { shown, told, command, look, readBack, states } = rig();
  shown.between = () => {
    command('valve-1', true);
    command(PUMP_ID, true);
    command(LUNG_ID, true);
  };
  await look('modbus-io');
  await readBack.readValves();
  await look('pump-motor');
  await look('lung-motor');
  assert.equal(told, [], 'off was read, but before the command');
  for (const id of ['valve-1', PUMP_ID, LUNG_ID]) assert.is(states.isHeldOn(id), true, id);
});

test('DEV-056 a valve, a pump and a lung that read off without a command are lost', async () => {
  const { told, command, look, readBack } = rig();
  for (const read of [() => look('modbus-io'), () => readBack.readValves()]) {
    command('valve-2', true);
    await read();
    assert.equal(told.splice(0), ['lost valves valve-2 reads closed, but was not commanded to close']);
  }
  command(PUMP_ID, true);
  await look('pump-motor');
  command(LUNG_ID, true);
  await look('lung-motor');
  assert.equal(told, [
    'lost pump pump-main: read-back shows it stopped, but no stop was commanded',
    'lost lung lung-main: read-back shows it stopped and without a motion: it restarted, but no stop was commanded',
  ]);
});

test('a lung that has made all its cycles is not lost, one that stands before that is', async () => {
  const { shown, told, command, look } = rig();
  for (const cyclesDone of [3, 2]) {
    command(LUNG_ID, true);
    shown.lung = { ...STANDING, cyclesDone, cyclesTotal: 3, lastMotionError: 'limit switch' };
    await look('lung-motor');
  }
  assert.equal(told, [
    'lost lung lung-main: read-back shows it stopped after 2 of 3 cycles, but no stop was commanded: limit switch',
  ]);
});

test('DEV-056 silence of a valve board is acted on within 1 s; pump and lung have a hold of their own', () => {
  const { devices } = rig().readBack;
  assert.equal(
    devices.map(({ plugin, lostAfterMs }) => [plugin, lostAfterMs]),
    [
      ['modbus-io', 950],
      ['pump-motor', Number.POSITIVE_INFINITY],
      ['lung-motor', Number.POSITIVE_INFINITY],
    ],
  );
});

test('SVC-051 a device that is left out of the rig is not read', () => {
  const { devices } = rig(['pump-motor']).readBack;
  assert.equal(
    devices.map(({ plugin }) => plugin),
    ['modbus-io', 'lung-motor'],
  );
});

test.run();
