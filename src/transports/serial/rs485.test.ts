import { open as openTerminal } from '@lydell/node-pty';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { terminal } from '../../test-kit/transports/terminal.ts';
import { openByteTransport, type TransportError } from '../index.ts';
import { type Ioctl, IoctlError, TIOCGRS485, TIOCSRS485 } from './ioctl.ts';
import { type Rs485, setRs485 } from './rs485.ts';

const test = suite('RS-485 mode of a serial port');
const rs485: Rs485 = { active: 'high', delayBeforeMs: 0, delayAfterMs: 0 };
const port = { address: 'serial:/dev/ttyAMA0', path: '/dev/ttyAMA0', fd: 9 };

async function faultOf(promise: Promise<unknown>): Promise<TransportError> {
  try {
    await promise;
  } catch (error) {
    return error as TransportError;
  }
  throw new Error('it was taken');
}

/** A driver that keeps its settings, changed by `change`. */
function driver(change: (bytes: Buffer) => void = () => {}) {
  const kept = Buffer.alloc(32);
  const ioctl: Ioctl = (fd, request, argument = new Uint8Array()) => {
    assert.is(fd, 9);
    if (request === TIOCSRS485) {
      kept.set(argument);
      change(kept);
      argument.set(kept);
    } else if (request === TIOCGRS485) argument.set(kept);
    else throw new IoctlError('ENOTTY');
  };
  return { kept, load: async () => ioctl };
}

for (const [active, flags] of [
  ['high', 0b011],
  ['low', 0b101],
] as const) {
  test(`DEV-058 the kernel gets RTS ${active} while sending, and both delays`, async () => {
    const { kept, load } = driver();
    await setRs485(port, { active, delayBeforeMs: 1, delayAfterMs: 2 }, load);
    assert.equal([...new Uint32Array(new Uint8Array(kept).buffer)], [flags, 1, 2, 0, 0, 0, 0, 0]);
  });
}

for (const [what, change, told] of [
  ['the mode', (bytes: Buffer) => bytes.writeUInt32LE(0, 0), 'mode: wanted 3, reads 0'],
  ['a delay', (bytes: Buffer) => bytes.writeUInt32LE(0, 8), 'delay after, ms: wanted 2, reads 0'],
] as const) {
  test(`DEV-058 a driver that changes ${what} without an error is refused by the read-back`, async () => {
    const { load } = driver(change);
    const error = await faultOf(setRs485(port, { ...rs485, delayAfterMs: 2 }, load));
    assert.is(error.code, 'port_failed');
    assert.match(
      error.message,
      `cannot set the RS-485 mode of /dev/ttyAMA0: its driver did not take it (${told}); remove rs485`,
    );
  });
}

for (const [errno, why] of [
  ['EINVAL', 'its driver refuses these settings (EINVAL)'],
  ['EPERM', 'this user may not set it (EPERM)'],
  ['EIO', 'the kernel refuses it (EIO)'],
] as const) {
  test(`DEV-058 ${errno} is refused with its meaning`, async () => {
    const load = async (): Promise<Ioctl> => () => {
      throw new IoctlError(errno);
    };
    assert.match((await faultOf(setRs485(port, rs485, load))).message, why);
  });
}

test('DEV-058 a port without RS-485 mode is refused with a remedy, closed, and opens without the setting', async () => {
  const pty = terminal(openTerminal);
  try {
    const error = await faultOf(openByteTransport(pty.path, { baud: 19_200, rs485 }).open());
    assert.is(error.code, 'port_failed');
    assert.match(
      error.message,
      `cannot set the RS-485 mode of ${pty.path}: its driver has no such mode (ENOTTY); remove rs485`,
    );
    const without = openByteTransport(pty.path, { baud: 19_200 });
    await without.open();
    await without.close();
  } finally {
    await pty.pull();
  }
});

test.run();
