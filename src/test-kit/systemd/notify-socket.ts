import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadCFunction } from '../../lib/c-library.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { temporaryFolder } from '../end-with-parent.ts';

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;
const POLL_MS = 10;

/** The socket of a service manager, as systemd passes it to a unit of `Type=notify`. */
export class NotifySocket {
  /** Value of NOTIFY_SOCKET. */
  readonly name: string;
  /** Datagrams in the order of their arrival, as far as they were taken. */
  readonly received: string[] = [];
  readonly #take: () => string | undefined;
  readonly #close: () => void;

  static async open(name?: string): Promise<NotifySocket> {
    const [socket, bind, recv, close] = await Promise.all([
      loadCFunction('int socket(int domain, int type, int protocol)'),
      loadCFunction('int bind(int fd, const void *address, unsigned int size)'),
      loadCFunction('intptr_t recv(int fd, void *bytes, size_t size, int flags)'),
      loadCFunction('int close(int fd)'),
    ]);
    const folder = temporaryFolder('notify-');
    const path = name ?? join(folder, 'notify.sock');
    const address = Buffer.alloc(2 + Buffer.byteLength(path) + (path.startsWith('@') ? 0 : 1));
    address.writeUInt16LE(AF_UNIX);
    address.write(path.replace(/^@/, '\0'), 2);
    const fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (bind(fd, address, address.byteLength) !== 0) throw new Error(`cannot bind ${path}: ${bind.errno()}`);
    const take = () => {
      const bytes = Buffer.alloc(4096);
      const size = Number(recv(fd, bytes, bytes.byteLength, MSG_DONTWAIT));
      return size < 0 ? undefined : bytes.toString('utf8', 0, size);
    };
    const end = () => {
      close(fd);
      rmSync(folder, { recursive: true, force: true });
    };
    return new NotifySocket(path, take, end);
  }

  private constructor(name: string, take: () => string | undefined, close: () => void) {
    this.name = name;
    this.#take = take;
    this.#close = close;
  }

  /** Takes what has arrived. @returns how often `text` has arrived so far */
  count(text: string): number {
    for (let datagram = this.#take(); datagram !== undefined; datagram = this.#take())
      this.received.push(datagram);
    return this.received.filter((one) => one === text).length;
  }

  /** Resolves when `text` has arrived `times` times. The test's own time-out bounds it. */
  async until(text: string, times = 1): Promise<void> {
    while (this.count(text) < times) await systemClock.sleep(POLL_MS);
  }

  close(): void {
    this.#close();
  }
}
