import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { endWithThisProcess, temporaryFolder } from '../../test-kit/end-with-parent.ts';
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
const REPAIRS = fileURLToPath(
  new URL('../../test-kit/diagnostics/repair-again-and-again.ts', import.meta.url),
);
const KILLS = 25;

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

test('DIAG-021 a file that is not UTF-8 is left as it is, byte for byte', async () => {
  const path = svcYaml('');
  const latin1 = Buffer.from(`${YAML}# pr\u00f3ba\n`, 'latin1');
  writeFileSync(path, latin1);
  assert.match(String(await refused(applyModbusFix(path, FIX, { env: {} }))), 'is not UTF-8');
  assert.ok(readFileSync(path).equals(latin1));
});

test(
  'DIAG-021 kill -9 at any moment of a repair leaves the old or the new file whole, and the next repair works',
  async () => {
    const path = svcYaml(YAML);
    const repaired = YAML.replace('9600', '19200');
    const random = seededRandom(9);
    const seen = new Set<string>();
    for (let round = 0; round < KILLS; round++) {
      const child = spawn(process.execPath, ['--import', 'tsx', REPAIRS, path], {
        env: { ...process.env, ...endWithThisProcess() },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'close');
      await once(child.stdout, 'data');
      await systemClock.sleep(random() * 60);
      child.kill('SIGKILL');
      await ended;
      const text = readFileSync(path, 'utf8');
      assert.ok(text === YAML || text === repaired, text);
      seen.add(text);
      writeFileSync(path, YAML);
      const { undo } = await applyModbusFix(path, FIX, { env: {} });
      assert.is(readFileSync(path, 'utf8'), repaired);
      await undo();
      assert.is(readFileSync(`${path}.bak`, 'utf8'), YAML);
    }
    assert.is(seen.size, 2, 'the kills met both states');
  },
  { timeoutMs: 180_000 },
);

test.run();
