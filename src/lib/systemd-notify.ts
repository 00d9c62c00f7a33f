import process from 'node:process';
import { type CFunction, loadCFunction } from './c-library.ts';
import type { Clock } from './clock/clock.ts';
import type { Milliseconds } from './quantity.ts';

const AF_UNIX = 1;
/** SOCK_DGRAM | SOCK_CLOEXEC of <sys/socket.h>, on x86-64 and arm64. */
const CLOSED_ON_EXEC_DATAGRAM = 2 | 0o2_000_000;
/** MSG_DONTWAIT | MSG_NOSIGNAL: a service manager that does not read must not stop its service. */
const NOT_WAITING = 0x40 | 0x4000;
/** sun_path. */
const LONGEST_ADDRESS_BYTES = 107;
/** A beat may be late by the rest. */
const BEATS_PER_LIMIT = 4;

type Environment = Record<string, string | undefined>;

/** The variables by which systemd names its socket and the limit of its watchdog; sd_notify(3). */
export const SYSTEMD_VARIABLES = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'] as const;

/** Reports the state of this process to systemd (`Type=notify`). */
export interface SystemdNotifier {
  /** Milliseconds without a beat after which systemd kills this process; undefined where its unit has no WatchdogSec. */
  readonly watchdogMs: Milliseconds | undefined;
  /** `READY=1`: the unit counts as started. */
  ready(): void;
  /** `STOPPING=1`: this process is ending in order. */
  stopping(): void;
  /**
   * Sends `WATCHDOG=1` four times within the limit, but only while `isWorking` returns true: a process whose event loop runs and
   * whose work has stopped is killed as well. @returns ends the beats
   */
  beatWhile(isWorking: () => boolean): () => void;
}

export interface SystemdNotifyOptions {
  env: Environment;
  clock: Clock;
  /** Once, when systemd cannot be reached. */
  log: (line: string) => void;
}

/**
 * Node has no datagram Unix sockets, so the datagrams go through the C library.
 *
 * @returns undefined where NOTIFY_SOCKET is not set: no service manager expects a report
 * @throws Error where the socket cannot be opened, or NOTIFY_SOCKET is no Unix address
 */
export async function systemdNotifier(options: SystemdNotifyOptions): Promise<SystemdNotifier | undefined> {
  const { env, clock, log } = options;
  const { NOTIFY_SOCKET: name = '' } = env;
  if (name === '') return undefined;
  const address = unixAddress(name);
  const [socket, sendto] = await Promise.all([
    loadCFunction('int socket(int domain, int type, int protocol)'),
    loadCFunction(
      'intptr_t sendto(int fd, const void *text, size_t size, int flags, const void *to, unsigned int to_size)',
    ),
  ]);
  const fd = socket(AF_UNIX, CLOSED_ON_EXEC_DATAGRAM, 0);
  if (fd < 0) throw new Error(`no socket for the reports to systemd: ${socket.errno()}`);
  let hasFailed = false;
  const send = (text: string) => {
    const fault = sendFault(sendto, fd, text, address);
    if (fault !== undefined && !hasFailed)
      log(`systemd cannot be reached at ${name}: ${text} failed (${fault})`);
    hasFailed = fault !== undefined;
  };
  const watchdogMs = watchdogLimit(env);
  return {
    watchdogMs,
    ready: () => send('READY=1'),
    stopping: () => send('STOPPING=1'),
    beatWhile: (isWorking) => {
      if (watchdogMs === undefined) return () => {};
      let cancel = () => {};
      const beat = () => {
        if (isWorking()) send('WATCHDOG=1');
        cancel = clock.after(watchdogMs / BEATS_PER_LIMIT, beat);
      };
      beat();
      return () => cancel();
    },
  };
}

/** The environment for a child process, which systemd does not watch. */
export function withoutSystemd(env: Environment): Environment {
  const names: readonly string[] = SYSTEMD_VARIABLES;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** The name of the error; undefined when the datagram was taken. */
function sendFault(sendto: CFunction, fd: number, text: string, address: Buffer): string | undefined {
  const bytes = Buffer.from(text);
  const sent = Number(sendto(fd, bytes, bytes.byteLength, NOT_WAITING, address, address.byteLength));
  return sent === bytes.byteLength ? undefined : sendto.errno();
}

/** `struct sockaddr_un`: an absolute path, or with `@` an abstract address. @throws Error */
function unixAddress(name: string): Buffer {
  const path = Buffer.from(name);
  if (!/^[/@]./.test(name) || path.byteLength > LONGEST_ADDRESS_BYTES)
    throw new Error(`NOTIFY_SOCKET "${name}" is no Unix socket: it is set by systemd, unset it elsewhere`);
  if (name.startsWith('@')) path[0] = 0;
  const family = Buffer.alloc(2);
  // In the byte order of the machine, which is little-endian on x86-64 and arm64.
  family.writeUInt16LE(AF_UNIX);
  return Buffer.concat([family, path, Buffer.alloc(name.startsWith('@') ? 0 : 1)]);
}

function watchdogLimit({ WATCHDOG_USEC, WATCHDOG_PID }: Environment): Milliseconds | undefined {
  const limit = Number(WATCHDOG_USEC) / 1000;
  const isForOther = WATCHDOG_PID !== undefined && WATCHDOG_PID !== String(process.pid);
  return isForOther || !(limit > 0) ? undefined : limit;
}
