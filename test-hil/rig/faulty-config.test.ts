import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { RIG_SERVICES } from '../../src/rig/profiles/rig-services.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { BenchRig } from './bench/bench-rig.ts';
import { launch } from './bench/program.ts';

const test = suite('faulty svc.yaml');
const folder = mkdtempSync(join(tmpdir(), 'faulty-'));
const path = join(folder, 'svc.yaml');
test.after(() => rmSync(folder, { recursive: true, force: true }));

const ADC_SERVICES = ['svc-adc-usb', 'svc-adc-uart', 'svc-adc-stack'];
const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ...[...RIG_SERVICES, ...ADC_SERVICES].map((name): [string] => [name]),
  ['svc-window', 'serve'],
  ['svcctl', 'calibration'],
  ['svcctl', 'cmd', 'GET AI01'],
  ['svc-start', '--once', '--config', path],
];
const layers = 'bcdefghi'
  .split('')
  .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]\n`);
const BOMB = `a: &a [x, x, x, x, x, x, x, x, x]\n${layers.join('')}`;

async function refused([name, ...args]: readonly [string, ...string[]], yaml: string, fault: string) {
  writeFileSync(path, yaml);
  const env = { SVC_CONFIG_PATH: path, SVC_STATE_DIR: folder, RIG_RUNTIME_DIR: join(folder, 'rig') };
  const { code, stderr } = await launch(name, args, env).ended;
  assert.is(code, 2, `${name}: ${stderr}`);
  assert.match(stderr, `${path}: `, name);
  assert.match(stderr, fault, name);
}

test(
  'SVC-063 a name that the rig does not have ends every program with 2, with path and remedy',
  async () => {
    const yaml = 'sensors: {ai1: {resolution: 0.1}}';
    for (const program of PROGRAMS)
      await refused(program, yaml, 'ai1 is not a sensor of this rig; did you mean');
  },
  { timeoutMs: 120_000 },
);

test('SVC-063 an alias bomb and brackets by the thousand end a program with 2, not by its stack', async () => {
  await refused(['svc-bridge'], BOMB, 'write the values out');
  await refused(['svc-guard'], '['.repeat(20_000), 'write it flatter');
});

test('SVC-063 a name that the rig does not have keeps no stop from the devices', async () => {
  const rig = await BenchRig.open();
  try {
    const opened = await fetch(`${rig.bridge.url}/api/v1/hardware/valve/valve-1?value=true`, {
      method: 'POST',
    });
    assert.is(opened.status, 200, await opened.text());
    rig.bridge.child.kill('SIGKILL');
    await rig.bridge.ended;
    assert.equal(await rig.outputsOn(), ['coil 0']);
    appendFileSync(rig.config, 'interlocks: []\ncompat: {}\naliases: {nowhere: valve-77}\n');
    const env = {
      SVC_CONFIG_PATH: rig.config,
      SVC_STATE_DIR: rig.folder,
      SVC_HARDWARE_MODE: 'real',
    };
    const { code, stdout, stderr } = await launch('svc-guard', ['--once'], env).ended;
    assert.is(code, 0, stdout + stderr);
    assert.equal(await rig.outputsOn(), []);
  } finally {
    await rig.close();
  }
});

test.run();
