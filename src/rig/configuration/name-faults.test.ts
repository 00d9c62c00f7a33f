import * as assert from 'uvu/assert';
import { ConfigError } from '../../lib/config/config-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from './load-config.ts';
import { checkedRig } from './load-rig-config.ts';
import { parseConfig } from './read-file.ts';

const test = suite('names of the configuration');

/** The faults, one line each; `none`. */
function faultsOf(yaml: string): string {
  try {
    checkedRig(mergeConfig(parseConfig(yaml, 'svc.yaml'), {}), '/etc/svc/svc.yaml');
    return 'none';
  } catch (thrown) {
    assert.instance(thrown, ConfigError);
    return (thrown as ConfigError).message;
  }
}

const calibration = (id: string) =>
  `{calibration: {id: ${id}, unit: mbar, kind: linear, scale: 100, offset: 0}}`;

test('SVC-063 an unknown sensor is a fault that suggests the one that was meant', () => {
  const fault = faultsOf(`sensors: {ai1: ${calibration('c')}}`);
  assert.match(
    fault,
    /^\/etc\/svc\/svc\.yaml: sensors\.ai1: ai1 is not a sensor of this rig; did you mean .*ai01/,
  );
  assert.match(
    faultsOf('sensors: {flow: {resolution: 0.1}}'),
    /flow is not a sensor of this rig; use one of ai04/,
  );
});

test('SVC-063 two calibrations of one input, by id and alias, are a fault', () => {
  const twice = `sensors: {ai01: ${calibration('one')}, nc-sensor: ${calibration('two')}}`;
  assert.match(faultsOf(twice), 'sensors.nc-sensor.calibration: is the same input as sensors.ai01');
  const own = `aliases: {mask: ai02}\nsensors: {mask: ${calibration('one')}, AI02: ${calibration('two')}}`;
  assert.match(faultsOf(own), 'sensors.AI02.calibration: is the same input as sensors.mask');
  assert.is(faultsOf(`sensors: {ai01: ${calibration('one')}, nc-sensor: {resolution: 0.001}}`), 'none');
});

test('SVC-063 an alias of nothing, of itself or in a circle is a fault', () => {
  assert.match(faultsOf('aliases: {inlet: valv-4}'), /aliases\.inlet = "valv-4": .*did you mean valve-4/);
  assert.match(faultsOf('aliases: {inlet: valve-9}'), 'valve-9 is neither an actuator');
  assert.match(faultsOf('aliases: {a: b, b: a}'), 'aliases.a = "b"');
  assert.match(faultsOf('aliases: {a: a}'), 'aliases.a = "a"');
  assert.is(
    faultsOf('aliases: {inlet: outlet, outlet: valve-4, mask: ai02, light: lamp}\nperipherals: {lamp: {}}'),
    'none',
  );
});

test('SVC-063 an alias that takes the id of another device, and one name twice, are faults', () => {
  assert.match(faultsOf('aliases: {valve-1: valve-2}'), 'valve-1 is the id of a device of this rig');
  assert.match(faultsOf('aliases: {ai01: ai02}'), 'ai01 is the id of a device of this rig');
  assert.match(faultsOf('aliases: {pump-main: lung-main}'), 'pump-main is the id of a device');
  assert.match(
    faultsOf('aliases: {Mask Inlet: valve-2, mask_inlet: valve-3}'),
    'is the same name as Mask Inlet',
  );
  assert.is(faultsOf('aliases: {valve-nc: valve-3, nc-sensor: ai01, pump: pump-main}'), 'none');
});

test('SVC-063 a peripheral with the name of a device, and two inputs on one channel, are faults', () => {
  assert.match(faultsOf('peripherals: {pump: {type: light}}'), 'peripherals.pump: is the name of a device');
  assert.match(faultsOf('peripherals: {Lamp 1: {}, lamp-1: {}}'), 'is the same name as Lamp 1');
  const channels = '{ai01: {endpoint: /1, pin: A, unit: V}, ai02: {endpoint: /1, pin: B, unit: V}}';
  const map = `adc_map: {device: d, transport: http, base_url: "http://127.0.0.1:8212", channels: ${channels}}`;
  assert.match(faultsOf(map), 'adc_map.channels.ai02.endpoint = "/1": is the endpoint of ai01 already');
  assert.match(
    faultsOf('compat: {health_keys: {adc: sensor-adc}}'),
    'must be sensor_adc, motor, lung or modbus',
  );
});

test('SVC-063 all faults of names are reported at once, those of interlocks and of the test coil too', () => {
  const fault = faultsOf(
    'aliases: {a: nothing}\nsensors: {b: {}}\nguard: {test_coil: 0}\n' +
      'interlocks: [{id: r, reason: r, while: {c: on}, require_any: {valve-1: open}}]',
  );
  for (const path of ['aliases.a', 'sensors.b', 'guard.test_coil', 'interlocks.0.while.c'])
    assert.match(fault, path);
});

test.run();
