import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { ConfigError } from '../../lib/config/config-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { defaultPlantParameters, withPatch } from './parameters.ts';
import { parsePlant, readPlantFile } from './plant-file.ts';

const test = suite('file of plant parameters');

const message = (source: string): string => {
  try {
    parsePlant(source, 'rig.yaml');
  } catch (thrown) {
    assert.instance(thrown, ConfigError);
    return (thrown as ConfigError).message;
  }
  return 'accepted';
};

test('what the file leaves out has its default', () => {
  assert.equal(parsePlant('', 'rig.yaml'), {});
  assert.equal(parsePlant('leak: null\ninputs: { uart: [ai01, ai02] }\n', 'rig.yaml'), {
    leak: null,
    inputs: { uart: ['ai01', 'ai02'] },
  });
});

/** Text, and what the message must name: line, path, value and remedy. */
const WRONG: readonly (readonly [source: string, ...named: string[]])[] = [
  ['gain: 1\ntau_s: 0\n', 'rig.yaml: line 2, tau_s = 0', '>0'],
  ['# a comment\n\nleek: 0\n', 'line 3, leek = 0', 'unknown key', 'leak'],
  ['rest_v:\n  - 0.6\n  - 0.7\n  - high\n  - 0\n', 'line 4, rest_v.2 = "high"', 'number'],
  ['inputs:\n  uart: [ai01, ai05]\n', 'line 2, inputs.uart.1 = "ai05"', 'ai04'],
  ['inputs:\n  spi: [ai01]\n', 'line 2, inputs.spi', 'usbhid'],
  ['leak: [0, 1]\n', 'line 1, leak = [0,1]', 'a list of four'],
  ['noise_v: -1\n', 'line 1, noise_v = -1', '>=0'],
  ['gain: 1\ngain: 2\n', 'line 2', 'unique'],
  ['gain: [1\n', 'line 2', ','],
  ['- 1\n', 'rig.yaml: file'],
];

test('each wrong file is refused with line, path, value and remedy', () => {
  for (const [source, ...named] of WRONG) {
    const text = message(source);
    for (const part of named)
      assert.ok(text.includes(part), `${JSON.stringify(source)}: ${text} names ${part}`);
  }
});

test('all faults are reported at once', () => {
  const text = message('tau_s: 0\ngain: x\n');
  assert.match(text, /tau_s/);
  assert.match(text, /gain/);
});

test('a file that is not there is named', () => {
  assert.throws(() => readPlantFile('/nonexistent/rig.yaml'), /nonexistent\/rig\.yaml.*--plant/);
});

test('the shipped example names every parameter, with its default', () => {
  const path = fileURLToPath(new URL('../../../rootfs/etc/svc/bench.yaml', import.meta.url));
  const shipped = readPlantFile(path);
  const defaults = defaultPlantParameters();
  assert.equal(Object.keys(shipped).sort(), Object.keys(defaults).sort());
  assert.equal(withPatch(defaults, shipped), defaults);
});

test.run();
