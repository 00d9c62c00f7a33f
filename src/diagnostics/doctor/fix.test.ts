import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import type { ModbusFix } from './finding.ts';
import { applyModbusFix, FixError } from './fix.ts';

const test = suite('a repair of svc.yaml');

const YAML = `plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyUSB0, baudrate: 9600}}
`;
const FIX: ModbusFix = {
  unsafe: null,
  mismatches: { baudrate: { current: 9600, detected: 19_200 } },
  detected: { serial_port: '/dev/ttyUSB0', baudrate: 19_200, parity: 'N', device_id: 1 },
};

function svcYaml(text: string): string {
  const path = join(temporaryFolder('fix-'), 'svc.yaml');
  writeFileSync(path, text);
  return path;
}

const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (fault: unknown) => fault,
  );

test('DIAG-044 a repair is taken back, but never over what came meanwhile', async () => {
  const path = svcYaml(YAML);
  const first = await applyModbusFix(path, FIX, { env: {} });
  assert.match(readFileSync(path, 'utf8'), 'baudrate: 19200');
  await first.undo();
  assert.is(readFileSync(path, 'utf8'), YAML);
  const second = await applyModbusFix(path, FIX, { env: {} });
  const other = `${readFileSync(path, 'utf8')}# Anna was here\n`;
  writeFileSync(path, other);
  assert.instance(await refused(second.undo()), FixError);
  assert.is(readFileSync(path, 'utf8'), other);
});

test('DIAG-021 values with which the rig would not load are not written', async () => {
  const text = `${YAML}  flow-meter: {kind: el-flow, connection_type: modbus-rtu, connection_params: {serial_port: /dev/ttyUSB7, device_id: 1}}\n`;
  const path = svcYaml(text);
  const taken: ModbusFix = {
    ...FIX,
    mismatches: { serial_port: { current: '/dev/ttyUSB0', detected: '/dev/ttyUSB7' } },
    detected: { ...FIX.detected, serial_port: '/dev/ttyUSB7' },
  };
  const fault = await refused(applyModbusFix(path, taken, { env: {} }));
  assert.instance(fault, FixError);
  assert.match(String(fault), 'would not load');
  assert.is(readFileSync(path, 'utf8'), text);
});

test.run();
