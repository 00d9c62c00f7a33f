import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../lib/testing/suite.ts';

const test = suite('device rules of the appliance');
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const lines = read('udev/99-svc-rig.rules').split('\n');
const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));

const demanded = [
  'KERNEL=="hidraw*", ATTRS{idVendor}=="04d8", ATTRS{idProduct}=="00dd", MODE="0660", GROUP="plugdev"',
  'SUBSYSTEM=="usb", ATTRS{idVendor}=="04d8", ATTRS{idProduct}=="00dd", MODE="0660", GROUP="plugdev"',
  'SUBSYSTEM=="usb", ATTRS{idVendor}=="1ffb", MODE="0660", GROUP="plugdev"',
  'SUBSYSTEM=="tty", ATTRS{idVendor}=="1a86", MODE="0660", GROUP="dialout"',
];
for (const rule of demanded) {
  test(`DEV-041 the rule is shipped: ${rule}`, () => assert.ok(rules.includes(rule)));
}

test('DEV-041 every mode is 0660 with a group of the service account, and nothing is open to everybody', () => {
  for (const rule of rules) {
    const mode = /MODE:?="(\d+)"/.exec(rule)?.[1];
    const group = /GROUP:?="(\w+)"/.exec(rule)?.[1];
    assert.is(mode === undefined, group === undefined, rule);
    assert.ok(mode === undefined || mode === '0660', rule);
    assert.ok(group === undefined || ['plugdev', 'dialout', 'i2c', 'gpio'].includes(group), rule);
    assert.not.match(rule, /0666|uaccess|RUN[+:]?=/);
  }
});

test('each rule is well formed and explained by a line before it', () => {
  const term = /^[A-Z]+(\{[\w/]+\})?(==|=)"[^"]*"$/;
  for (const rule of rules) {
    for (const part of rule.split(', ')) assert.match(part, term);
    assert.match(lines[lines.indexOf(rule) - 1] ?? '', /^# .*\.$/);
  }
});

test('FTDI adapters get a latency of 1 ms', () => {
  assert.ok(rules.some((rule) => rule.includes('"ftdi_sio"') && rule.endsWith('ATTR{latency_timer}="1"')));
});

test('DEV-038 the kernel driver that takes hidraw away is not loaded on the appliance', () => {
  assert.match(read('rootfs/etc/modprobe.d/svc-rig.conf'), /^blacklist hid_mcp2221$/m);
});

test.run();
