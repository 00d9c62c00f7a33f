import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { GUARD_UNITS } from '../rig/profiles/guard-units.ts';
import { suite } from '../test-kit/suite.ts';

const test = suite('units of the appliance');
const folder = fileURLToPath(new URL('../../systemd/', import.meta.url));
const names = readdirSync(folder);
const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

function settings(name: string, key: string): string[] {
  const text = texts.get(`${name}.service`) ?? '';
  return [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

test('IMG-022 both guards report to systemd, which kills a silent one after 2 s and starts it again without limit', () => {
  assert.equal([...GUARD_UNITS].sort(), ['svc-guard', 'svc-guard-partner']);
  for (const unit of GUARD_UNITS) {
    const found = [
      'Type',
      'WatchdogSec',
      'WatchdogSignal',
      'Restart',
      'RestartSec',
      'StartLimitIntervalSec',
    ].map((key) => settings(unit, key).join());
    assert.equal(found, ['notify', '2', 'SIGKILL', 'always', '100ms', '0'], unit);
  }
});

test('IMG-020 every unit starts after svc-safe-boot and the guards are stopped after the services', () => {
  const afterOf = (name: string) => settings(name, 'After').join(' ').split(' ');
  for (const name of [...GUARD_UNITS, 'svc-rig'])
    assert.ok(afterOf(name).includes('svc-safe-boot.service'), name);
  for (const name of GUARD_UNITS) assert.ok(afterOf('svc-rig').includes(`${name}.service`), name);
  // What fails to prove the safe state must not keep away those that repeat it.
  for (const text of texts.values()) assert.not.match(text, /^(Requires|BindsTo)=/m);
});

test('each unit runs as the account of the services, and its time to stop covers the safe state', () => {
  for (const name of names.map((one) => one.replace('.service', ''))) {
    assert.equal(settings(name, 'User'), ['rig'], name);
    if (name === 'svc-safe-boot') continue;
    assert.ok(Number(settings(name, 'TimeoutStopSec')[0]) >= 10, name);
  }
});

/** Drivers that Debian has as modules, by the name of their device nodes; all others are a part of the kernel. */
const MODULES: Readonly<Record<string, string>> = {
  'char-ttyACM': 'cdc_acm',
  'char-ttyUSB': 'usbserial',
  'char-hidraw': 'hid',
  'char-i2c': 'i2c-dev',
};
const BUILT_IN = ['char-ttyAMA', 'char-ttyS', 'char-usb_device', 'char-pts'];

test('IMG-005 the driver of each device that a unit may open is loaded before the unit starts', () => {
  const path = fileURLToPath(new URL('../../rootfs/usr/lib/modules-load.d/svc-rig.conf', import.meta.url));
  const loaded = readFileSync(path, 'utf8').split('\n');
  for (const name of names.map((one) => one.replace('.service', '')))
    for (const allowed of settings(name, 'DeviceAllow')) {
      const [node = ''] = allowed.split(' ');
      const module = MODULES[node];
      if (module === undefined) assert.ok(BUILT_IN.includes(node), `${name}: ${node}`);
      else assert.ok(loaded.includes(module), `${name} needs ${module} for ${node}`);
    }
});

test('what is run as root for an operator is a fixed list of commands as the account rig', () => {
  const path = fileURLToPath(new URL('../../rootfs/etc/sudoers.d/svc-rig', import.meta.url));
  const text = readFileSync(path, 'utf8');
  assert.match(text, /^%operator ALL=\(rig\) NOPASSWD: /m);
  assert.not.match(text, / \*|ALL=\((ALL|root)|SETENV/);
  const hasVisudo = spawnSync('visudo', ['--version']).error === undefined;
  if (hasVisudo) execFileSync('visudo', ['-c', '-f', path]);
});

test.run();
