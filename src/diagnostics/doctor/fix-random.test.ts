import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { type ModbusValues, randomSvcYaml, strayChange } from '../../test-kit/diagnostics/random-svc-yaml.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import type { ModbusFix } from './finding.ts';
import { applyModbusFix } from './fix.ts';

const test = suite('a repair of svc.yaml files that people wrote');

const FILES = 1000;

function randomValues(random: Random): ModbusValues {
  const pick = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  return {
    serial_port: pick(
      '/dev/ttyUSB0',
      '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0',
      '/dev/serial/by-path/platform-3f98-usb-0:1.2:1.0',
    ),
    baudrate: pick(9600, 19_200, 115_200),
    parity: pick('N', 'E', 'O'),
  };
}

function fixOf(current: ModbusValues, detected: ModbusValues): ModbusFix {
  const keys = (Object.keys(current) as (keyof ModbusValues)[]).filter(
    (key) => current[key] !== detected[key],
  );
  return {
    unsafe: null,
    mismatches: Object.fromEntries(
      keys.map((key) => [key, { current: current[key], detected: detected[key] }]),
    ),
    detected: { ...detected, device_id: 1 },
  };
}

test(
  'DIAG-019 DIAG-021 in 1,000 files by chance only the values that the repair names differ, whatever the style',
  async () => {
    const random = seededRandom(15);
    const path = join(temporaryFolder('fix-random-'), 'svc.yaml');
    let repaired = 0;
    for (let count = 0; count < FILES; count++) {
      const detected = randomValues(random);
      const draft = { ...randomValues(random) };
      const file = randomSvcYaml(random, draft);
      // Where the file leaves the parity out, none is configured.
      const current: ModbusValues = file.keys.includes('parity') ? draft : { ...draft, parity: 'N' };
      const fix = fixOf(current, detected);
      if (Object.keys(fix.mismatches).length === 0) continue;
      writeFileSync(path, file.text);
      const fault = await applyModbusFix(path, fix, { env: {} }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const text = readFileSync(path, 'utf8');
      if (file.isShared) {
        assert.match(String(fault), 'shares plugins.modbus-io with other keys');
        assert.is(text, file.text);
        continue;
      }
      assert.is(fault, undefined, `${String(fault)}\n${file.text}`);
      assert.is(strayChange(file, text, detected), undefined, `${file.text}\n--- became\n${text}`);
      assert.is(readFileSync(`${path}.bak`, 'utf8'), file.text);
      repaired++;
    }
    assert.ok(repaired > FILES / 2, `${repaired} repaired`);
  },
  { timeoutMs: 120_000 },
);

test.run();
