import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { claimFolder, createParts, removeFolder } from './folder-content.ts';
import { markGenerated } from './generated-config.ts';
import { runtimeFolder } from './runtime-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'runtime-'));
const test = suite('runtime folder');
test.after(() => rmSync(base, { recursive: true, force: true }));

test('it is .rig in the project, or what RIG_RUNTIME_DIR names', () => {
  assert.is(runtimeFolder('/opt/rig', undefined, '/').path, '/opt/rig/.rig');
  assert.is(runtimeFolder('/opt/rig', 'x', '/tmp').path, '/tmp/x');
  assert.is(runtimeFolder('/opt/rig', '/run/rig', '/tmp').runs, '/run/rig/runs');
});

test('a project too deep for socket paths gets a short one, always the same, and keeps its runs', () => {
  const root = `/${'deep/'.repeat(30)}rig`;
  const folder = runtimeFolder(root, undefined, '/');
  assert.ok(Buffer.byteLength(join(folder.bench, 'ads1115.sock')) <= 107, folder.bench);
  assert.is(runtimeFolder(root, undefined, '/').path, folder.path);
  assert.is(folder.runs, `${root}/.rig/runs`);
});

test('a named one that is too long is refused with the limit', () => {
  assert.throws(
    () => runtimeFolder('/', `/${'x'.repeat(100)}`, '/'),
    /too long for sockets: .* at most 88 bytes/,
  );
  assert.not.throws(() => runtimeFolder('/', `/${'x'.repeat(87)}`, '/'));
});

test('a place that leads somewhere else is not taken', () => {
  symlinkSync(base, join(base, 'link'));
  assert.throws(() => claimFolder(runtimeFolder('/', join(base, 'link'), '/')), /not a folder of yours/);
});

test('what it leaves are the runs; without runs nothing', () => {
  const folder = runtimeFolder('/', join(base, 'own'), '/');
  const fill = () => {
    claimFolder(folder);
    createParts(folder);
    mkdirSync(folder.bench);
    writeFileSync(folder.config, markGenerated('schema_version: 1\n'));
    writeFileSync(folder.settings, '');
  };
  fill();
  removeFolder(folder);
  assert.not.ok(existsSync(folder.path));
  fill();
  writeFileSync(join(folder.runs, 'a.ndjson'), '');
  const ofServer = join(folder.state, 'runs', 'r-20250115-0001');
  mkdirSync(ofServer);
  writeFileSync(join(ofServer, 'run.json'), '');
  writeFileSync(join(folder.state, 'rig-key.pem'), 'key', { mode: 0o600 });
  removeFolder(folder);
  assert.equal(readdirSync(folder.path), ['runs']);
  assert.ok(existsSync(join(folder.runs, 'r-20250115-0001', 'run.json')), 'also those of the API server');
  fill();
  assert.ok(existsSync(join(ofServer, 'run.json')), 'which finds them again');
  const key = join(folder.state, 'rig-key.pem');
  assert.equal(
    [readFileSync(key, 'utf8'), statSync(key).mode & 0o777],
    ['key', 0o600],
    'with the key that sealed them',
  );
});

test('SVC-068 an edited configuration is kept; a generated one goes, unless --config named it', () => {
  const folder = runtimeFolder('/', join(base, 'configured'), '/');
  const generate = () => {
    claimFolder(folder);
    writeFileSync(folder.ownConfig, markGenerated('schema_version: 1\n'));
  };
  generate();
  removeFolder(folder);
  assert.not.ok(existsSync(folder.path), 'generated');
  generate();
  symlinkSync(folder.ownConfig, join(base, 'chosen.yaml'));
  removeFolder(folder, join(base, 'chosen.yaml'));
  assert.ok(existsSync(folder.ownConfig), 'chosen by another name');
  appendFileSync(folder.ownConfig, '# mine\n');
  removeFolder(folder);
  assert.ok(existsSync(folder.ownConfig), 'edited');
  writeFileSync(folder.ownConfig, 'schema_version: 1\n');
  removeFolder(folder);
  assert.ok(existsSync(folder.ownConfig), 'written by a person');
});

test.run();
