import { loadCFunction } from '../../lib/c-library.ts';

/** Requests of <asm-generic/ioctls.h>; the same on x64 and arm64. */
export const TIOCEXCL = 0x540c;
export const TIOCNXCL = 0x540d;
export const TIOCGRS485 = 0x542e;
export const TIOCSRS485 = 0x542f;
/** Reads struct termios2. */
export const TCGETS2 = 0x802c542a;

/** Calls ioctl(2) on an open descriptor. `argument` is what the kernel reads and may change. @throws IoctlError */
export type Ioctl = (fd: number, request: number, argument?: Uint8Array) => void;

/** The kernel refused a request. */
export class IoctlError extends Error {
  /** Name of the error, for example `ENOTTY`. */
  readonly errno: string;

  constructor(errno: string) {
    super(errno);
    this.errno = errno;
  }
}

/**
 * Loads ioctl(2) at its first use; Node and serialport have no way to it.
 *
 * @throws Error naming the package koffi, where it is absent or does not load
 */
export function loadIoctl(): Promise<Ioctl> {
  loading ??= load();
  return loading;
}

let loading: Promise<Ioctl> | undefined;

async function load(): Promise<Ioctl> {
  const call = await loadCFunction('int ioctl(int fd, unsigned long request, void *argument)');
  return (fd, request, argument = new Uint8Array()) => {
    if (call(fd, request, argument) === -1) throw new IoctlError(call.errno());
  };
}
