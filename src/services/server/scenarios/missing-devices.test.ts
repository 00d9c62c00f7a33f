import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { loadConfiguredRig } from '../configured-rig.ts';
import { missingDevices } from './missing-devices.ts';
import { withRemedy } from './with-remedy.ts';

const test = suite('devices that a scenario lacks');

const folder = mkdtempSync(join(tmpdir(), 'missing-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('SVC-006 a device is missing only where the bridge is on this machine: another one has an svc.yaml of its own', () => {
  const path = join(folder, 'svc.yaml');
  writeFileSync(path, 'schema_version: 1\nplugins:\n  pump-motor: { enabled: false }\n');
  const rig = loadConfiguredRig({ SVC_CONFIG_PATH: path }, folder);
  const lacked = (url: string) => missingDevices({ peripherals: ['pump'], sensors: [] }, rig, url);
  for (const url of ['http://127.0.0.1:8202', 'http://localhost:8202', 'http://[::1]:8202'])
    assert.match(lacked(url)[0]?.message ?? '', '(pump-motor), which svc.yaml of this rig', url);
  for (const url of ['http://192.0.2.7:8202', 'http://rig-2.example:8202'])
    assert.equal(lacked(url), [], url);
});

test('a sentence has one full stop before its remedy', () => {
  const remedy = 'Do it.';
  assert.is(withRemedy({ message: 'It lacks a pump', remedy }), 'It lacks a pump. Do it.');
  for (const message of ['It is gone.', 'Is it on?', 'No!'])
    assert.is(withRemedy({ message, remedy }), `${message} Do it.`);
});

test.run();
