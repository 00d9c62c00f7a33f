import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeConfig } from '../../lib/config/load-config.ts';
import { parseConfig } from '../../lib/config/read-file.ts';
import { benchConfig } from './bench-config.ts';

const test = suite('configuration of the bench');

test('it leads to the twins, also from a folder with blanks and quotes', () => {
  const bench = '/tmp/a "b"/bench';
  const config = mergeConfig(parseConfig(benchConfig(bench), 'svc.yaml'), {});
  const usable = config.plugins.filter(({ connection }) => connection !== undefined);
  const places = usable.map(({ id, connection }) => [id, connection]);
  const by = Object.fromEntries(places) as Record<string, Record<string, unknown>>;
  assert.is(by['modbus-io']?.serialPort, `${bench}/modbus-io`);
  assert.is(by['pump-motor']?.serialPort, `${bench}/pump`);
  assert.is(by['sensor-adc']?.bus, `bench:${bench}/ads1115.sock`);
});

test('at rest the calibrated pressures are 0', () => {
  const { sensors } = mergeConfig(parseConfig(benchConfig('/tmp/bench'), 'svc.yaml'), {});
  for (const [id, restVolts] of Object.entries({ ai01: 0.635, ai02: 0.755, ai03: 0.885 })) {
    const calibration = sensors[id]?.calibration;
    assert.ok(calibration?.kind === 'linear');
    assert.ok(Math.abs(calibration.scale * restVolts + calibration.offset) < 1e-9, id);
  }
});

test.run();
