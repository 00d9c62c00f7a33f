import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { IoctlError } from './ioctl.ts';
import { lineErrors } from './line-errors.ts';

const test = suite('error counters of a serial port');

test('DIAG-042 counters stand where the kernel writes them', async () => {
  const load =
    async () =>
    (_fd: number, request: number, argument: Uint8Array = new Uint8Array()) => {
      assert.is(request, 0x545d);
      for (let index = 0; index < 11; index++)
        Buffer.from(argument.buffer, argument.byteOffset).writeInt32LE(100 + index, 4 * index);
    };
  assert.equal(await lineErrors(3, load), { frame: 106, overrun: 107, parity: 108, break: 109 });
});

test('DIAG-042 a driver that does not count is unknown, not 0', async () => {
  const load = async () => () => {
    throw new IoctlError('ENOTTY');
  };
  assert.is(await lineErrors(3, load), undefined);
});

test.run();
