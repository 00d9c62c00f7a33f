import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { atPlace } from '../../test-kit/scenario/sample-run.ts';
import { suite } from '../../test-kit/suite.ts';
import { RecordError } from './record-error.ts';
import { KEY_FILE, readRigKey, rigIdOf, rigKeyOf } from './rig-key.ts';

const test = suite('the key of a rig');

const PROGRAM = `import { rigKeyOf } from './src/scenario/records/rig-key.ts';
process.stdin.once('data', () => { console.log(rigKeyOf(process.argv[1]).public.fingerprint); process.exit(); });
console.log('ready');`;

function process_(folder: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, folder]);
  let text = '';
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('ready')) resolve();
    }),
  );
  const fingerprint = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(text.replace('ready', '').trim()));
  });
  return { ready, go: () => child.stdin.write('go\n'), fingerprint };
}

test('REC-003 processes that make the key at the same time all get one key, of mode 0600, and leave nothing else', () =>
  atPlace(async ({ stateDir }) => {
    const processes = Array.from({ length: 6 }, () => process_(stateDir));
    await Promise.all(processes.map(({ ready }) => ready));
    for (const { go } of processes) go();
    const found = await Promise.all(processes.map(({ fingerprint }) => fingerprint));
    assert.match(found[0] ?? '', /^SHA256:[\w+/]{43}$/);
    assert.is(new Set(found).size, 1, found.join('\n'));
    assert.equal(readdirSync(stateDir), [KEY_FILE]);
    assert.is(statSync(join(stateDir, KEY_FILE)).mode & 0o777, 0o600);
    assert.is(readRigKey(stateDir)?.public.fingerprint, found[0]);
    assert.match(rigIdOf(rigKeyOf(stateDir).public), /^rig-[0-9a-f]{12}$/);
  }));

test('REC-003 a damaged key is an error and is not replaced', () =>
  atPlace(({ stateDir }) => {
    const path = join(stateDir, KEY_FILE);
    writeFileSync(path, 'no key');
    try {
      rigKeyOf(stateDir);
      assert.unreachable();
    } catch (thrown) {
      assert.instance(thrown, RecordError);
      assert.is((thrown as RecordError).code, 'key_unusable');
    }
    assert.is(readFileSync(path, 'utf8'), 'no key');
  }));

test.run();
