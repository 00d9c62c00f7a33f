import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { BENCH_DEVICES } from '../bench/bench.ts';
import { guardAddress, liveAddress, rigKey } from '../lib/liveness/live-address.ts';
import { hidLockKey, i2cLockKey, lockAddress, serialLockKey, usbLockKey } from '../lib/lock/lock-key.ts';
import { DEVICE_KINDS } from '../rig/device-kinds/index.ts';
import { guardLockKey } from '../rig/guard/bridge-life.ts';
import { DeviceNames } from '../rig/hardware/names.ts';
import { SENSOR_IDS } from '../rig/hardware/voltage-inputs.ts';
import { ADC_SERVICES } from '../rig/profiles/profile.ts';
import { RIG_PORTS, RIG_SERVICES } from '../rig/profiles/rig-services.ts';
import { Registry } from '../rig/registry/registry.ts';
import { benchCommand } from '../services/bench/options.ts';
import { suite } from './suite.ts';

const test = suite('docs/names.md');
const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/names.md'), 'utf8');

/** What stands in backticks in each cell of the rows below a heading. */
function rowsBelow(heading: string): string[][][] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  assert.ok(rows.length > 0, heading);
  return rows.map((row) =>
    row.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
  );
}

const sourceFiles = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/test|^lab\//.test(name))
  .map((name) => ({ name, text: readFileSync(join(root, 'src', name), 'utf8') }));

test('every name of an actuator leads to the id of its row, and no name is missing', () => {
  const registry = new Registry();
  const bridge = new DeviceNames();
  const listed = rowsBelow('Set an actuator').flatMap(([, [id = ''] = [], both = [], scenariosOnly = []]) => {
    for (const name of [id, ...both, ...scenariosOnly]) assert.is(registry.peripheral(name)?.id, id, name);
    for (const name of both) assert.is(bridge.coil(name), bridge.coil(id), name);
    for (const name of scenariosOnly) assert.is(bridge.coil(name), undefined, name);
    return [id, ...both, ...scenariosOnly];
  });
  assert.equal(listed.sort(), registry.peripheralNames().sort());
});

test('every name of a sensor leads to the input of its row, and no name is missing', () => {
  const registry = new Registry();
  const bridge = new DeviceNames();
  const listed = rowsBelow('Read a sensor').flatMap(([, inScenarios = [], atBridge = []], input) => {
    const ids = new Set(inScenarios.map((name) => registry.sensor(name)?.id));
    assert.equal([...ids], [inScenarios[0]]);
    for (const name of atBridge) assert.is(bridge.sensor(name), SENSOR_IDS[input], name);
    return inScenarios;
  });
  assert.equal(listed.sort(), registry.sensorNames().sort());
});

test('every service stands there with its port', () => {
  const listed = page.matchAll(/^\| `(svc-[\w-]+)` \| (\d+) \|/gm);
  const ports = new Map([...listed].map(([, service = '', port]) => [service, Number(port)]));
  for (const [service, [port]] of Object.entries(RIG_PORTS)) assert.is(ports.get(service), port, service);
  const bench = benchCommand('1.0.0').options.find(({ long }) => long === '--port');
  assert.is(ports.get('svc-bench'), bench?.defaultValue);
  for (const service of [...ADC_SERVICES, 'svc-window']) {
    const folder = `services/${service.slice('svc-'.length)}/`;
    const own = sourceFiles
      .filter(({ name }) => name.startsWith(folder))
      .flatMap(({ text }) => [...text.matchAll(/(?:defaultPort: |DEFAULT_PORT = )(\d+)/g)]);
    assert.equal(
      [ports.get(service)],
      own.map(([, port]) => Number(port)),
      service,
    );
  }
  for (const service of RIG_SERVICES) assert.ok(ports.has(service), service);
});

test('every program stands there', () => {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(bin)) assert.ok(page.includes(`\`${name}\``), name);
});

test('every entry of plugins and every twin stands there', () => {
  const schema = JSON.parse(readFileSync(join(root, 'docs/svc-yaml.schema.json'), 'utf8'));
  const rows = rowsBelow('Find the device of an entry in `plugins`');
  assert.equal(
    rows.map((cells) => cells[1]?.[0]),
    Object.keys(schema.properties.plugins.properties),
  );
  const short: string[] = schema.properties.compat.properties.health_keys.additionalProperties.enum;
  assert.equal([...new Set(rows.flatMap((cells) => cells[3] ?? []))], short);
  // Sensors in a unit of their own have any name; their kinds, and the twins of those, stand in the page about svc.yaml.
  const ofKinds = readFileSync(join(root, 'docs/svc-yaml.md'), 'utf8');
  for (const device of BENCH_DEVICES)
    assert.ok(page.includes(`\`${device}\``) || ofKinds.includes(`| \`${device}\` |`), device);
  for (const { kind, role } of DEVICE_KINDS)
    if (role === 'sensor') assert.ok(ofKinds.includes(`| \`${kind}\` |`), kind);
});

test('locks and heartbeats have these addresses', () => {
  const rig = rigKey('/var/lib/svc');
  const shown = (address: string) => address.replace(/\0+$/, '').replace('\0', '@').replace(rig, '<rig>');
  const keys = [
    serialLockKey('/dev/ttyACM1'),
    i2cLockKey('/dev/i2c-1', 0x48),
    usbLockKey(0x1ffb, 0xc9),
    hidLockKey(0x04d8, 0xdd),
    guardLockKey('/var/lib/svc').replace(rig, '<rig>'),
  ];
  for (const key of keys) assert.ok(page.includes(`| \`${key}\` |`), key);
  assert.is(shown(lockAddress('key')), '@svc-lock/key');
  const heartbeats = ['svc-bridge', 'svc-pump', 'svc-lung', 'svc-guard'].map((one) => liveAddress(one, rig));
  for (const address of [...heartbeats, guardAddress(rig)])
    assert.ok(page.includes(`\`${shown(address)}\``), shown(address));
});

test('every file that a program keeps in the state folder stands there', () => {
  const written = sourceFiles.flatMap(({ text }) =>
    [...text.matchAll(/join\((?:\w+\.)?stateDir, ['`]([^'`]+)['`]\)/g)].map(([, name = '']) => name),
  );
  const files = written.filter((name) => !['uploads', 'thumbnails'].includes(name));
  assert.ok(files.length > 8, files.join(' '));
  const listed = rowsBelow('Find a file of the state folder').flatMap(([, names = []]) => names);
  const isListed = (name: string) =>
    listed.some((one) => (name.includes('$') ? one.startsWith(name.split('$')[0] ?? '') : one === name));
  assert.equal(
    files.filter((name) => !isListed(name)),
    [],
  );
  const isWritten = (name: string) =>
    files.some((one) => one === name || name.startsWith(`${one.split('$')[0]}`));
  assert.equal(
    listed.filter((name) => !isWritten(name)),
    [],
  );
});

test.run();
