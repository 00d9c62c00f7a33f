import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeConfig } from '../../lib/config/load-config.ts';
import { parseConfig } from '../../lib/config/read-file.ts';
import { benchConfig, writeBenchConfig } from './bench-config.ts';
import { runtimeFolder } from './runtime-folder.ts';

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

test('rig.env leads the ADC services to the twins; beside a bridge on any port they take any port', () => {
  const folder = runtimeFolder('/', mkdtempSync(join(tmpdir(), 'bench-config-')), '/');
  try {
    writeBenchConfig(folder, { port: 8202, benchPort: 8290 });
    const fixed = readFileSync(folder.settings, 'utf8').split('\n');
    assert.ok(fixed.includes(`USBADC_ADDRESS=bench:${folder.bench}/usbhid.sock`));
    assert.ok(fixed.includes(`UARTADC_SERIAL_PORT=${folder.bench}/uart`));
    assert.ok(fixed.includes(`SVC_STATE_DIR=${folder.state}`));
    assert.not(fixed.some((line) => line.startsWith('SVC_ADC_')));
    writeBenchConfig(folder, { port: 0, benchPort: 0 });
    const free = readFileSync(folder.settings, 'utf8').split('\n');
    for (const name of ['STACK', 'USB', 'UART']) assert.ok(free.includes(`SVC_ADC_${name}_PORT=0`), name);
  } finally {
    rmSync(folder.path, { recursive: true, force: true });
  }
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
