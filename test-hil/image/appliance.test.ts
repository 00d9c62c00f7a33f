import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { builtImage, imageMissing } from './machine/built-image.ts';
import { ImageMachine, NO_LIMIT } from './machine/image-machine.ts';
import { ROOT_SSH_PORT } from './machine/root-ssh.ts';

const test = suite('the image in an emulated machine');
const missing = imageMissing();
const booted = test.needs(missing === undefined, missing ?? '');

let machine: ImageMachine;

test.before(async () => {
  if (missing !== undefined) return;
  machine = new ImageMachine(join(temporaryFolder('image-'), 'machine'), {
    clock: systemClock,
  });
  await machine.boot();
  await machine.admitOperator();
}, NO_LIMIT);

test.after(() => machine?.cutPower(), NO_LIMIT);

/** Standard output of a command that must succeed. */
async function output(command: string): Promise<string> {
  const { code, stdout, stderr } = await machine.run(command);
  assert.is(code, 0, `${command}: ${stderr}`);
  return stdout.trim();
}

booted(
  'IMG-002 boots with no ordering cycle, an untainted kernel, and no failed unit but what proves the outputs off without devices',
  async () => {
    await machine.settled();
    const failed = await output("systemctl list-units --failed --plain --no-legend | awk '{print $1}'");
    assert.ok(failed === '' || failed === 'svc-safe-boot.service', failed);
    const { stdout } = await machine.run('journalctl -b --no-pager | grep -i "ordering cycle"');
    assert.is(stdout, '');
    assert.is(await output('cat /proc/sys/kernel/tainted'), '0');
  },
  NO_LIMIT,
);

booted(
  'IMG-004 each native add-on of the programs loads in the Node of the image',
  async () => {
    const script = `
      const { readdirSync } = require('node:fs');
      const dist = '/opt/svc-rig/current/dist/';
      const loaded = readdirSync(dist).filter((name) => name.endsWith('.node')).map((name) => { require(dist + name); return name.replace(/-[A-Z0-9]{8}\\.node$/, ''); });
      const sharp = require('/opt/svc-rig/current/node_modules/sharp');
      console.log(JSON.stringify({ loaded, sharp: typeof sharp, arch: process.arch, node: process.versions.node }));`;
    const text = await output(`cd / && /opt/svc-rig/current/node/bin/node -e ${quoted(script)}`);
    const { loaded, sharp, arch, node } = JSON.parse(text) as {
      loaded: string[];
      sharp: string;
      arch: string;
      node: string;
    };
    assert.is(arch, 'arm64');
    assert.match(node, /^24\./);
    assert.is(sharp, 'function');
    for (const [what, pattern] of Object.entries(ADDONS))
      assert.ok(
        loaded.some((name) => pattern.test(name)),
        `${what}: ${loaded.join(' ')}`,
      );
  },
  NO_LIMIT,
);

const ADDONS = {
  serialport: /serialport/,
  'node-hid': /^node-napi|hid/i,
  'i2c-bus': /^i2c/,
  libsql: /^index/,
  koffi: /^koffi/,
  'node-pty': /^pty/,
};

booted(
  'IMG-011 root is read-only, and what is written lies on the data partition or in memory',
  async () => {
    const { code } = await machine.run('touch /usr/x /etc/x /opt/svc-rig/x');
    assert.is.not(code, 0);
    const source = async (folder: string) => output(`findmnt -n -o SOURCE,FSTYPE -T ${folder}`);
    for (const folder of ['/etc/svc', '/var/lib/svc', '/var/lib/systemd', '/home', '/etc/wpa_supplicant'])
      assert.match(await source(folder), /^\/dev\/disk\/by-partuuid\/5c1d0001-04\[.*\] +ext4$/, folder);
    for (const folder of ['/var/log', '/tmp', '/var/tmp', '/run'])
      assert.match(await source(folder), /^tmpfs +tmpfs$/, folder);
    assert.match(await output('cat /etc/machine-id'), /^[0-9a-f]{32}$/);
  },
  NO_LIMIT,
);

booted(
  'IMG-005 device nodes of the rig belong to their groups, rig opens them and nobody does not',
  async () => {
    const nodes = { '/dev/ttyAMA0': 'dialout 660' };
    for (const [node, wanted] of Object.entries(nodes)) {
      assert.is(await output(`stat -c '%G %a' ${node}`), wanted);
      const open = (account: string) =>
        machine.run(`setpriv --reuid ${account} --regid ${account} --init-groups sh -c ': <>${node}'`);
      assert.is((await open('rig')).code, 0, node);
      assert.is.not((await open('nobody')).code, 0, node);
    }
    assert.is(await output('readlink /dev/serial0'), 'ttyAMA0');
    const { stdout } = await machine.run('find /dev -type c -perm -0002 -o -type b -perm -0002');
    const open = stdout.split('\n').filter((path) => path !== '' && !OPEN_TO_ALL.test(path));
    assert.equal(open, []);
    assert.match(await output('id -nG rig'), /\bdialout\b.*\bplugdev\b.*\bi2c\b.*\bgpio\b/);
    assert.is((await machine.run('systemctl is-active serial-getty@ttyAMA0')).code !== 0, true);
    await output('test -d /sys/module/i2c_dev && ! test -d /sys/module/hid_mcp2221');
  },
  NO_LIMIT,
);

/** Of the kernel, the same on every Linux machine. */
const OPEN_TO_ALL = /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|pts\/ptmx|fuse|net\/tun|vfio\/vfio)$/;

booted(
  'IMG-015 listens on the documented sockets alone, and the firewall admits SSH and mDNS alone',
  async () => {
    const text = await output("ss -tulpnH | awk '{print $1, $5, $7}'");
    const isWide = (line: string) => !/ (127\.|\[::1\]|\[::ffff:127\.)/.test(line);
    const wide = text.split('\n').filter(isWide);
    for (const line of wide)
      assert.ok(
        WIDE.some((known) => known.test(line)),
        line,
      );
    for (const known of [/:22 .*sshd/, /:5353 .*systemd-resolve/])
      assert.ok(wide.some((line) => known.test(line)));
    const rules = await output('nft list chain inet svc-rig input');
    assert.match(rules, /policy drop/);
    const admitted = [...rules.matchAll(/(?:tcp|udp) dport (\d+) accept/g)].map(([, port]) => Number(port));
    assert.equal(admitted.sort(byNumber), [22, 546, ROOT_SSH_PORT, 5353]);
  },
  NO_LIMIT,
);

const byNumber = (one: number, other: number) => one - other;

/** By what holds them; DHCP clients, and the SSH server of the one who tests. */
const WIDE = [
  /^tcp \S+:22 .*sshd/,
  new RegExp(`^tcp \\S+:${ROOT_SSH_PORT} .*sshd`),
  /^udp \S+:5353 .*systemd-resolve/,
  /^udp \S+:(68|546) .*systemd-network/,
];

booted(
  'IMG-015 rules of the firewall that cannot be loaded leave SSH alone',
  async () => {
    // In one login: the rule that lets the one who tests in is gone meanwhile.
    const rules = await output(
      [
        'echo "table inet broken {" >/tmp/broken.conf && mount --bind /tmp/broken.conf /etc/nftables.conf',
        'systemctl restart nftables && nft list chain inet svc-rig input',
        `umount /etc/nftables.conf; systemctl restart nftables; nft add rule inet svc-rig input tcp dport ${ROOT_SSH_PORT} accept`,
      ].join('; '),
    );
    assert.match(rules, /policy drop/);
    assert.equal(
      [...rules.matchAll(/dport (\d+) accept/g)].map(([, port]) => port),
      ['22'],
    );
    await output('test -f /run/svc-rig-firewall && systemctl is-active systemd-networkd');
  },
  NO_LIMIT,
);

booted(
  'IMG-016 an operator edits svc.yaml by sudoedit, and no other settings',
  async () => {
    const edit = (file: string) =>
      machine.runAs('operator', `SUDO_EDITOR='sed -i s/^require_real:.*/&#edited/' sudo -n -e ${file}`);
    const { code, stderr } = await edit('/etc/svc/svc.yaml');
    assert.is(code, 0, stderr);
    assert.match(await output('cat /etc/svc/svc.yaml'), /^require_real: true#edited$/m);
    assert.is(await output('stat -c "%U %a" /etc/svc/svc.yaml'), 'root 644');
    await output('sed -i s/#edited// /etc/svc/svc.yaml');
    const confirm = await machine.runAs('operator', "sudo -n svcctl calibration confirm none --by 'Anna K'");
    assert.match(confirm.stderr, /has no calibration "none"/);
    for (const file of ['/etc/svc/rig.env', '/etc/shadow', '/etc/svc/../shadow'])
      assert.is.not((await edit(file)).code, 0, file);
  },
  NO_LIMIT,
);

booted(
  'IMG-014 systemd-analyze security in the image rates each unit of the rig at 2.5 at most',
  async () => {
    const units = await output("systemctl list-unit-files --plain --no-legend 'svc-*.service'");
    const names = units.split('\n').map((line) => line.split(' ')[0] ?? '');
    assert.is(names.length, 7, units);
    for (const name of names) {
      const said = await output(`systemd-analyze security --no-pager ${name} | tail -n 1`);
      const level = Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
      process.stdout.write(`${name}: exposure ${level}\n`);
      assert.ok(level <= MOST_EXPOSED, said);
    }
  },
  NO_LIMIT,
);

const MOST_EXPOSED = 2.5;

booted(
  'IMG-012 no password works for any account, and root is not let in over SSH',
  async () => {
    const open = await output("awk -F: '$2 !~ /^[!*]/ {print $1}' /etc/shadow");
    assert.is(open, '');
    assert.is((await machine.runAs('operator', 'id -un')).stdout.trim(), 'operator');
    assert.is.not((await machine.runAs('root', 'true')).code, 0);
    const methods = await output(
      'sshd -T | grep -E "^(passwordauthentication|kbdinteractive|permitrootlogin|permitempty)"',
    );
    assert.equal(methods.split('\n').sort(), [
      'kbdinteractiveauthentication no',
      'passwordauthentication no',
      'permitemptypasswords no',
      'permitrootlogin no',
    ]);
  },
  NO_LIMIT,
);

booted(
  'the commands have manual pages, and a service of the rig is announced on the network',
  async () => {
    assert.match(
      (await machine.runAs('operator', 'man svcctl | cat')).stdout,
      /SVCCTL\(1\)[\s\S]*NAME[\s\S]*svcctl - /,
    );
    await output('test -s /usr/share/bash-completion/completions/svcctl');
    assert.match(await output('resolvectl mdns eth0'), /yes/);
    await output('test -s /etc/systemd/dnssd/svc-rig.dnssd');
  },
  NO_LIMIT,
);

booted(
  'IMG-011 a full data partition refuses new runs with place and remedy, and loses nothing',
  async () => {
    await output('echo kept >/var/lib/svc/kept && chown rig:svc /var/lib/svc/kept && sync');
    const free = await output('df --output=avail -B1 /data | tail -n 1');
    await output(
      `setpriv --reuid rig --regid rig --init-groups fallocate -l ${Number(free) - 65_536} /var/lib/svc/filler`,
    );
    const run = await machine.run(
      'svcctl run /opt/svc-rig/current/scenarios/valve-smoke.oql --record /var/lib/svc/runs',
    );
    await output('rm /var/lib/svc/filler');
    assert.is.not(run.code, 0);
    assert.match(`${run.stdout}${run.stderr}`, /room|space|full/i);
    assert.is(await output('cat /var/lib/svc/kept'), 'kept');
  },
  NO_LIMIT,
);

booted(
  'IMG-018 after a power cut the clock, the machine and its host key are those of before, under a new name',
  async () => {
    const identity = () => output('cat /etc/machine-id /data/etc/ssh/ssh_host_ed25519_key.pub');
    const [before, time] = [await identity(), Number(await output('date +%s'))];
    assert.ok(time > 1_700_000_000, String(time));
    // systemd-timesyncd writes the time down each minute.
    await output(`until [ "$(stat -c %Y /var/lib/systemd/timesync/clock)" -ge ${time} ]; do sleep 2; done`);
    const firmware = 'mount --options-source=mtab -o remount';
    await output(
      `${firmware},rw /boot/firmware && echo 'hostname = rig-lab' >>/boot/firmware/rig.txt && sync && ${firmware},ro /boot/firmware`,
    );
    // In the year 1970, as a Pi starts, which has no clock; nothing answers on the network.
    await output('sync');
    await machine.cutPower();
    await machine.boot({ qemuArguments: ['-rtc', 'base=1970-01-01T00:00:00'] });
    assert.is(await identity(), before);
    await machine.until('the new name is in force', async () => (await output('hostname')) === 'rig-lab');
    const after = Number(await output('date +%s'));
    assert.ok(after >= time, `${after} after ${time}`);
    assert.is(await output('timedatectl show -P NTPSynchronized'), 'no');
  },
  NO_LIMIT,
);

booted(
  'IMG-018 without any network the image starts to its end, and says its name',
  async () => {
    const alone = new ImageMachine(join(temporaryFolder('alone-'), 'machine'), {
      clock: systemClock,
      network: false,
    });
    try {
      await alone.boot();
      await alone.until('it asks for a login', async () => /rig-[0-9a-f]{4} login:/.test(alone.console));
      assert.not.match(alone.console.replaceAll('svc-safe-boot', ''), /FAILED.*svc-/);
    } finally {
      await alone.cutPower();
    }
  },
  NO_LIMIT,
);

booted(
  'IMG-019 the compressed image has at most 350 MB; boot time is printed',
  async () => {
    const file = builtImage().compressed;
    assert.ok(
      existsSync(file),
      `${file} is missing: "npm run image" makes it, with --uncompressed it does not`,
    );
    const compressed = statSync(file).size / 1e6;
    await machine.settled();
    process.stdout.write(
      `image ${compressed.toFixed(0)} MB; ${await output('systemd-analyze time | head -n 1')}\n`,
    );
    assert.ok(compressed <= MOST_COMPRESSED_MB, String(compressed));
  },
  NO_LIMIT,
);

const MOST_COMPRESSED_MB = 350;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

test.run();
