import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../test-kit/end-with-parent.ts';
import { suite } from '../test-kit/suite.ts';

const test = suite('units of the card');
const folder = fileURLToPath(new URL('../../rootfs/image/root/usr/lib/systemd/system/', import.meta.url));

test('IMG-012 IMG-020 the first start is over before network and SSH, and never makes the safe state of the rig wait', () => {
  const text = readFileSync(join(folder, 'svc-first-boot.service'), 'utf8');
  const before = /^Before=(.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  for (const unit of ['network-pre.target', 'ssh.service']) assert.ok(before.includes(unit), unit);
  assert.not.ok(
    before.some((unit) => unit.startsWith('svc-')),
    'a slow card would leave outputs on after a reset',
  );
});

test('IMG-012 the first start waits for the FAT partition, which local-fs.target does not wait for', () => {
  const text = readFileSync(join(folder, 'svc-first-boot.service'), 'utf8');
  assert.match(text, /^After=.*\bboot-firmware\.mount\b/m);
  const fstab = readFileSync(join(folder, '../../../../etc/fstab'), 'utf8');
  assert.match(fstab, /-01 \/boot\/firmware vfat ro,.*\bnofail\b/);
});

test('IMG-016 an operator may edit svc.yaml, and no file that reaches programs of root', () => {
  const sudoers = join(folder, '../../../../etc/sudoers.d');
  const text = readFileSync(join(sudoers, 'svc-settings'), 'utf8');
  const [rule = '', ...more] = text.split('\n').filter((line) => line.startsWith('%'));
  assert.equal(more, []);
  assert.match(
    rule,
    /^%operator ALL=\(root\) CWD=\/ NOPASSWD: sudoedit \/etc\/svc\/svc\.yaml, \/usr\/local\/bin\/svcctl \^calibration confirm /,
  );
  const hasVisudo = spawnSync('visudo', ['--version']).error === undefined;
  if (hasVisudo)
    for (const name of readdirSync(sudoers))
      execFileSync('visudo', ['-c', '-f', join(sudoers, name)], { stdio: 'pipe' });
});

test('IMG-015 the network is set up behind a firewall only: what cannot be loaded leaves SSH, or no network', () => {
  const drop = (unit: string) => readFileSync(join(folder, `${unit}.service.d/10-svc-rig.conf`), 'utf8');
  for (const unit of ['systemd-networkd', 'wpa_supplicant@'])
    assert.match(drop(unit), 'After=nftables.service\nConditionPathExists=/run/svc-rig-firewall\n');
  assert.match(drop('nftables'), 'ExecStart=\nExecStart=/usr/lib/svc-rig/load-firewall\n');
  assert.match(drop('nftables'), 'ExecStartPost=/usr/bin/touch /run/svc-rig-firewall\n');
  const root = temporaryFolder('firewall-');
  try {
    const load = (good: readonly string[]) => {
      writeFileSync(
        join(root, 'nft'),
        `#!/bin/sh\ncase " ${good.join(' ')} " in *" $2 "*) echo "$2" ;; *) exit 1 ;; esac\n`,
        {
          mode: 0o755,
        },
      );
      const script = readFileSync(join(folder, '../../svc-rig/load-firewall'), 'utf8');
      const { status, stdout } = spawnSync('sh', ['-c', script], {
        encoding: 'utf8',
        env: { PATH: `${root}:/usr/bin:/bin` },
      });
      return [status, stdout.trim()];
    };
    const [own, onlySsh] = ['/etc/nftables.conf', '/usr/lib/svc-rig/only-ssh.nft'];
    assert.equal(load([own, onlySsh]), [0, own]);
    assert.equal(load([onlySsh]), [0, onlySsh]);
    assert.equal(load([]), [1, '']);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test.run();
