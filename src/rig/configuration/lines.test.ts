import * as assert from 'uvu/assert';
import { ConfigError } from '../../lib/config/config-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from './load-config.ts';
import { parseConfig } from './read-file.ts';
import type { Config } from './types.ts';

const test = suite('lines of svc.yaml');
const load = (yaml: string, env: Record<string, string> = {}) =>
  mergeConfig(parseConfig(yaml, 'svc.yaml'), env);
const plugin = (config: Config, id: string) => config.plugins.find((one) => one.id === id);

function faultsOf(yaml: string, env: Record<string, string> = {}): string {
  try {
    load(yaml, env);
  } catch (error) {
    assert.instance(error, ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('no ConfigError was thrown');
}

const RIG = `
lines:
  valves: {port: /dev/ttyS9, baud: 38400, parity: E, turnaround_ms: 800, quiet_ms: 1000, rs485: {active: low, delay_after_ms: 2}}
plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {line: valves}}
  modbus-io-2: {connection_type: modbus-rtu, connection_params: {line: valves}}
  pump-motor: {connection_type: modbus-rtu, connection_params: {line: valves, unit_id: 7}}
`;

test('DEV-054 devices refer to a line and differ by their unit ids; the line says the rest', () => {
  const config = load(RIG);
  const line = {
    name: 'valves',
    turnaroundMs: 800,
    quietMs: 1000,
    rs485: { active: 'low', delayBeforeMs: 0, delayAfterMs: 2 },
  };
  for (const [id, deviceId] of [
    ['modbus-io', 1],
    ['modbus-io-2', 2],
    ['pump-motor', 7],
  ] as const) {
    assert.equal(plugin(config, id)?.connection, {
      type: 'modbus-rtu',
      serialPort: '/dev/ttyS9',
      baudrate: 38_400,
      parity: 'E',
      deviceId,
      line,
    });
  }
});

test('DEV-054 a line has the defaults of the valve board, and no RS-485 mode', () => {
  const { connection } =
    plugin(
      load(
        'lines: {a: {port: /dev/ttyS9}}\nplugins: {modbus-io: {connection_type: modbus-rtu, connection_params: {line: a}}}',
      ),
      'modbus-io',
    ) ?? {};
  assert.equal(connection, {
    type: 'modbus-rtu',
    serialPort: '/dev/ttyS9',
    baudrate: 19_200,
    parity: 'N',
    deviceId: 1,
    line: { name: 'a', turnaroundMs: 700, quietMs: undefined, rs485: undefined },
  });
});

const onLine = (params: string) =>
  `lines: {a: {port: /dev/ttyS9}}\nplugins: {modbus-io: {connection_type: modbus-rtu, connection_params: {${params}}}}`;

for (const [what, yaml, told] of [
  [
    'an unknown line',
    onLine('line: b'),
    'plugins.modbus-io.connection_params.line = "b": no such line below lines; it has a',
  ],
  [
    'a port beside a line',
    onLine('line: a, serial_port: /dev/x'),
    'plugins.modbus-io.connection_params.serial_port = "/dev/x": unknown key; known keys here are line, unit_id',
  ],
  [
    'a unit id out of range',
    onLine('line: a, unit_id: 0'),
    'plugins.modbus-io.connection_params.unit_id = 0: must be 1..247',
  ],
] as const) {
  test(`DEV-054 ${what} leaves the device visible with place, value and remedy`, () => {
    assert.is(plugin(load(yaml), 'modbus-io')?.fault, told);
  });
}

for (const [what, yaml, told] of [
  ['a line without a port', 'lines: {a: {baud: 9600}}', 'lines.a.port: is missing; must be a device path'],
  [
    'a turnaround out of range',
    'lines: {a: {port: /dev/x, turnaround_ms: 1001}}',
    'lines.a.turnaround_ms = 1001: must be 0..1000 ms',
  ],
  [
    'a quiet time below the turnaround',
    'lines: {a: {port: /dev/x, turnaround_ms: 900, quiet_ms: 800}}',
    'lines.a.quiet_ms = 800: must be turnaround_ms (900) or more',
  ],
  [
    'an unknown key',
    'lines: {a: {port: /dev/x, bauds: 9600}}',
    'lines.a.bauds = 9600: unknown key; known keys here are port, baud',
  ],
  ['a name with blanks', 'lines: {"a b": {port: /dev/x}}', 'lines.a b'],
  [
    'two lines on one port',
    'lines: {a: {port: /dev/ttyS9}, b: {port: "serial:/dev/ttyS9?baud=9600"}}',
    'lines.b.port = "serial:/dev/ttyS9?baud=9600": is the port of lines.a.port already; describe it once',
  ],
  [
    'two devices with one port of their own',
    'plugins: {modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyS9}}, modbus-io-2: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyS9}}}',
    'plugins.modbus-io-2.connection_params.serial_port = "/dev/ttyS9": is the port of plugins.modbus-io.connection_params.serial_port already',
  ],
  [
    'two devices with one unit id on a line',
    `${onLine('line: a')}\n`.replace(
      '}}}',
      '}}, modbus-io-2: {connection_type: modbus-rtu, connection_params: {line: a, unit_id: 1}}}',
    ),
    'plugins.modbus-io-2.connection_params.unit_id = 1: is the unit id of plugins.modbus-io on lines.a already',
  ],
] as const) {
  test(`DEV-054 ${what} stops the start with place, value and remedy`, () => {
    assert.match(faultsOf(yaml), told);
  });
}

test('DEV-054 a variable that names a port stops the start where the device is on a line', () => {
  const told = faultsOf(onLine('line: a'), { SVC_MODBUS_SERIAL_PORT: '/dev/ttyS1' });
  assert.match(
    told,
    'SVC_MODBUS_SERIAL_PORT = "/dev/ttyS1": plugins.modbus-io is on a line; change lines.a in svc.yaml, or take this variable out',
  );
});

test('DEV-054 a device that is left out may have the unit id of another one', () => {
  const yaml = onLine('line: a').replace(
    '}}}',
    '}}, modbus-io-2: {enabled: false, connection_type: modbus-rtu, connection_params: {line: a, unit_id: 1}}}',
  );
  assert.is(plugin(load(yaml), 'modbus-io-2')?.enabled, false);
});

for (const [what, rs485, told] of [
  [
    'another output',
    '{de: dtr}',
    'lines.a.rs485.de = "dtr": must be rts, the only output that the kernel switches',
  ],
  ['another level', '{active: on}', 'lines.a.rs485.active = "on": must be high or low'],
  ['a long delay', '{delay_before_ms: 101}', 'lines.a.rs485.delay_before_ms = 101: must be 0..100 ms'],
  [
    'a broken delay',
    '{delay_after_ms: 0.5}',
    'lines.a.rs485.delay_after_ms = 0.5: must be 0..100 ms, a whole number',
  ],
] as const) {
  test(`DEV-058 ${what} for DE stops the start with place, value and remedy`, () => {
    assert.match(faultsOf(`lines: {a: {port: /dev/ttyAMA0, rs485: ${rs485}}}`), told);
  });
}

test.run();
