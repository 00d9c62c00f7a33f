import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../testing/suite.ts';
import { acquireLock, type LockHeldError, type LockHolder } from './lock.ts';
import { hidLockKey, i2cLockKey, lockAddress, serialLockKey, usbLockKey } from './lock-key.ts';

const test = suite('lock');
const ME: LockHolder = {
  service: 'svc-test',
  pid: process.pid,
  port: 8202,
  since: '2025-01-15T10:00:00.000Z',
};
const key = (name: string) => `test-${process.pid}-${name}`;
const take = (name: string) => acquireLock({ key: key(name), identity: () => ME });

async function heldError(name: string): Promise<LockHeldError> {
  try {
    await (await take(name)).release();
  } catch (error) {
    return error as LockHeldError;
  }
  throw new Error('the lock was free');
}

test('a second owner fails with the identity of the holder', async () => {
  const lock = await take('second');
  const error = await heldError('second');
  assert.is(error.code, 'held_by_other');
  assert.equal(error.holder, ME);
  assert.match(
    error.message,
    `is held by svc-test (pid ${process.pid}, port 8202, since 2025-01-15T10:00:00.000Z)`,
  );
  await lock.release();
  await (await take('second')).release();
});

test('the holder answers a connection with its identity', async () => {
  const lock = await take('answer');
  const socket = connect(lockAddress(key('answer')));
  const [data] = (await once(socket, 'data')) as [Buffer];
  assert.equal(JSON.parse(data.toString()), ME);
  await lock.release();
});

test('SVC-026 SIGKILL of the holder frees the lock', async () => {
  const address = JSON.stringify(lockAddress(key('killed')));
  const script = `require('net').createServer((s) => s.end('{"service":"victim","pid":1,"port":null,"since":"x"}')).listen(${address}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  assert.is((await heldError('killed')).holder?.service, 'victim');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await take('killed')).release();
});

test('a holder that does not say who it is still holds the lock', async () => {
  const mute = createServer(() => {}).listen(lockAddress(key('mute')));
  await once(mute, 'listening');
  const error = await heldError('mute');
  assert.is(error.code, 'held_by_other');
  assert.is(error.holder, null);
  mute.close();
});

test('keys come from real paths, an unresolved path keeps its name', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-lock-'));
  try {
    writeFileSync(join(dir, 'ttyACM1'), '');
    symlinkSync(join(dir, 'ttyACM1'), join(dir, 'usb-1a86-if00'));
    assert.is(serialLockKey(join(dir, 'usb-1a86-if00')), 'serial-ttyACM1');
    assert.is(serialLockKey(join(dir, 'not-there')), 'serial-not-there');
    assert.is(i2cLockKey('/dev/i2c-1', 0x48), 'i2c-1-0x48');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a link to a pseudo-terminal is its own key: the number behind it changes at each plug', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'lock-')));
  try {
    symlinkSync('/dev/pts/ptmx', join(dir, 'pump'));
    assert.is(serialLockKey(join(dir, 'pump')), `serial-${dir}/pump`);
    assert.is(serialLockKey('/dev/pts/ptmx'), 'serial-ptmx');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('USB keys carry both ids in four hex digits', () => {
  assert.is(usbLockKey(0x1ffb, 0x00c9), 'usb-1ffb-00c9');
  assert.is(hidLockKey(0x04d8, 0x00dd), 'usb-hid-04d8-00dd');
});

test('addresses are padded with NUL to 108 bytes, and long keys stay apart', () => {
  assert.is(Buffer.byteLength(lockAddress('usb-1ffb-00c9')), 108);
  assert.ok(lockAddress('usb-1ffb-00c9').startsWith('\0svc-lock/usb-1ffb-00c9\0'));
  const long = 'serial-'.padEnd(150, 'x');
  assert.is(Buffer.byteLength(lockAddress(`${long}1`)), 108);
  assert.is.not(lockAddress(`${long}1`), lockAddress(`${long}2`));
});

test.run();
