import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../test-kit/end-with-parent.ts';
import { suite } from '../test-kit/suite.ts';

const test = suite('exposure of the units of the rig');
/** Those of every rig, and those of the card. */
const FOLDERS = ['systemd', 'rootfs/image/root/usr/lib/systemd/system'];
const MOST_EXPOSED = 2.5;

const help = spawnSync('systemd-analyze', ['--help'], { encoding: 'utf8' });
const rated = test.needs(
  help.stdout?.includes('--offline') === true,
  'needs systemd-analyze security --offline',
);

rated('IMG-014 systemd-analyze security rates each unit at 2.5 at most', () => {
  const root = temporaryFolder('units-');
  try {
    const units = join(root, 'etc/systemd/system');
    mkdirSync(units, { recursive: true });
    for (const folder of FOLDERS) {
      const from = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
      for (const name of readdirSync(from).filter((one) => one.startsWith('svc-')))
        cpSync(join(from, name), join(units, name), { recursive: true });
    }
    const names = readdirSync(units).filter((name) => name.endsWith('.service'));
    assert.is(names.length, 7, names.join());
    for (const name of names) {
      const args = ['security', '--no-pager', '--offline=yes', `--root=${root}`, name];
      const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      const level = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
      process.stdout.write(`${name}: exposure ${level}\n`);
      assert.ok(level <= MOST_EXPOSED, `${name}: ${level} ${stderr}`);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test.run();
