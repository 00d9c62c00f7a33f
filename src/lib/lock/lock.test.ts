import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { acquireLock, type LockHeldError, type LockHolder } from './lock.ts';
import { hidLockKey, i2cLockKey, lockAddress, serialLockKey, usbLockKey } from './lock-key.ts';
import { isTrustedListener, listenerPid } from './lock-listener.ts';

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

const isRoot = process.getuid?.() === 0;
test.needs(isRoot, 'only root can start a program under another account')(
  'SVC-065 a lock held by another account is refused as an owner, whatever it says of itself',
  async () => {
    const address = JSON.stringify(lockAddress(key('foreign')));
    const says = JSON.stringify(JSON.stringify({ ...ME, service: 'svc-guard' }));
    const script = `require('net').createServer((s) => s.end(${says})).listen(${address}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      uid: 65_534,
      cwd: '/',
    });
    try {
      await once(child.stdout, 'data');
      const error = await heldError('foreign');
      assert.equal([error.code, error.holder, error.isForeign], ['held_by_other', null, true]);
      assert.match(
        error.message,
        'is held by a program of another account, which is not an owner of this rig',
      );
      assert.not.match(error.message, 'svc-guard');
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  },
);

test('SVC-065 a holder that is killed while it answers is no other account: the lock is free', async () => {
  const address = JSON.stringify(lockAddress(key('answers')));
  const says = JSON.stringify(JSON.stringify(ME));
  const script = `require('net').createServer((s) => s.write(${says}, () => process.kill(process.pid, 'SIGKILL')))
    .listen(${address}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await (await take('answers')).release();
});

test('SVC-065 whose lock it is follows from the kernel, not from what is said', async () => {
  const lock = await take('uid');
  const address = lockAddress(key('uid'));
  const uid = process.getuid?.() ?? 0;
  assert.is(listenerPid(address), process.pid);
  assert.ok(isTrustedListener(address, process.pid, uid));
  assert.not.ok(isTrustedListener(address, process.pid, uid + 1), 'another account asks');
  assert.ok(isTrustedListener(address, process.pid, 0), 'root asks');
  await lock.release();
  assert.not.ok(isTrustedListener(address, process.pid, uid), 'no process listens');
});

test('SVC-065 the text of a holder has no control characters', async () => {
  const service = 'svc-\u001b[2J\u0007evil\n\u202e';
  const lock = await acquireLock({ key: key('text'), identity: () => ({ ...ME, service }) });
  const { message, holder } = await heldError('text');
  assert.is(holder?.service, 'svc-?[2J?evil??');
  assert.not.match(message, /\p{C}/u);
  await lock.release();
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
