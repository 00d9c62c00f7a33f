import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../test-kit/suite.ts';

const test = suite('device rules of the appliance');
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const lines = read('udev/99-svc-rig.rules').split('\n');
const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));

/** Vendors of the serial adapters: CH340, FTDI, CP210x, PL2303. */
const SERIAL_CHIPS = ['1a86', '0403', '10c4', '067b'];

const demanded = [
  'KERNEL=="hidraw*", ATTRS{idVendor}=="04d8", ATTRS{idProduct}=="00dd", MODE="0660", GROUP="plugdev"',
  'SUBSYSTEM=="usb", ATTRS{idVendor}=="04d8", ATTRS{idProduct}=="00dd", MODE="0660", GROUP="plugdev"',
  'SUBSYSTEM=="usb", ATTRS{idVendor}=="1ffb", MODE="0660", GROUP="plugdev"',
  ...SERIAL_CHIPS.map((vid) => `SUBSYSTEM=="tty", ATTRS{idVendor}=="${vid}", MODE="0660", GROUP="dialout"`),
];
for (const rule of demanded) {
  test(`DEV-041 DEV-060 the rule is shipped: ${rule}`, () => assert.ok(rules.includes(rule)));
}

test('DEV-041 every mode is 0660 with a group of the service account, and nothing is open to all users', () => {
  for (const rule of rules) {
    const mode = /MODE:?="(\d+)"/.exec(rule)?.[1];
    const group = /GROUP:?="(\w+)"/.exec(rule)?.[1];
    assert.is(mode === undefined, group === undefined, rule);
    assert.ok(mode === undefined || mode === '0660', rule);
    assert.ok(group === undefined || ['plugdev', 'dialout', 'i2c', 'gpio'].includes(group), rule);
    assert.not.match(rule, /0666|uaccess/);
    // Attributes of sysfs have no GROUP: the pulse output is the one whose group a program has to set.
    if (!rule.includes('KERNEL=="svc-pulse"')) assert.not.match(rule, /RUN[+:]?=/);
    for (const [, command] of rule.matchAll(/RUN\+="([^"]*)"/g))
      assert.match(
        command ?? '',
        /^\/usr\/bin\/(chgrp gpio|chmod g\+w) \/sys%p\/brightness \/sys%p\/trigger$/,
      );
  }
});

test('each rule is well formed and explained by a line before it', () => {
  const term = /^[A-Z]+(\{[\w/]+\})?(==|!=|\+=|=)"[^"]*"$/;
  for (const rule of rules) {
    for (const part of rule.split(', ')) assert.match(part, term);
    assert.match(lines[lines.indexOf(rule) - 1] ?? '', /^# .*\.$/);
  }
});

test('DEV-058 ModemManager is kept away from every adapter of the rig, as USB device and as tty', () => {
  const ignoring = rules.filter((rule) => rule.endsWith('ENV{ID_MM_DEVICE_IGNORE}="1"'));
  for (const subsystem of ['usb', 'tty'])
    for (const vid of [...SERIAL_CHIPS, '04d8', '1ffb'])
      assert.ok(
        ignoring.some(
          (rule) =>
            matchOf(rule, 'SUBSYSTEM').includes(subsystem) &&
            matchOf(rule, 'ATTRS{idVendor}').includes(vid) &&
            !rule.includes('idProduct'),
        ),
        `${subsystem} of ${vid}`,
      );
});

/** The values that a rule compares a key with; none when it does not. */
function matchOf(rule: string, key: string): string[] {
  const term = rule.split(', ').find((part) => part.startsWith(`${key}==`));
  return term?.split('"')[1]?.split('|') ?? [];
}

test('FTDI adapters get a latency of 1 ms', () => {
  assert.ok(rules.some((rule) => rule.includes('"ftdi_sio"') && rule.endsWith('ATTR{latency_timer}="1"')));
});

test('DEV-038 the kernel driver that takes hidraw away is not loaded on the appliance', () => {
  assert.match(read('rootfs/etc/modprobe.d/svc-rig.conf'), /^blacklist hid_mcp2221$/m);
});

test.run();
