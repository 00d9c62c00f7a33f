import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { interlocksOf } from '../../rig/interlocks/interlocks-of.ts';
import { Registry } from '../../rig/registry/registry.ts';
import { suite } from '../../test-kit/suite.ts';
import { fileLoader } from '../syntax/file-loader.ts';
import { loadChecked } from './load-checked.ts';

const test = suite('safety of the shipped scenarios');
const ROOT = path.resolve('scenarios');
const CONFIG = 'rootfs/etc/svc/svc.yaml';

const config = mergeConfig(parseConfig(readFileSync(CONFIG, 'utf8'), CONFIG), {});
const registry = new Registry({ aliases: config.aliases, pumpFullScaleLpm: config.pumpFullScaleLpm });
const interlocks = interlocksOf(config.interlocks, registry);
const loader = fileLoader({ topDir: ROOT, libraryRoot: ROOT });
const safety = { registry, limits: config.limits, interlocks };

const findingsOf = (source: string, file: string) => {
  const { diagnostics, ...checked } = loadChecked(source, file, { loader, safety });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    errors: errors.map(({ code, message }) => `${code} ${message}`),
    worst: checked.safety?.worstCaseS,
  };
};

test('the appliance ships with rules for pump and lung', () => {
  assert.equal(
    interlocks.map((one) => [...one.while.keys()]),
    [['pump-main'], ['lung-main']],
  );
});

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.oql'))
  .sort();

for (const name of files)
  test(`${name} keeps the rules that the appliance ships with, and its time has a bound`, () => {
    const file = path.join(ROOT, name);
    const { errors, worst } = findingsOf(readFileSync(file, 'utf8'), file);
    assert.equal(errors, []);
    assert.ok(worst !== undefined && worst < 15 * 60, `${worst} s`);
  });

test('a shipped scenario that closes the line of the running pump would be found', () => {
  const file = path.join(ROOT, 'mask-leak.oql');
  const source = readFileSync(file, 'utf8').replace('  CALL valve_open valve-sc\n', '');
  const { errors } = findingsOf(source, file);
  assert.is(errors.length, 1, errors.join('\n'));
  assert.match(errors[0] ?? '', /SCN276.*pump-main on \(since line \d+\), but valve-1 closed/);
});

test.run();
