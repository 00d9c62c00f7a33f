import { read } from 'node:fs';

/** What is used here of an open port of serialport's Linux binding. */
interface LinuxPort {
  fd: number | null;
  readonly isOpen: boolean;
  readonly poller: { once(event: 'readable', listener: (fault: Error | null) => void): unknown };
  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }>;
}

interface Binding {
  open(options: unknown): Promise<unknown>;
}

/**
 * serialport's binding with the end of a port made visible. On Linux a pulled plug (a hang-up) makes every read
 * return 0 bytes at once. serialport 13 takes that for "nothing yet" and reads again, for ever and at full speed; it
 * never says that the port is gone. In non-blocking raw mode 0 bytes mean nothing else.
 */
export function noticingHangUp<B extends Binding>(binding: B): B {
  const open = async (options: unknown) => {
    const port = await binding.open(options);
    if (isLinuxPort(port)) port.read = (buffer, offset, length) => readOnce(port, buffer, offset, length);
    return port;
  };
  return Object.assign(Object.create(binding) as B, { open });
}

async function readOnce(port: LinuxPort, buffer: Buffer, offset: number, length: number) {
  for (;;) {
    const { fd } = port;
    if (!port.isOpen || fd === null) throw Object.assign(new Error('Port is not open'), { canceled: true });
    const bytesRead = await readAvailable(fd, buffer, offset, length);
    if (bytesRead === 0) throw new Error('hung up (the plug was pulled, or the other side is gone)');
    if (bytesRead !== undefined) return { buffer, bytesRead };
    if (!port.isOpen) continue;
    await new Promise<void>((resolve, reject) => {
      port.poller.once('readable', (fault) => (fault ? reject(fault) : resolve()));
    });
  }
}

/** @returns undefined when there is nothing to read now */
function readAvailable(
  fd: number,
  buffer: Buffer,
  offset: number,
  length: number,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, offset, length, null, (fault, bytesRead) => {
      if (!fault) resolve(bytesRead);
      else if (fault.code === 'EAGAIN' || fault.code === 'EINTR') resolve(undefined);
      else reject(fault);
    });
  });
}

function isLinuxPort(port: unknown): port is LinuxPort {
  return typeof port === 'object' && port !== null && 'fd' in port && 'poller' in port && 'read' in port;
}
