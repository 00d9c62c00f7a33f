import { execFileSync } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { Card, PUBLIC_KEY, SERIAL } from './card.ts';

const KILLER = fileURLToPath(new URL('./kill-at-change.cjs', import.meta.url));
const SECRETS = ['so geheim wie nie', 'tokentokentoken-0123456789'];
const RIG_TEXT = `\ufeff# my rig\r
ssh_key = ${PUBLIC_KEY}\r
wifi_ssid = Werkstatt\r
wifi_passphrase = ${SECRETS[0]}\r
wifi_country = PL\r
timezone = Europe/Warsaw\r
profile = stack\r
token = ${SECRETS[1]}\r
pulse_gpio = 22\r
colour = red\r
`;

const toolsMissing = (): string | undefined => {
  const tools = ['sfdisk', 'mkfs.ext4', 'resize2fs', 'dumpe2fs', 'ssh-keygen'];
  const missing = tools.filter((tool) => {
    try {
      execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${tool}`], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length > 0
    ? `${missing.join(', ')} missing: apt-get install fdisk e2fsprogs openssh-client`
    : undefined;
};
const missing = toolsMissing();
const test = suite('svc-first-boot on a card');
const needs = test.needs(missing === undefined, missing ?? '');

async function onCard(work: (card: Card) => Promise<void>): Promise<void> {
  const card = new Card();
  try {
    await work(card);
  } finally {
    card.remove();
  }
}

/** What a started card has to be like, whatever happened on the way. */
function assertStarted(card: Card, about = ''): void {
  assert.is(card.text('data/etc/hostname'), 'rig-0042\n', about);
  assert.is(card.text('proc/sys/kernel/hostname'), 'rig-0042\n', about);
  assert.match(card.text('data/etc/machine-id'), /^[0-9a-f]{32}\n$/, about);
  const key = card.path('data/etc/ssh/ssh_host_ed25519_key');
  assert.is(statSync(key).mode & 0o777, 0o600, about);
  const made = execFileSync('ssh-keygen', ['-y', '-f', key], { encoding: 'utf8' }).split(' ')[1];
  assert.is(
    readFileSync(`${key}.pub`, 'utf8').split(' ')[1],
    made,
    `the two halves of the host key belong together ${about}`,
  );
  assert.is(card.text('home/operator/.ssh/authorized_keys'), `${PUBLIC_KEY}\n`, about);
  assert.match(card.text('etc/wpa_supplicant/wpa_supplicant-wlan0.conf'), 'country=PL');
  assert.is(card.text('etc/svc/profile'), 'stack\n');
  assert.is(card.text('etc/svc/rig.env'), `SVC_HARDWARE_MODE=real\nSVC_API_TOKEN=${SECRETS[1]}\n`, about);
  assert.is(readlinkSync(card.path('data/etc/localtime')), '/usr/share/zoneinfo/Europe/Warsaw');
  assert.match(
    card.text('boot/firmware/config.txt'),
    /^\[pi3\]\ndtoverlay=svc-pulse,gpio=22\n\[pi4\]\ndtoverlay=svc-pulse,gpio=22\n$/,
  );
  assert.is(card.dataBytes, card.tableSectors * 512, `the file system fills its partition ${about}`);
  assert.ok(card.dataBytes > 30 * 1024 * 1024, about);
  const text = card.text('boot/firmware/rig.txt');
  assert.is(Buffer.byteLength(text), Buffer.byteLength(RIG_TEXT), `no byte of the file has moved ${about}`);
  for (const secret of SECRETS) assert.not.match(text, secret);
  assert.match(card.text('boot/firmware/rig-report.txt'), 'line 10 "colour": colour is not a setting');
}

needs('IMG-012 the first start names the card, makes its keys, grows it, and applies rig.txt', () =>
  onCard(async (card) => {
    card.put('boot/firmware/rig.txt', RIG_TEXT);
    const { code, stderr } = await card.start();
    assert.is(code, 0, stderr);
    assertStarted(card);
    assert.match(stderr, 'rig.txt line 10: colour is not a setting');
    const report = card.text('boot/firmware/rig-report.txt');
    for (const secret of SECRETS) assert.not.match(report + stderr, secret);
    assert.match(report, 'Done\n  host name rig-0042');
    assert.match(report, 'A setting takes effect with the next start.');
    // The passphrase itself is nowhere on the card.
    assert.not.match(card.text('etc/wpa_supplicant/wpa_supplicant-wlan0.conf'), SECRETS[0] ?? '');
  }),
);

needs('IMG-012 a second start changes nothing, and a new rig.txt is applied once', () =>
  onCard(async (card) => {
    card.put('boot/firmware/rig.txt', RIG_TEXT);
    await card.start();
    const names = [
      'data/etc/machine-id',
      'data/etc/ssh/ssh_host_ed25519_key',
      'boot/firmware/rig-report.txt',
    ];
    const before = names.map((name) => [card.text(name), statSync(card.path(name)).mtimeMs]);
    const { code, stderr } = await card.start();
    assert.is(code, 0, stderr);
    assert.equal(
      names.map((name) => [card.text(name), statSync(card.path(name)).mtimeMs]),
      before,
    );
    assertStarted(card);
    card.put('boot/firmware/rig.txt', 'hostname = rig-lab\n');
    await card.start();
    assert.is(card.text('data/etc/hostname'), 'rig-lab\n');
    assert.match(card.text('boot/firmware/rig-report.txt'), 'hostname = rig-lab');
    assert.is(card.text('home/operator/.ssh/authorized_keys'), `${PUBLIC_KEY}\n`, 'nobody is locked out');
  }),
);

needs('IMG-012 a passphrase that was masked stays in force, for its own network only', () =>
  onCard(async (card) => {
    card.put('boot/firmware/rig.txt', RIG_TEXT);
    await card.start();
    const configuration = card.text('etc/wpa_supplicant/wpa_supplicant-wlan0.conf');
    const masked = card.text('boot/firmware/rig.txt');
    card.put('boot/firmware/rig.txt', masked.replace('colour = red', 'profile_ = x'));
    await card.start();
    assert.is(card.text('etc/wpa_supplicant/wpa_supplicant-wlan0.conf'), configuration);
    card.put('boot/firmware/rig.txt', masked.replace('Werkstatt', 'Labor-net'));
    await card.start();
    assert.is(card.text('etc/wpa_supplicant/wpa_supplicant-wlan0.conf'), configuration);
    assert.match(card.text('boot/firmware/rig-report.txt'), 'write it again');
  }),
);

needs('IMG-012 without rig.txt, and with broken ones, the card starts and nobody gets in', () =>
  onCard(async (card) => {
    const contents = [
      undefined,
      '',
      Buffer.alloc(1_000_000, 'a'),
      Buffer.from([0, 1, 2, 255]),
      `ssh_key = ${PUBLIC_KEY.slice(0, 50)}`,
    ];
    for (const content of contents) {
      if (content !== undefined) card.put('boot/firmware/rig.txt', content);
      const { code, stderr } = await card.start();
      assert.is(code, 0, stderr);
      assert.is(card.text('data/etc/hostname'), 'rig-0042\n');
      assert.not.ok(existsSync(card.path('home/operator/.ssh/authorized_keys')));
      if (content) assert.match(card.text('boot/firmware/rig-report.txt'), 'NOT APPLIED from rig.txt');
    }
  }),
);

const OTHER_SERIAL = '10000000aaaa9999';
/** A calibration that a person has confirmed, and one that nobody has. */
const CALIBRATED = `# sensors of this rig
sensors:
  ai01:
    calibration: { kind: linear, id: cal-nc, unit: mbar, scale: 100, offset: 0, due_at: 2099-01-01 } # nobody
  ai02:
    calibration:
      kind: linear
      id: cal-sc
      unit: mbar
      scale: 100
      offset: 0
      due_at: 2099-01-01
      confirmed_at: 2025-01-01T09:00:00Z
      confirmed_by: anna
`;

needs(
  'IMG-012 calibrations of a card that comes into another machine count no longer, until a person confirms them',
  () =>
    onCard(async (card) => {
      const report = () => card.text('boot/firmware/rig-report.txt');
      card.put('etc/svc/svc.yaml', CALIBRATED);
      chmodSync(card.path('etc/svc/svc.yaml'), 0o644);
      await card.start();
      assert.is(card.text('etc/svc/svc.yaml'), CALIBRATED);
      assert.not.match(report(), 'PROBLEMS');
      card.put('proc/device-tree/serial-number', `${OTHER_SERIAL}\0`);
      const { stderr } = await card.start();
      assert.match(report(), `used in the machine with serial ${SERIAL}, and this is ${OTHER_SERIAL}`);
      assert.match(report(), 'no run judges by the calibrations cal-sc until each is confirmed again');
      assert.match(stderr, 'svcctl calibration confirm ID --by NAME');
      assert.is(card.text('etc/svc/svc.yaml'), CALIBRATED.replace(/ +confirmed_.*\n/g, ''));
      assert.is(statSync(card.path('etc/svc/svc.yaml')).mode & 0o777, 0o644);
      assert.is(card.text('data/etc/hostname'), 'rig-0042\n');
      // Confirmed here, it stays so; back in the first machine it does not.
      card.put('etc/svc/svc.yaml', CALIBRATED);
      await card.start();
      assert.is(card.text('etc/svc/svc.yaml'), CALIBRATED);
      assert.not.match(report(), 'PROBLEMS');
      card.put('proc/device-tree/serial-number', `${SERIAL}\0`);
      await card.start();
      assert.not.match(card.text('etc/svc/svc.yaml'), 'confirmed_at');
    }),
);

needs('IMG-012 where svc.yaml cannot be changed in another machine, each start tries it again', () =>
  onCard(async (card) => {
    card.put('etc/svc/svc.yaml', CALIBRATED);
    await card.start();
    card.put('proc/device-tree/serial-number', `${OTHER_SERIAL}\0`);
    card.put('etc/svc/svc.yaml', CALIBRATED.replace('scale: 100', 'scale: many'));
    await card.start();
    assert.match(card.text('boot/firmware/rig-report.txt'), 'its calibrations still count');
    card.put('etc/svc/svc.yaml', CALIBRATED);
    await card.start();
    assert.not.match(card.text('etc/svc/svc.yaml'), 'confirmed_at');
  }),
);

needs(
  'IMG-012 a stamp that cannot be read counts as another machine, until the calibrations are withdrawn',
  () =>
    onCard(async (card) => {
      const stamp = 'data/svc-rig/first-boot-stamp.json';
      card.put('etc/svc/svc.yaml', CALIBRATED);
      await card.start();
      card.put(stamp, '{"serial":');
      card.put('etc/svc/svc.yaml', CALIBRATED.replace('scale: 100', 'scale: many'));
      await card.start();
      assert.match(card.text('boot/firmware/rig-report.txt'), 'its calibrations still count');
      card.put('etc/svc/svc.yaml', CALIBRATED);
      await card.start();
      assert.match(
        card.text('boot/firmware/rig-report.txt'),
        'not known in which machine this card was used',
      );
      assert.not.match(card.text('etc/svc/svc.yaml'), 'confirmed_at');
      assert.is(JSON.parse(card.text(stamp)).serial, SERIAL);
    }),
);

needs(
  'IMG-012 a setting that failed for a reason that passes is applied at the next start, and nothing is lost',
  () =>
    onCard(async (card) => {
      // A folder in the place of a file that cannot be read: the error of a card that fails once is as good as this one.
      rmSync(card.path('etc/svc/rig.env'));
      mkdirSync(card.path('etc/svc/rig.env'));
      card.put('boot/firmware/rig.txt', RIG_TEXT);
      await card.start();
      assert.match(card.text('boot/firmware/rig-report.txt'), 'token is not applied');
      assert.match(
        card.text('boot/firmware/rig.txt'),
        SECRETS[1] ?? '',
        'what is not in force stays in the file',
      );
      rmSync(card.path('etc/svc/rig.env'), { recursive: true });
      card.put('etc/svc/rig.env', 'SVC_HARDWARE_MODE=real\n');
      await card.start();
      assertStarted(card);
    }),
);

needs('IMG-012 a secret that begins with * is a secret, and one of * alone needs one that is in force', () =>
  onCard(async (card) => {
    const [token, passphrase] = ['*0123456789abcdef', '** drei Sterne'];
    card.put('boot/firmware/rig.txt', `wifi_ssid = A\nwifi_passphrase = ${passphrase}\ntoken = ${token}\n`);
    await card.start();
    assert.match(card.text('etc/svc/rig.env'), `SVC_API_TOKEN=${token}\n`);
    assert.not.match(card.text('boot/firmware/rig.txt'), /[0-9a-f]{4}|drei/);
    const psk = pbkdf2Sync(passphrase, 'A', 4096, 32, 'sha1').toString('hex');
    assert.match(card.text('etc/wpa_supplicant/wpa_supplicant-wlan0.conf'), `psk=${psk}`);
    card.put('etc/svc/rig.env', 'SVC_HARDWARE_MODE=real\n');
    card.put('boot/firmware/rig.txt', 'token = ****************\n');
    await card.start();
    assert.match(
      card.text('boot/firmware/rig-report.txt'),
      'token is not applied: it was removed from this file',
    );
  }),
);

needs('IMG-012 an image for another machine, and a machine for which it has no overlays, are reported', () =>
  onCard(async (card) => {
    card.put('proc/device-tree/compatible', 'raspberrypi,5-model-b\0brcm,bcm2712\0');
    card.put('proc/device-tree/model', 'Raspberry Pi 5 Model B Rev 1.0\0');
    await card.start();
    assert.match(
      card.text('boot/firmware/rig-report.txt'),
      /Pi 5 Model B Rev 1.0 has neither the UART .* use a Raspberry Pi 3, 4 or Zero 2 W/,
    );
    card.put('proc/device-tree/compatible', 'hardkernel,odroid-c4\0');
    card.put('proc/device-tree/model', 'ODROID-C4\0');
    await card.start();
    assert.match(card.text('boot/firmware/rig-report.txt'), 'this machine is ODROID-C4');
  }),
);

needs('IMG-012 without a data partition nothing is removed from rig.txt, and the keys are taken', () =>
  onCard(async (card) => {
    card.put('run/svc-rig-no-data', '');
    card.put('boot/firmware/rig.txt', RIG_TEXT);
    await card.start();
    assert.is(card.text('boot/firmware/rig.txt'), RIG_TEXT);
    assert.is(card.text('home/operator/.ssh/authorized_keys'), `${PUBLIC_KEY}\n`);
    assert.match(card.text('boot/firmware/rig-report.txt'), 'the data partition cannot be mounted');
  }),
);

needs(
  'IMG-012 a power cut at any change of the first start: the next one completes it',
  async () => {
    let kills = 0;
    for (let at = 1; ; at++) {
      const card = new Card();
      try {
        card.put('boot/firmware/rig.txt', RIG_TEXT);
        const cut = await card.start({ NODE_OPTIONS: `--require=${KILLER}`, KILL_AT: String(at) });
        if (cut.signal !== 'SIGKILL') {
          assert.is(cut.code, 0, cut.stderr);
          break;
        }
        kills += 1;
        const before = existsSync(card.path('data/etc/machine-id'))
          ? card.text('data/etc/machine-id')
          : undefined;
        const { code, stderr } = await card.start();
        assert.is(code, 0, stderr);
        assertStarted(card, `after a cut at change ${at}`);
        if (before !== undefined) assert.is(card.text('data/etc/machine-id'), before, 'the machine id stays');
        execFileSync('e2fsck', ['-fn', card.path('dev/mmcblk0p4')], { stdio: 'pipe' });
      } finally {
        card.remove();
      }
    }
    process.stdout.write(`${kills} cuts, each survived\n`);
    assert.ok(kills > 40, String(kills));
  },
  { timeoutMs: 600_000 },
);

test.run();
