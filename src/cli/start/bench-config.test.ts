import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { calibrationStatus } from '../../rig/calibration/calibration-status.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { RIG_PORTS } from '../../rig/profiles/rig-services.ts';
import { suite } from '../../test-kit/suite.ts';
import { benchConfig, writeBenchConfig } from './bench-config.ts';
import { rigPorts } from './rig-ports.ts';
import { runtimeFolder } from './runtime-folder.ts';

const test = suite('configuration of the bench');
const fixedPorts = await rigPorts(8202);

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

test('with ports the bridge reaches pump, lung and converter through their services', () => {
  const { plugins } = mergeConfig(parseConfig(benchConfig('/tmp/bench', fixedPorts), 'svc.yaml'), {});
  const urls = plugins.flatMap(({ id, connection }) =>
    connection?.type === 'http' ? [`${id} ${connection.baseUrl}`] : [],
  );
  assert.equal(urls, [
    'sensor-adc http://127.0.0.1:8204',
    'pump-motor http://127.0.0.1:49055',
    'lung-motor http://127.0.0.1:8205',
  ]);
});

test('rig.env leads every service to its twin; beside a bridge on another port they take free ones', async () => {
  const freePorts = await rigPorts(0);
  assert.is(new Set(Object.values(freePorts)).size, Object.keys(RIG_PORTS).length);
  assert.not.ok(Object.values(freePorts).includes(0), 'they stay where they are when they are started again');
  const folder = runtimeFolder('/', mkdtempSync(join(tmpdir(), 'bench-config-')), '/');
  try {
    writeBenchConfig(folder, { ports: fixedPorts, benchPort: 8290 });
    const fixed = readFileSync(folder.settings, 'utf8').split('\n');
    assert.ok(fixed.includes(`USBADC_ADDRESS=bench:${folder.bench}/usbhid.sock`));
    assert.ok(fixed.includes(`UARTADC_SERIAL_PORT=${folder.bench}/uart`));
    assert.ok(fixed.includes(`SVC_STATE_DIR=${folder.state}`));
    assert.ok(fixed.includes(`SVC_PUMP_SERIAL_PORT=${folder.bench}/pump`));
    assert.ok(fixed.includes(`SVC_LUNG_ADDRESS=bench:${folder.bench}/tic.sock`));
    assert.ok(fixed.includes('SVC_PUMP_PORT=49055'));
    assert.ok(fixed.includes('SVC_API_PORT=8200'));
    assert.ok(fixed.includes('SVC_FIRMWARE_URL=http://127.0.0.1:8202'));
    assert.not(fixed.some((line) => line.startsWith('SVC_ADC_')));
    writeBenchConfig(folder, { ports: freePorts, benchPort: 0 });
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
    assert.is(calibrationStatus(calibration, systemClock.now()).state, 'valid', 'npm start may judge by it');
  }
});

test.run();
