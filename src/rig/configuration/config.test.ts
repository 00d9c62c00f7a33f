import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ConfigError } from '../../lib/config/config-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { loadConfig, mergeConfig } from './load-config.ts';
import { parseConfig, readConfigFile } from './read-file.ts';
import { type Config, DEFAULT_LIMITS } from './types.ts';

const test = suite('config');
const NOWHERE = '/nonexistent/svc.yaml';
const none = (env: Record<string, string> = {}) =>
  loadConfig({ env, cwd: '/nonexistent', systemPath: NOWHERE });
const load = (yaml: string, env: Record<string, string> = {}) =>
  mergeConfig(parseConfig(yaml, 'svc.yaml'), env);
const plugin = (config: Config, id: string) => config.plugins.find((one) => one.id === id);

function faultsOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.instance(error, ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('no ConfigError was thrown');
}

const RIG = `
schema_version: 1
plugins:
  modbus-io:
    connection_type: modbus-rtu
    connection_params: {serial_port: /dev/serial/by-id/usb-1a86-if00, baudrate: 19200, parity: N, device_id: 1}
    timeout: 2.0
  pump-motor: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyUSB0}}
  sensor-adc: {connection_type: i2c, connection_params: {bus: "bench:/run/ads1115.sock", address: 0x49}}
aliases: {valve-nc: valve-1, nc-sensor: ai01}
sensors:
  ai01:
    calibration: {id: cal-1, unit: mbar, kind: table, points: [[0.5, 0], [1.5, 100]], due_at: 2026-01-01, source: "deadweight 7"}
pump: {full_scale_lpm: 12}
`;

test('SVC-008 without file and variables the mode is mock and the four product adapters are there', () => {
  const { config, path } = none();
  assert.is(path, undefined);
  assert.is(config.hardwareMode, 'mock');
  assert.is(config.pumpFullScaleLpm, 10);
  assert.equal(
    config.plugins.map((one) => one.id),
    ['sensor-adc', 'pump-motor', 'lung-motor', 'modbus-io'],
  );
  assert.equal(plugin(config, 'sensor-adc')?.connection, { type: 'http', baseUrl: 'http://127.0.0.1:8080' });
  assert.equal(plugin(config, 'modbus-io')?.connection, {
    type: 'modbus-rtu',
    serialPort: '/dev/ttyACM1',
    baudrate: 19_200,
    parity: 'N',
    deviceId: 1,
  });
});

test('a file is read with the defaults of each device', () => {
  const config = load(RIG);
  assert.equal(plugin(config, 'pump-motor')?.connection, {
    type: 'modbus-rtu',
    serialPort: '/dev/ttyUSB0',
    baudrate: 9600,
    parity: 'N',
    deviceId: 50,
  });
  assert.equal(plugin(config, 'sensor-adc')?.connection, {
    type: 'i2c',
    bus: 'bench:/run/ads1115.sock',
    address: 0x49,
  });
  assert.is(plugin(config, 'lung-motor'), undefined, 'what the file does not name is not there');
  assert.equal(config.sensors.ai01?.calibration, {
    id: 'cal-1',
    unit: 'mbar',
    kind: 'table',
    points: [
      [0.5, 0],
      [1.5, 100],
    ],
    dueAt: '2026-01-01',
    source: 'deadweight 7',
  });
  assert.is(config.pumpFullScaleLpm, 12);
});

test('SVC-048 the environment beats the file', () => {
  const config = load(RIG, {
    SVC_HARDWARE_MODE: 'real',
    HARDWARE_MODE: 'mock',
    SVC_MODBUS_SERIAL_PORT: '/dev/pts/7',
    SVC_MODBUS_BAUD: '9600',
    SVC_SENSOR_ADC_URL: 'http://127.0.0.1:8204',
    SVC_PUMP_FLOW_FULL_SCALE_LPM: '25',
  });
  assert.is(config.hardwareMode, 'real');
  assert.is(config.pumpFullScaleLpm, 25);
  const modbus = plugin(config, 'modbus-io')?.connection;
  assert.ok(modbus?.type === 'modbus-rtu' && modbus.serialPort === '/dev/pts/7' && modbus.baudrate === 9600);
  assert.equal(plugin(config, 'sensor-adc')?.connection, { type: 'http', baseUrl: 'http://127.0.0.1:8204' });
});

test('SVC-048 unknown plugin keys are errors with path, value and the keys that exist', () => {
  const message = faultsOf(() =>
    load('plugins: {modbus-io: {connection_params: {baudrat: 19200}, enabld: true}}'),
  );
  assert.match(message, 'plugins.modbus-io.connection_params.baudrat = 19200: unknown key');
  assert.match(message, 'serial_port, baudrate');
  assert.match(message, 'plugins.modbus-io.enabld = true: unknown key');
  assert.match(
    faultsOf(() => load('plugins: {modbus: {}}')),
    'plugins.modbus.kind: is missing; sensor-adc, pump-motor, lung-motor, modbus-io, modbus-io-2, adc-stack need none; did you mean plugins.modbus-io?',
  );
  assert.match(
    faultsOf(() => load('requir_real: true')),
    'requir_real = true: unknown key',
  );
});

test('a bad connection keeps its plugin visible with path, value and remedy', () => {
  const faultOf = (params: string, type = 'modbus-rtu') =>
    plugin(
      load(
        `plugins: {modbus-io: {connection_type: ${type}, connection_params: {serial_port: /dev/x, ${params}}}}`,
      ),
      'modbus-io',
    )?.fault ?? '';
  assert.match(faultOf('parity: X'), 'plugins.modbus-io.connection_params.parity = "X": must be N, E or O');
  assert.match(faultOf('device_id: 248'), 'device_id = 248: must be 1..247');
  assert.match(faultOf('device_id: 0'), 'device_id = 0: must be 1..247');
  for (const type of ['profibus', 'http'])
    assert.match(faultOf('', type), `connection_type = "${type}": must be modbus-rtu or modbus-tcp`);
  assert.match(
    plugin(load('plugins: {pump-motor: {connection_type: http}}'), 'pump-motor')?.fault ?? '',
    'base_url: is missing; must be an http(s) URL',
  );
  assert.is(faultOf('device_id: 247'), '');
});

test('limits of other values stop the start', () => {
  const message = (yaml: string) => faultsOf(() => load(yaml));
  assert.match(
    message('plugins: {modbus-io: {timeout: 2.6}}'),
    'plugins.modbus-io.timeout = 2.6: must be at most 2.5',
  );
  assert.match(message('pump: {full_scale_lpm: 0}'), 'above 0 l/min');
  assert.match(
    message('sensors: {ai01: {calibration: {id: c, unit: mbar, kind: table, points: [[1, 0], [1, 2]]}}}'),
    'must ascend',
  );
  assert.match(
    message(
      'adc_map: {device: d, transport: modbus-rtu, base_url: "http://x:1", channels: {ai01: {endpoint: /a, pin: G1, unit: V}}}',
    ),
    'never mapped to Modbus registers',
  );
  assert.match(message('a: [1'), 'line 1');
});

test('a bad variable stops the start and is named', () => {
  assert.match(
    faultsOf(() => none({ SVC_HARDWARE_MODE: 'reel' })),
    'SVC_HARDWARE_MODE = "reel": must be mock or real',
  );
  assert.match(
    faultsOf(() => none({ HARDWARE_MODE: 'on' })),
    'HARDWARE_MODE = "on"',
  );
  assert.match(
    faultsOf(() => none({ SVC_MANUAL_HOLD_S: '4' })),
    'from 5 to 3600',
  );
  assert.match(
    faultsOf(() => none({ SVC_REQUIRE_LEASE: 'yes' })),
    'must be 0 or 1',
  );
  assert.match(
    faultsOf(() => none({ SVC_MODBUS_BAUD: 'fast' })),
    'SVC_MODBUS_BAUD = "fast": must be baud',
  );
  assert.match(
    faultsOf(() => none({ SVC_MOTOR_URL: 'ftp://x' })),
    'SVC_MOTOR_URL = "ftp://x": must be an http(s) URL',
  );
});

test('the file is SVC_CONFIG_PATH, else ./svc.yaml, else the system file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-config-'));
  try {
    const here = join(dir, 'svc.yaml');
    const named = join(dir, 'named.yaml');
    const system = join(dir, 'system.yaml');
    for (const path of [here, named, system]) writeFileSync(path, `aliases: {from: ${path}}`);
    const found = (env: Record<string, string>, cwd: string) =>
      loadConfig({ env, cwd, systemPath: system }).path;
    assert.is(found({ SVC_CONFIG_PATH: named }, dir), named);
    assert.is(found({ SVC_CONFIG_PATH: 'named.yaml' }, dir), named);
    assert.is(found({}, dir), here);
    assert.is(found({}, '/nonexistent'), system);
    assert.match(
      faultsOf(() => found({ SVC_CONFIG_PATH: join(dir, 'gone.yaml') }, dir)),
      'no such file',
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('limits narrow what the devices can do; what is not named stays as wide as it is', () => {
  const config = load(
    'limits: {pump: {max_power_pct: 60}, lung: {max_cycles: 20}, run: {max_duration_s: 600}}',
  );
  assert.equal(config.limits, { ...DEFAULT_LIMITS, pumpMaxPct: 60, lungMaxCycles: 20, runMaxS: 600 });
  assert.equal(none().config.limits, DEFAULT_LIMITS);
  const message = faultsOf(() =>
    load(
      'limits: {pump: {max_power_pct: 101}, lung: {max_steps: 0, max_speed: 500000001}, run: {max_duration_s: 43201}}',
    ),
  );
  assert.match(
    message,
    'limits.pump.max_power_pct = 101: must be 0..100 %: a limit narrows what the devices can do',
  );
  for (const key of [
    'lung.max_steps = 0: must be 1..1000000',
    'lung.max_speed = 500000001',
    'run.max_duration_s = 43201',
  ])
    assert.match(message, `limits.${key}`);
  assert.match(
    faultsOf(() => load('limits: {lung: {max_step: 1}}')),
    'limits.lung.max_step = 1: unknown key; known keys here are max_steps, max_speed, max_cycles',
  );
});

test('SVC-052 a hold of the pump may be longer than 10 s, up to an hour, when svc.yaml says so', () => {
  const holdOf = (seconds: number) => load(`limits: {pump: {max_hold_s: ${seconds}}}`).limits.pumpMaxHoldS;
  assert.equal([1, 3600].map(holdOf), [1, 3600]);
  assert.is(none().config.limits.pumpMaxHoldS, 10);
  for (const seconds of [0.9, 3600.1])
    assert.match(
      faultsOf(() => holdOf(seconds)),
      `limits.pump.max_hold_s = ${seconds}: must be 1..3600 s`,
    );
});

test('interlocks take the words of valves, pumps and lungs, and true and false', () => {
  const { interlocks } = load(`interlocks:
  - {id: a, reason: r, while: {pump-main: on, lung-main: moving}, require_any: {valve-1: open, valve-2: true}}
  - {id: b, reason: r, while: {valve-8: open}, require_all: {pump-main: off, lung-main: stopped, valve-4: closed, valve-5: false}}`);
  assert.equal(interlocks, [
    {
      id: 'a',
      reason: 'r',
      while: { 'pump-main': true, 'lung-main': true },
      require: 'any',
      states: { 'valve-1': true, 'valve-2': true },
    },
    {
      id: 'b',
      reason: 'r',
      while: { 'valve-8': true },
      require: 'all',
      states: { 'pump-main': false, 'lung-main': false, 'valve-4': false, 'valve-5': false },
    },
  ]);
});

test('an interlock that is not whole is refused with its place', () => {
  const message = (text: string) => faultsOf(() => load(`interlocks: [{${text}}]`));
  const states = 'while: {pump-main: on}, require_any: {valve-1: open}';
  assert.match(
    message(`id: a, reason: r, while: {pump-main: running}, require_any: {valve-1: open}`),
    'interlocks.0.while.pump-main = "running": must be on, open or moving',
  );
  assert.match(
    message('id: a, reason: r, while: {pump-main: on}'),
    'must have either require_any or require_all',
  );
  assert.match(message(`id: a, reason: r, ${states}, require_all: {valve-1: open}`), 'must have either');
  assert.match(
    message('id: a, reason: r, while: {}, require_any: {valve-1: open}'),
    'interlocks.0.while = {}: must name at least one',
  );
  assert.match(message(`id: a, ${states}`), 'interlocks.0.reason: is missing');
  assert.match(
    message(`id: a, reason: r, when: 1, ${states}`),
    'interlocks.0.when = 1: unknown key; known keys here are id, reason, while',
  );
  assert.match(
    message(`id: a, reason: r, ${states}}, {id: a, reason: r, ${states}`),
    'interlocks.1.id = "a": is the id of another rule',
  );
});

test('a calibration has dates that exist, an id of its own and a line that is none of the flat ones', () => {
  const message = (text: string) =>
    faultsOf(() => load(`sensors: {ai01: {calibration: {id: c, unit: mbar, kind: linear, ${text}}}}`));
  const line = 'scale: 1, offset: 0';
  for (const date of [
    '2025-02-30',
    '2025-13-01',
    '15.01.2025',
    '2025-01-15T10:00:00',
    '2025-01-15T10:00Z',
    'soon',
  ])
    assert.match(
      message(`${line}, due_at: ${date}`),
      `due_at = "${date}": must be a date such as 2025-01-15`,
    );
  assert.match(message('scale: 0, offset: 0'), 'scale = 0: must not be 0');
  assert.match(
    message(`${line}, calibrated_at: 2025-02-01, due_at: 2025-01-31`),
    'must not lie before calibrated_at 2025-02-01',
  );
  assert.match(message(`${line}, confirmed_by: Ola`), 'confirmed_by = "Ola": needs confirmed_at');
  assert.match(message(`${line}, scal: 1`), 'scal = 1: unknown key; known keys here are kind, id, unit');
  const both = faultsOf(() =>
    load(
      `sensors: {ai01: {calibration: {id: c, unit: V, kind: linear, ${line}}}, ai02: {calibration: {id: c, unit: V, kind: linear, ${line}}}}`,
    ),
  );
  assert.match(both, 'sensors.ai02.calibration.id = "c": is the calibration of sensors.ai01 already');
  const { sensors } = load(
    `sensors: {ai01: {calibration: {id: c, unit: l/min, kind: linear, ${line}, due_at: 2026-01-01, confirmed_at: 2025-01-15T10:00:00Z, confirmed_by: Ola}}}`,
  );
  const { confirmedAt, confirmedBy, dueAt } = sensors.ai01?.calibration ?? {};
  assert.equal([confirmedAt, confirmedBy, dueAt], ['2025-01-15T10:00:00Z', 'Ola', '2026-01-01']);
});

test('the file of the appliance is valid and every plugin in it can be used', () => {
  const config = mergeConfig(readConfigFile('rootfs/etc/svc/svc.yaml'), {});
  assert.is(config.requireReal, true);
  assert.equal(
    config.plugins.map((one) => [one.id, one.fault]),
    [
      ['sensor-adc', undefined],
      ['pump-motor', undefined],
      ['lung-motor', undefined],
      ['modbus-io', undefined],
    ],
  );
});

test.run();
