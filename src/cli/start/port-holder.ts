import { createServer } from 'node:net';
import { linksOf, processIds, readProc } from '../../lib/proc.ts';
import { inUseError, startError } from './start-error.ts';

/**
 * Proves that a port of 127.0.0.1 can be taken. @param what whose port it is, and `option` how to choose another one
 * @throws CliError `port_in_use`, exit code 75, naming the holder
 */
export async function requireFreePort(port: number, what: string, option: string): Promise<void> {
  const fault = await tryPort(port);
  if (fault === undefined) return;
  const place = `port ${port} of ${what}`;
  if (fault.code !== 'EADDRINUSE')
    throw startError(
      'port_refused',
      `${place} cannot be taken: ${fault.message}; give ${option} another one`,
    );
  const message = `${place} is held by ${holderOf(port) ?? 'a program of another user'}: stop it, or give ${option} another one`;
  throw inUseError('port_in_use', message);
}

function tryPort(port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

/** The program that listens on a TCP port, for example `node dist/svc-bridge.cjs (pid 4123)`. Linux only. */
export function holderOf(port: number): string | undefined {
  const sockets = new Set(listening().flatMap((one) => (one.port === port ? [one.link] : [])));
  if (sockets.size === 0) return undefined;
  for (const pid of processIds()) {
    if (!linksOf(`/proc/${pid}/fd`).some((link) => sockets.has(link))) continue;
    const command = readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    return `${command.length > 120 ? `${command.slice(0, 120)}...` : command} (pid ${pid})`;
  }
  return undefined;
}

/** TCP ports that a process listens on, lowest first. Linux only. */
export function portsOf(pid: number): number[] {
  const links = new Set(linksOf(`/proc/${pid}/fd`));
  const ports = listening().flatMap(({ link, port }) => (links.has(link) ? [port] : []));
  return [...new Set(ports)].sort((one, other) => one - other);
}

/** Rows of /proc/net/tcp: local address as `ADDRESS:PORT` in hex, state 0A for listening, inode in the tenth column. */
function listening(): { port: number; link: string }[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readProc(table)
      .split('\n')
      .flatMap((row) => {
        const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
        const port = Number.parseInt(local.split(':').at(-1) ?? '', 16);
        return state === '0A' ? [{ port, link: `socket:[${inode}]` }] : [];
      }),
  );
}
