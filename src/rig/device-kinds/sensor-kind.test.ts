import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SerialSocket } from '../../bench/pty/serial-socket.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { RtuBus } from '../../devices/modbus-rtu/bus.ts';
import type { ModbusMaster } from '../../devices/modbus-rtu/master.ts';
import { Responder } from '../../devices/modbus-rtu/responder.ts';
import { RtuSlave } from '../../devices/modbus-rtu/slave.ts';
import { ModbusUnit } from '../../devices/modbus-rtu/unit.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { dryRun, eventsOf, outcomesOf, runOn } from '../../test-kit/scenario/run-on.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { suite } from '../../test-kit/suite.ts';
import { modbus } from '../configuration/connection-schemas.ts';
import { configJsonSchema } from '../configuration/json-schema.ts';
import { mergeConfig } from '../configuration/load-config.ts';
import { checkedRig } from '../configuration/load-rig-config.ts';
import { parseConfig } from '../configuration/read-file.ts';
import { modbusSensor } from '../hardware/real/modbus-sensor.ts';
import { measurableRange } from '../registry/measurable-range.ts';
import { type DeviceKind, defineSensorKind, type SensorOpening } from './device-kind.ts';
import { DEVICE_KINDS, SENSOR_OPENINGS } from './index.ts';

/** A flow gauge with one holding register, 0.1 l/min. All that is known of it stands in this file. */
const gauge = defineSensorKind({
  kind: 'test-gauge',
  title: 'the test gauge',
  adapter: { name: 'TG-1', protocol: 'modbus-rtu', description: 'test gauge' },
  connections: () => modbus({ baudrate: 19_200, unitId: 9 }),
  quantity: { unit: 'l/min', range: [0, 100], resolution: 0.1 },
  simulate: (plant) => 100 * plant.duty,
});
const openGauge: SensorOpening = (options, plugin) =>
  modbusSensor(gauge, options, plugin, {
    driver: (master, unitId) => new Gauge(master, unitId),
    read: (driver, exchange) => driver.read(exchange),
  });
/** The lines that drivers were given. */
const lines: ModbusMaster[] = [];
class Gauge {
  readonly #unit: ModbusUnit;
  constructor(master: ModbusMaster, unitId: number) {
    lines.push(master);
    this.#unit = new ModbusUnit(master, 'gauge', unitId);
  }
  start = () => this.read({});
  probe = (signal?: AbortSignal) => this.read(signal ? { signal } : {});
  async read(options: { signal?: AbortSignal }) {
    const ask = (count: number) => ({ function: 0x03, unit: this.#unit.id, address: 0, count }) as const;
    const { data, observedAt } = await this.#unit.run(
      (session) => this.#unit.read(session, ask(1), ask(2)),
      options,
    );
    const raw = ((data[0] ?? 0) << 8) | (data[1] ?? 0);
    return { value: raw / 10, raw, saturated: raw >= 1000, observedAt };
  }
}
// Here the table of the product gets one more row: what a new file of this folder and its line in the list do.
(DEVICE_KINDS as DeviceKind[]).push(gauge);
(SENSOR_OPENINGS as Record<string, SensorOpening>)[gauge.kind] = openGauge;

const test = suite('a kind of sensor in a file of its own');

const yaml = (link: string, more = '') => `
lines: {bus: {port: "${link}"}}
plugins:
  flow-1: {kind: test-gauge, connection_type: modbus-rtu, connection_params: {line: bus}}
  modbus-io: {connection_type: modbus-rtu, connection_params: {line: bus}}
${more}`;
const load = (text: string) => checkedRig(mergeConfig(parseConfig(text, 'svc.yaml'), {}));
const faultsOf = (text: string): string => {
  try {
    load(text);
    return 'none';
  } catch (thrown) {
    assert.instance(thrown, ConfigError);
    return (thrown as ConfigError).message;
  }
};

const folder = mkdtempSync(join(tmpdir(), 'sensor-kind-'));
let raw = 123;
let isDeaf = false;
/** Requests to the gauge while it was deaf. */
let unheard = 0;
const around = { clock: systemClock, random: seededRandom(1), listener: () => {} };
const board = new ModbusIoTwin({ ...around, lineClock: systemClock, lineBaud: 19_200 });
const gaugeSlave = new RtuSlave({
  ...around,
  line: { clock: systemClock, baud: 19_200 },
  responder: new Responder({
    unit: () => 9,
    lasting: () => {
      if (isDeaf) unheard += 1;
      return { deaf: isDeaf };
    },
    handle: (_, data) => (data[3] === 1 ? [2, raw >> 8, raw & 0xff] : [4, raw >> 8, raw & 0xff, 0, 0]),
  }),
});
const link = join(folder, 'line');
const socket = new SerialSocket({
  link,
  slave: new RtuBus([board.slave, gaugeSlave]),
  clock: systemClock,
  baud: 19_200,
  atLineRate: false,
});
let bridge: TestBridge;
test.before(async () => {
  await socket.want({ plugged: true });
  bridge = await startTestBridge({
    yaml: yaml(link),
    env: { SVC_HARDWARE_MODE: 'real', SVC_STATE_DIR: folder },
  });
});
test.after(async () => {
  await bridge.shutDown('test_end');
  await socket.want({ plugged: false });
  rmSync(folder, { recursive: true, force: true });
});

test('DEV-056 on the line of the valves its driver sends each request once, whatever it asks for', async () => {
  const { status } = await bridge.call('GET /api/v1/hardware/sensor/flow-1');
  assert.is(status, 200);
  isDeaf = true;
  const before = unheard;
  const error = await lines
    .at(-1)!
    .run((session) => session.read({ function: 0x03, unit: 9, address: 0, count: 1 }))
    .then(() => 'answered', messageOf);
  isDeaf = false;
  assert.is(unheard - before, 1, error);
  while ((await bridge.call('GET /api/v1/hardware/sensor/flow-1')).status !== 200);
});

test('its sensor has the name of the plugin, and the unit, range and resolution of the kind', () => {
  const { config, registry } = load(yaml('/dev/ttyS9'));
  const sensor = registry.sensor('FLOW_1');
  assert.equal(sensor, { id: 'flow-1', plugin: 'flow-1', ...gauge.quantity });
  assert.equal(sensor && measurableRange(sensor, 'l/h'), { low: 0, high: 6000 });
  const { connection } = config.plugins.find(({ id }) => id === 'flow-1') ?? {};
  assert.is(connection?.type === 'modbus-rtu' && connection.deviceId, 9, 'the default of the kind');
});

test('SCN250 knows the range of the single device, which lies within that of its kind', async () => {
  const { registry } = load(
    yaml('/dev/ttyS9').replace('kind: test-gauge,', 'kind: test-gauge, range: [0, 20],'),
  );
  assert.equal(registry.sensor('flow-1')?.range, [0, 20]);
  const { diagnostics } = await dryRun("GOAL 'a':\n  CHECK flow-1 <= 19 l/min\n  CHECK flow-1 <= 30 l/min", {
    registry,
  });
  assert.equal(
    diagnostics.map(({ code, pos }) => [code, pos?.line]),
    [['SCN250', 3]],
  );
  assert.match(diagnostics[0]?.message ?? '', 'outside the 0 .. 20 l/min that flow-1 can measure');
});

test('the JSON schema takes it under any name', () => {
  const schema = JSON.stringify(configJsonSchema());
  assert.match(schema, '"const":"test-gauge"');
});

for (const [what, plugins, told] of [
  [
    'an unknown kind',
    'flow-1: {kind: test-gage}',
    'plugins.flow-1.kind = "test-gage": unknown kind; did you mean test-gauge?',
  ],
  ['no kind', 'flow-1: {}', 'plugins.flow-1.kind: is missing; '],
  [
    'the kind of a device with a name of its own',
    'pump-2: {kind: pump}',
    'plugins.pump-2.kind = "pump": a pump is always named pump-motor; use that name',
  ],
  [
    'a name of another kind',
    'modbus-io: {kind: test-gauge}',
    'plugins.modbus-io.kind = "test-gauge": modbus-io is always a valve-board',
  ],
  [
    'a name with capitals',
    'Flow: {kind: test-gauge}',
    'plugins.Flow = {"kind":"test-gauge"}: must have a name of small letters',
  ],
  [
    'a name that every object of the program has',
    'constructor: {kind: test-gauge}',
    'plugins.constructor = {"kind":"test-gauge"}: is a reserved word and cannot be a name; give this device another name',
  ],
  [
    'a name that objects lose',
    '__proto__: {kind: test-gauge}',
    'plugins.__proto__ = {"kind":"test-gauge"}: is a reserved word and cannot be a name; use another name',
  ],
  [
    'a range beyond that of its kind',
    'flow-1: {kind: test-gauge, range: [0, 200]}',
    'plugins.flow-1.range = [0,200]: must lie within 0 .. 100 l/min, which is what any test-gauge can measure',
  ],
  [
    'a range that descends',
    'flow-1: {kind: test-gauge, range: [20, 0]}',
    'plugins.flow-1.range = [20,0]: must ascend: [lowest, highest]',
  ],
  [
    'a range of an actuator',
    'pump-motor: {range: [0, 10]}',
    'plugins.pump-motor.range = [0,10]: is for sensors that measure in a unit of their own; take it out',
  ],
  ['the name of a voltage input', 'ai01: {kind: test-gauge}', 'plugins.ai01: is a name of nc-sensor already'],
  [
    'a valve of a second board',
    'valve-9: {kind: test-gauge}',
    'plugins.valve-9: is a name of valve-9 already',
  ],
  ['another name of one', 'zawor-16: {kind: test-gauge}', 'plugins.zawor-16: is a name of valve-16 already'],
  ['the name of an actuator', 'pompa: {kind: test-gauge}', 'plugins.pompa: is a name of pump-main already'],
  [
    'an alias that is its name',
    'flow-1: {kind: test-gauge}\naliases: {flow-1: ai01}',
    'aliases.flow-1 = "ai01": flow-1 is the id of a device of this rig',
  ],
  [
    'a calibration',
    'flow-1: {kind: test-gauge}\nsensors: {flow-1: {resolution: 0.5}}',
    'sensors.flow-1: flow-1 measures in l/min by itself',
  ],
] as const)
  test(`${what} is one error with place, value and remedy`, () => {
    assert.match(faultsOf(`plugins:\n  ${plugins}`), told);
  });

test('the bridge answers in the unit of the kind, on the line of the valves', async () => {
  const { status, body } = await bridge.call('GET /api/v1/hardware/sensor/flow-1');
  const { observed_at: at, age_ms: age, ...rest } = body;
  assert.equal(
    { status, ...rest },
    {
      ...{
        status: 200,
        ok: true,
        sensor_id: 'flow-1',
        value: 12.3,
        unit: 'l/min',
        raw: 123,
        saturated: false,
      },
      ...{ simulated: false, bench: true, adapter: 'flow-1', physical_input: 'TG-1' },
      source: `${link}@19200 8N1 unit 9`,
    },
  );
  assert.ok(Number.isFinite(Date.parse(String(at))) && Number(age) >= 0);
  raw = 1000;
  const full = await bridge.call('GET /api/v1/hardware/sensors/batch?sensor_ids=flow-1');
  const { sensors } = full.body as { sensors: Record<string, { value: number; saturated: boolean }> };
  assert.equal([sensors['flow-1']?.value, sensors['flow-1']?.saturated], [100, true]);
  raw = 123;
});

test('peripherals, state, health and identify have it', async () => {
  const listed = (await bridge.call('GET /api/v1/peripherals/flow-1')).body;
  assert.equal(
    [listed.type, listed.unit, listed.adapter, listed.status],
    ['sensor', 'l/min', 'flow-1', 'ok'],
  );
  const state = (await bridge.call('GET /api/v1/state')).body as Record<string, Record<string, unknown>>;
  assert.equal([state.flow_1?.currentValue, state.flow_1?.unit], [12.3, 'l/min']);
  const { components } = (await bridge.call('GET /api/v1/hardware/health')).body;
  const health = (components as Record<string, Record<string, unknown>>)['flow-1'];
  assert.equal([health?.status, health?.message], ['ok', 'TG-1 answered']);
  const { adapters } = (await bridge.call('GET /api/v1/hardware/identify')).body;
  const row = (adapters as Record<string, unknown>[]).find(({ id }) => id === 'flow-1');
  assert.equal([row?.name, row?.description, row?.status], ['TG-1', 'test gauge', 'ok']);
});

test('its loss is an error of a reading, and neither trips the rig nor repeats a safe state', async () => {
  await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true');
  const safeStates = () => bridge.logged.filter((line) => line.startsWith('safe state')).length;
  const before = safeStates();
  isDeaf = true;
  // Whoever samples it goes on asking.
  for (let reading = 1; reading <= 100; reading++) {
    const lost = await bridge.call('GET /api/v1/hardware/sensor/flow-1');
    assert.ok([503, 504].includes(lost.status), JSON.stringify(lost.body));
  }
  assert.is((await bridge.call('GET /health')).body.healthy, false);
  assert.ok(unheard < 50, `${unheard} requests for 100 readings keep the line from the valves`);
  isDeaf = false;
  while ((await bridge.call('GET /api/v1/hardware/sensor/flow-1')).status !== 200);
  assert.is((await bridge.call('GET /health')).body.healthy, true);
  assert.equal([board.coils[0], safeStates()], [true, before]);
  const report = await bridge.bridge.makeSafe('test');
  assert.is(report.ok, true, JSON.stringify(report));
});

test('a scenario reads, samples and judges it in its unit', async () => {
  const { registry } = load(yaml('/dev/ttyS9'));
  const options = { registry, withoutGuard: true };
  const source = [
    "GOAL 'flow':",
    '  SAMPLE flow-1 START 500ms',
    '  WAIT 3s',
    '  CHECK 12 <= flow-1 <= 13 l/min',
    '  CHECK flow-1 <= 800 l/h',
    '  SAMPLE flow-1 STOP',
    '  CHECK flow-1.stddev <= 0.1 l/min',
    "GOAL 'too much':",
    '  CHECK flow-1 > 20 l/min',
  ].join('\n');
  const rehearsed = await dryRun(source, options);
  assert.equal([outcomesOf(rehearsed), rehearsed.diagnostics], [['flow passed', 'too much passed'], []]);
  const run = await runOn(bridge, source, options);
  assert.equal([outcomesOf(run), run.diagnostics], [['flow passed', 'too much failed'], []]);
  const [check] = eventsOf(run, 'check');
  assert.equal(
    [check?.sensor, check?.actual, check?.unit, check?.resolution],
    ['flow-1', 12.3, 'l/min', 0.1],
  );
});

test('limits that it cannot reach, and units that it does not measure, are findings with a remedy', async () => {
  const { registry } = load(yaml('/dev/ttyS9'));
  const { diagnostics } = await dryRun("GOAL 'a':\n  CHECK flow-1 <= 120 l/min\n  CHECK flow-1 <= 2 bar", {
    registry,
  });
  assert.equal(
    diagnostics.map(({ code, message }) => [code, message.split('; ').at(-1)]),
    [
      ['SCN250', 'correct the limit, or plugins.flow-1.range in svc.yaml'],
      ['SCN227', 'ask in l/min'],
    ],
  );
});

test('a scenario that uses it is refused while its device does not answer', async () => {
  const { registry } = load(yaml('/dev/ttyS9'));
  isDeaf = true;
  const { diagnostics } = await runOn(bridge, "GOAL 'a':\n  CHECK flow-1 <= 20 l/min", {
    registry,
    withoutGuard: true,
  });
  isDeaf = false;
  assert.match(diagnostics[0]?.message ?? '', 'this scenario uses the sensor (flow-1), which is not ready: ');
  while ((await bridge.call('GET /api/v1/hardware/sensor/flow-1')).status !== 200);
});

test('mock mode takes its value from the plant and says so', async () => {
  const mock = await startTestBridge({ yaml: yaml(link) });
  try {
    await mock.call('POST /api/v1/hardware/pump?power_pct=40');
    const { body } = await mock.call('GET /api/v1/hardware/sensor/flow-1');
    assert.equal([body.value, body.unit, body.simulated], [40, 'l/min', true]);
    await mock.call('POST /api/v1/hardware/pump?power_pct=0');
  } finally {
    await mock.shutDown('test_end');
  }
});

test.run();
