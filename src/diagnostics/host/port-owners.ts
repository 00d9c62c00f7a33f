import type { HostRoot } from './host-root.ts';

/** A process that has a device node open, or holds the kernel's lock on it. */
export interface PortOwner {
  pid: number;
  /** As `ps` shows it; `unknown program` where that cannot be read. */
  command: string;
  /** It is the bridge of this rig. */
  own_bridge: boolean;
  /** It is the guard of this rig, which has ports while it makes the rig safe in the place of the bridge. */
  own_guard: boolean;
  /** How it was found. */
  source: 'fd' | 'flock';
}

/** What a process is to this rig. */
export type RoleOf = (pid: number) => 'bridge' | 'guard' | null;

export interface OwnerScan {
  /** By device, as it was asked for. */
  owners: ReadonlyMap<string, readonly PortOwner[]>;
  /** Every process could be read. */
  complete: boolean;
  /** Processes whose open files only root may see. */
  unreadable: number;
  /** Processes that hold a node of a device that is gone. */
  deleted: readonly { pid: number; command: string; path: string }[];
}

/**
 * Who has serial ports open: by the links of `/proc/<pid>/fd` to the real path of each port, and by `/proc/locks`, which
 * everybody may read. The process that emulates the device of a pseudo-terminal is no owner of it, nor is this one.
 *
 * @param roleOf what a process is to this rig
 */
export function scanOwners(
  host: HostRoot,
  devices: readonly string[],
  roleOf: RoleOf,
  self = process.pid,
): OwnerScan {
  const byReal = new Map<string, string[]>();
  for (const device of devices) {
    const real = host.real(device);
    if (real !== undefined) byReal.set(real, [...(byReal.get(real) ?? []), device]);
  }
  const found = new Map<string, Map<number, PortOwner['source']>>();
  const note = (real: string, pid: number, source: PortOwner['source']) => {
    const pids = found.get(real) ?? new Map<number, PortOwner['source']>();
    if (!pids.has(pid)) pids.set(pid, source);
    found.set(real, pids);
  };
  const deleted: { pid: number; command: string; path: string }[] = [];
  let unreadable = 0;
  const processes = host.list('/proc');
  for (const name of processes ?? []) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    if (pid === self) continue;
    const links = linksOf(host, name);
    if (links === undefined) {
      // A process that ended meanwhile hides nothing.
      if (host.stat(`/proc/${name}`) !== undefined) unreadable++;
      continue;
    }
    for (const target of links.values()) {
      const gone = /^(\/dev\/tty\S+) \(deleted\)$/.exec(target)?.[1];
      if (gone !== undefined) deleted.push({ pid, command: commandOf(host, pid), path: gone });
      else if (byReal.has(target) && !emulates(host, name, links, target)) note(target, pid, 'fd');
    }
  }
  for (const [real, pid] of lockOwners(host, byReal.keys())) if (pid !== self) note(real, pid, 'flock');
  const owners = new Map<string, PortOwner[]>();
  for (const [real, pids] of found)
    for (const device of byReal.get(real) ?? [])
      owners.set(
        device,
        [...pids].map(([pid, source]) => ({
          pid,
          command: commandOf(host, pid),
          own_bridge: roleOf(pid) === 'bridge',
          own_guard: roleOf(pid) === 'guard',
          source,
        })),
      );
  return { owners, complete: processes !== undefined && unreadable === 0, unreadable, deleted };
}

function linksOf(host: HostRoot, pid: string): Map<string, string> | undefined {
  const names = host.list(`/proc/${pid}/fd`);
  if (names === undefined) return undefined;
  return new Map(
    names.flatMap((fd) => {
      const target = host.link(`/proc/${pid}/fd/${fd}`);
      return target === undefined ? [] : [[fd, target]];
    }),
  );
}

/** The master of `/dev/pts/5` is open in the same process: `tty-index: 5` in the fdinfo of a `/dev/ptmx`. */
function emulates(host: HostRoot, pid: string, links: ReadonlyMap<string, string>, target: string): boolean {
  const index = /^\/dev\/pts\/(\d+)$/.exec(target)?.[1];
  if (index === undefined) return false;
  return [...links].some(
    ([fd, one]) =>
      /\/ptmx$/.test(one) &&
      new RegExp(`^tty-index:\\s*${index}$`, 'm').test(host.read(`/proc/${pid}/fdinfo/${fd}`) ?? ''),
  );
}

/** Lines `1: FLOCK  ADVISORY  WRITE 1234 00:18:5 0 EOF`: major and minor in hex, then the inode. */
function lockOwners(host: HostRoot, reals: Iterable<string>): [string, number][] {
  const rows = (host.read('/proc/locks') ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  return [...reals].flatMap((real) => {
    const stats = host.stat(real);
    if (stats === undefined) return [];
    const { dev, ino } = stats;
    const hex = (number: number) => number.toString(16).padStart(2, '0');
    const place = `${hex((dev >> 8) & 0xfff)}:${hex((dev & 0xff) | ((dev >> 12) & 0xfff00))}:${ino}`;
    return rows
      .filter((row) => row[1] === 'FLOCK' && row[5] === place && Number(row[4]) > 0)
      .map((row): [string, number] => [real, Number(row[4])]);
  });
}

export function commandOf(host: HostRoot, pid: number): string {
  const words = (host.read(`/proc/${pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '');
  if (words.length > 0) return words.join(' ').slice(0, 120);
  return host.read(`/proc/${pid}/comm`)?.trim() || 'unknown program';
}
