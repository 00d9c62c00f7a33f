import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { acquireLock, type LockHolder } from '../../lib/lock/lock.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { suite } from '../../test-kit/suite.ts';
import { runtimeFolder } from '../start/runtime-folder.ts';
import { askLocks, lockOwner } from './observe.ts';
import { type ProfileReport, reportLines } from './report-profile.ts';
import { profilePath, readProfile, readSettings } from './rig-files.ts';

const path = mkdtempSync(join(tmpdir(), 'observe-'));
const folder = runtimeFolder('/', path, '/');
const test = suite('what a rig tells of itself');
test.after(() => rmSync(path, { recursive: true, force: true }));

const settings = { USBADC_ADDRESS: `bench:${path}/hid.sock`, UARTADC_SERIAL_PORT: `${path}/uart` };
const hidKey = `bench-${path}/hid.sock`;
const ME: LockHolder = {
  service: 'svc-adc-usb',
  pid: process.pid,
  port: 8212,
  since: '2025-01-15T10:00:00.000Z',
};

test('the locks themselves say who holds them', async () => {
  const lock = await acquireLock({ key: hidKey, identity: () => ME });
  const [hid, uart] = await askLocks(settings, systemClock);
  await lock.release();
  assert.equal([hid?.device, hid?.holder, hid?.pid], ['HID chip', ME, process.pid]);
  assert.equal([uart?.device, uart?.holder, uart?.pid], ['UART module', undefined, undefined]);
});

test('of a holder that does not answer the kernel knows the pid', async () => {
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(lockAddress(hidKey), resolve));
  const [hid] = await askLocks(settings, systemClock);
  mute.close();
  assert.equal([hid?.holder, hid?.pid], ['silent', process.pid]);
});

test('no one owns a lock that is free, also one whose name begins alike', async () => {
  const lock = await acquireLock({ key: `${hidKey}2`, identity: () => ME });
  assert.is(lockOwner(hidKey), undefined);
  assert.is(lockOwner(`${hidKey}2`), process.pid);
  await lock.release();
});

test("settings are read as PM2's file reads them", () => {
  assert.equal(readSettings(folder), {}, 'no file, no settings');
  writeFileSync(folder.settings, '# comment\nSVC_STATE_DIR=/a b=c\nlower=1\nUSBADC_BACKEND=\n  SVC_X=1\n');
  assert.equal(readSettings(folder), { SVC_STATE_DIR: '/a b=c', USBADC_BACKEND: '' });
});

test('the profile file is the one of the folder, or the one that rig.env names', () => {
  assert.is(profilePath(folder, {}), join(path, 'profile'));
  assert.is(profilePath(folder, { RIG_PROFILE_FILE: '/etc/svc/profile' }), '/etc/svc/profile');
  assert.is(readProfile(folder.profile), undefined);
  writeFileSync(folder.profile, 'standalone\n');
  assert.is(readProfile(folder.profile), 'standalone');
  writeFileSync(folder.profile, 'both\n');
  assert.throws(() => readProfile(folder.profile), /contains "both", which is not a profile/);
});

test('a report names mismatch and remedy', () => {
  const report: ProfileReport = {
    ok: false,
    profile: 'stack',
    file: '/run/rig/profile',
    supervisor: 'running',
    services: [{ name: 'svc-adc-usb', pid: 7, supervised: false }],
    locks: [{ device: 'HID chip', keys: ['x'], holder: 'silent', pid: null }],
    mismatches: ['svc-adc-stack does not run (not started)'],
  };
  assert.equal(reportLines(report), [
    'profile      stack (svc-adc-stack)',
    'file         /run/rig/profile',
    'supervisor   PM2 is running',
    'runs         svc-adc-usb (pid 7)',
    'HID chip     held by a program that does not answer',
    'mismatch     svc-adc-stack does not run (not started)',
    'remedy       svcctl profile stack brings the rig to that profile',
  ]);
});

test.run();
