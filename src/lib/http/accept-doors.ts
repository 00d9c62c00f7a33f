import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import { loadCFunction } from '../c-library.ts';

/** Connections taken in one pass of the event loop, besides the one of the server itself. */
const DOORS = 31;
/** `F_DUPFD_CLOEXEC` of <linux/fcntl.h>, the same on x64 and arm64: no child of this process keeps the port. */
const DUPLICATE_CLOSED_IN_CHILDREN = 1030;

/**
 * More doors to one listening socket. libuv takes one connection of a listening socket in each pass of the event loop, so
 * that a stop would wait behind hundreds of connections that came just before it for as many passes: seconds. Each
 * descriptor of the same socket takes one more.
 *
 * @param server listens already
 * @param backlog as it listens with
 * @returns closes the doors; the server itself is not closed
 * @throws Error where the C library cannot be called, or descriptors have run out: the server listens without doors
 */
export async function openDoors(server: Server, backlog: number): Promise<() => void> {
  const duplicate = await loadCFunction('int fcntl(int fd, int command, ...)');
  const doors: NetServer[] = [];
  const close = () => {
    for (const door of doors) door.close();
  };
  try {
    while (doors.length < DOORS) {
      // Asked each time: a server that was closed meanwhile has none.
      const { fd } = (server as unknown as { _handle: { fd: number } | null })._handle ?? { fd: -1 };
      const copy = duplicate(fd, DUPLICATE_CLOSED_IN_CHILDREN, 'int', 0);
      if (copy === -1) throw new Error(`no further descriptor of the listening socket: ${duplicate.errno()}`);
      // As node:http makes its own.
      const door = createServer({ allowHalfOpen: true, noDelay: true });
      door.on('connection', (socket) => server.emit('connection', socket));
      doors.push(door);
      await new Promise<void>((resolve, reject) => {
        // One that fails to take a connection does so once; the others take it.
        door.on('error', reject);
        door.listen({ fd: copy }, backlog, resolve);
      });
    }
  } catch (fault) {
    close();
    throw fault;
  }
  return close;
}
