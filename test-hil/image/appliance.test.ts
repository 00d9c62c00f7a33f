import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { imageMissing } from './machine/built-image.ts';
import { ImageMachine } from './machine/image-machine.ts';

const test = suite('the image in an emulated machine');
const missing = imageMissing();
const booted = test.needs(missing === undefined, missing ?? '');
/** An emulated machine beside other work is slow. */
const SLOW = { timeoutMs: 30 * 60_000 };

let machine: ImageMachine;

test.before(async () => {
  if (missing !== undefined) return;
  machine = new ImageMachine(join(temporaryFolder('image-'), 'machine'), { clock: systemClock });
  await machine.boot();
}, SLOW);

test.after(() => machine?.cutPower(), SLOW);

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
  SLOW,
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
  SLOW,
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
      assert.match(await source(folder), /^\/dev\/vda4\[.*\] +ext4$/, folder);
    for (const folder of ['/var/log', '/tmp', '/var/tmp', '/run'])
      assert.match(await source(folder), /^tmpfs +tmpfs$/, folder);
    assert.match(await output('cat /etc/machine-id'), /^[0-9a-f]{32}$/);
  },
  SLOW,
);

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

test.run();
