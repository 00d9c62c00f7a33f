import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';

/** Most of a log that is read, bytes. */
const LOG_BYTES = 1 << 20;

export interface FileSystemUse {
  /** Share of the blocks and of the inodes in use for an ordinary account, 0..1; null where the file system counts none. */
  blocks: number | null;
  inodes: number | null;
}

/**
 * The one way to everything below `/sys`, `/proc`, `/dev` and `/etc`. Another root than `/` shows another machine: the host of a
 * container, or a folder of fixtures. What is missing or unreadable is undefined, never a default value.
 */
export class HostRoot {
  readonly root: string;

  constructor(root = '/') {
    this.root = root;
  }

  /** Where a path of the host is for this process. */
  path(path: string): string {
    return this.root === '/' ? path : join(this.root, path);
  }

  /** The host's own name of a path of this process. */
  nameOf(path: string): string {
    if (this.root === '/') return path;
    const inside = relative(this.root, path);
    return inside.startsWith('..') ? path : `/${inside}`;
  }

  read(path: string): string | undefined {
    return attempt(() => readFileSync(this.path(path), 'utf8'));
  }

  /** Names in a folder, sorted; undefined where it cannot be read. */
  list(path: string): string[] | undefined {
    return attempt(() => readdirSync(this.path(path)).sort());
  }

  /** Target of a link as it is written. */
  link(path: string): string | undefined {
    return attempt(() => readlinkSync(this.path(path)));
  }

  /** Where a path leads, in the host's own names. */
  real(path: string): string | undefined {
    return attempt(() => this.nameOf(realpathSync(this.path(path))));
  }

  stat(path: string): Stats | undefined {
    return attempt(() => statSync(this.path(path)));
  }

  /** Whether this process may read and write a file. */
  mayUse(path: string): boolean {
    return attempt(() => accessSync(this.path(path), constants.R_OK | constants.W_OK) ?? true) === true;
  }

  /** A log that is not to be waited for, such as `/dev/kmsg`: what it holds now, at most 1 MiB. */
  readLog(path: string): string | undefined {
    return attempt(() => {
      const file = openSync(this.path(path), constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return readRecords(file);
      } finally {
        closeSync(file);
      }
    });
  }

  use(path: string): FileSystemUse | undefined {
    return attempt(() => {
      const { blocks, bavail, bfree, files, ffree } = statfsSync(this.path(path));
      const usable = blocks - bfree + bavail;
      return {
        blocks: usable > 0 ? 1 - bavail / usable : null,
        inodes: files > 0 ? 1 - ffree / files : null,
      };
    });
  }
}

/** Each read of `/dev/kmsg` gives one record; EPIPE says that older ones were overwritten meanwhile. */
function readRecords(file: number): string {
  const buffer = Buffer.alloc(8192);
  let text = '';
  while (text.length < LOG_BYTES) {
    try {
      const count = readSync(file, buffer);
      if (count === 0) break;
      text += buffer.toString('utf8', 0, count);
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException;
      if (code === 'EAGAIN') break;
      if (code !== 'EPIPE') throw fault;
    }
  }
  return text;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
