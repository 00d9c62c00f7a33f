import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { readBenchFile } from './bench-file.ts';

const test = suite('file of a rig for the HIL suite');
const example = fileURLToPath(new URL('../bench.example.yaml', import.meta.url));

function messageFor(content: string): string {
  const path = join(temporaryFolder('hil-'), 'bench.yaml');
  writeFileSync(path, content);
  try {
    readBenchFile(path);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message.replace(path, 'bench.yaml') : String(error);
  }
}

test('the example names a rig with real devices, on which no fault can be set', () => {
  const { rig, connected, twins } = readBenchFile(example);
  assert.equal([rig.port, rig.user], [22, 'operator']);
  assert.match(rig.key, /^\/.*\/\.ssh\/id_ed25519$/);
  assert.equal([connected, twins], [['valves', 'pump', 'sensors'], undefined]);
});

test('a file with a fault is refused with place, reason and remedy', () => {
  const rig = 'rig: { host: h, key: k }';
  assert.match(
    messageFor(`${rig}\nconnected: [valve]\n`),
    /^bench\.yaml: connected\.0: .*; test-hil\/bench\.example/,
  );
  assert.match(messageFor(`${rig}\nconnected: []\n`), 'connected');
  assert.match(messageFor('rig: { host: h }\nconnected: [pump]\n'), 'rig.key');
  assert.match(messageFor(`${rig}\nconnected: [pump]\ntwin: x\n`), 'twin');
  assert.match(messageFor(`${rig}\nconnected: [pump]\ntwins: nowhere\n`), 'twins');
  assert.match(messageFor('rig: {'), /^bench\.yaml cannot be read: /);
  assert.is(messageFor(`${rig}\nconnected: [pump]\n`), 'accepted');
});

test('a file that does not exist names the example', () => {
  assert.throws(() => readBenchFile('/nowhere/bench.yaml'), /copy test-hil\/bench.example.yaml/);
});

test.run();
