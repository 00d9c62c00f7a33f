import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type LinuxPort, receiveFrom } from './hang-up.ts';

const test = suite("receiving from serialport's poller");

/** A port whose poller throws from its `throwsFrom`-th wait on, as uv_poll_start does for a descriptor it cannot watch. */
function pollerThatThrows(throwsFrom: number) {
  let waits = 0;
  let ready: ((fault: null) => void) | undefined;
  const port: LinuxPort = {
    fd: null,
    isOpen: true,
    poller: {
      once: (_event, listener) => {
        waits += 1;
        if (waits >= throwsFrom) throw new Error('EBADF: bad file descriptor, poll');
        ready = listener;
        return undefined;
      },
    },
  };
  return { port, becomeReadable: () => ready?.(null) };
}

for (const [throwsFrom, when] of [
  [1, 'at the first wait'],
  [2, 'in the callback of the poller'],
] as const)
  test(`DEV-051 an exception of the poller ${when} is the end of the port, not of the process`, () => {
    const { port, becomeReadable } = pollerThatThrows(throwsFrom);
    const ends: string[] = [];
    receiveFrom(
      port,
      () => {},
      (cause) => ends.push(cause.message),
    );
    becomeReadable();
    assert.equal(ends, ['EBADF: bad file descriptor, poll']);
  });

test.run();
