import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { acquireLock, LockHeldError, type LockHolder } from '../../lib/lock/lock.ts';
import { suite } from '../../test-kit/suite.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { adcLockKey, DeviceLocks, LockedTransport } from './device-locks.ts';

const test = suite<{ folder: string }>('locks of the ADC devices', { folder: '' });
const holder = (service: string) => (): LockHolder => ({ service, pid: process.pid, port: 8214, since: 'x' });
const locksOf = (service: string) => new DeviceLocks({ identity: holder(service), clock: systemClock });

test.before.each((context) => {
  context.folder = realpathSync(mkdtempSync(join(tmpdir(), `adc-locks-${process.pid}-`)));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true }));

/** A serial port at a link that leads to `name`. */
function plugged(folder: string, name: string): string {
  const link = join(folder, 'by-id');
  writeFileSync(join(folder, name), '');
  try {
    unlinkSync(link);
  } catch {
    // It was not plugged in before.
  }
  symlinkSync(join(folder, name), link);
  return link;
}

test('keys are as documented; a twin’s socket is its own key, plugged in or not', ({ folder }) => {
  assert.is(adcLockKey('hid:04d8:00dd'), 'usb-hid-04d8-00dd');
  assert.is(adcLockKey('/dev/no-such-port'), 'serial-no-such-port');
  assert.is(adcLockKey(`serial:${folder}/tty9?baud=9600`), 'serial-tty9');
  mkdirSync(join(folder, 'bench'));
  symlinkSync(join(folder, 'bench'), join(folder, 'link'));
  const absent = adcLockKey(`bench:${folder}/link/usbhid.sock`);
  writeFileSync(join(folder, 'bench', 'usbhid.sock'), '');
  assert.is(adcLockKey(`bench:${folder}/link/usbhid.sock`), absent);
  assert.is(absent, `bench-${folder}/bench/usbhid.sock`);
});

test('a key is taken once, and no other caller gets it before the release', async () => {
  const [mine, other] = [locksOf('svc-adc-stack'), locksOf('svc-adc-uart')];
  const key = `serial-test-${process.pid}`;
  await mine.take(key);
  await mine.take(key);
  try {
    await other.take(key);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, LockHeldError);
    assert.match((error as Error).message, `${key} is held by svc-adc-stack (pid ${process.pid}, port 8214`);
  }
  await mine.releaseAll();
  await other.take(key);
  await other.releaseAll();
});

test('a port that came up under another real name is opened only under that name’s lock', async ({
  folder,
}) => {
  const [first, second] = [`tty-a-${process.pid}`, `tty-b-${process.pid}`];
  const link = plugged(folder, first);
  const locks = locksOf('svc-adc-uart');
  const pipe = new BytePipe({ address: link });
  const port = new LockedTransport(pipe, locks);
  await port.takeLock();
  assert.equal(locks.keys, [`serial-${first}`]);
  plugged(folder, second);
  const foreign = await acquireLock({ key: `serial-${second}`, identity: holder('svc-pump') });
  try {
    await port.open();
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, `serial-${second} is held by svc-pump`);
  }
  assert.not(pipe.isOpen);
  await foreign.release();
  await port.open();
  assert.ok(pipe.isOpen);
  assert.equal(locks.keys, [`serial-${second}`], 'the name that the device has left is free for others');
  await locks.releaseAll();
});

test('a path that could not be resolved keeps the lock of its given name beside that of its real one', async ({
  folder,
}) => {
  const link = join(folder, 'by-id');
  const locks = locksOf('svc-adc-uart');
  const port = new LockedTransport(new BytePipe({ address: link }), locks);
  await port.takeLock();
  assert.equal(locks.keys, ['serial-by-id']);
  plugged(folder, `tty-c-${process.pid}`);
  await port.open();
  assert.equal(locks.keys, ['serial-by-id', `serial-tty-c-${process.pid}`]);
  await locks.releaseAll();
});

test.run();
