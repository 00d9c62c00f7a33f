import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl run on a disk that takes no record');
const root = fileURLToPath(new URL(import.meta.url)).replace(/(src|node_modules)\/.*$/, '');
const folder = new SvcctlProcess();
test.after(() => folder.dispose());

const disk = folder.path('disk');
mkdirSync(disk);
folder.write('a.oql', "SCENARIO: A\nGOAL:\n  SET NAME 'A'\n  CHECK AI01 >= 0 V\n");

/** Runs a command where the folder is a disk of its own, which only that process sees. */
function onDisk(options: string, command: string) {
  const script = `mount -t tmpfs -o ${options} none '${disk}' && ${command}`;
  const env = { PATH: process.env.PATH ?? '' };
  return spawnSync('unshare', ['-rm', 'sh', '-c', script], { cwd: folder.directory, env, encoding: 'utf8' });
}

const run = `'${process.execPath}' '${join(root, 'dist/svcctl.cjs')}' run a.oql --record disk`;
const tests = test.needs(onDisk('size=1m', 'true').status === 0, 'no mount in a user namespace here');

for (const [what, options, reason] of [
  ['is read-only', 'ro', /it cannot be recorded in .*disk\/runs: read-only file system; free space there/],
  [
    'has too little room',
    'size=8m',
    /it cannot be recorded in .*disk\/runs: \d+ KiB are free, 32768 are needed/,
  ],
] as const)
  tests(`REC-007 a disk that ${what} refuses the run before it begins, with place and remedy`, () => {
    const { status, stdout, stderr } = onDisk(options, run);
    assert.equal([status, stdout], [2, ''], stderr);
    assert.match(stderr, reason);
    assert.equal(readdirSync(disk), []);
  });

test.run();
