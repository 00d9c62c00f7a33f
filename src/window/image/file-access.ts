import { constants, realpathSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { WindowError, type WindowErrorCode } from '../window-error.ts';

export interface FileAccessOptions {
  /** Relative paths start here. */
  cwd: string;
  /** What `~` stands for. */
  home: string;
  /** Folders outside of which nothing is read or written; undefined: no limit. */
  roots?: readonly string[] | undefined;
}

export interface OpenedFile {
  /** As it was asked for, absolute. */
  path: string;
  /** Where it lies after all links. */
  realPath: string;
  handle: FileHandle;
  /** Bytes. */
  size: number;
}

const MISSING = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
  'ENXIO',
  'EISDIR',
]);

/** The files that requests may name: regular ones, below the roots after links are resolved (section 1, "Files"). */
export class FileAccess {
  readonly #options: FileAccessOptions;
  readonly #roots: readonly string[] | undefined;

  /** @throws Error when a root is not there */
  constructor(options: FileAccessOptions) {
    this.#options = options;
    this.#roots = options.roots?.map((root) => realpathSync(root));
  }

  /** Absolute path of what a request names. */
  absolute(path: string): string {
    const { cwd, home } = this.#options;
    return resolve(cwd, path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path);
  }

  /**
   * Opens a regular file for reading. It never waits: a pipe without a writer would hang an ordinary open.
   * @throws WindowError `missing` with "file not found", `path_refused`
   */
  async open(path: string, missing: WindowErrorCode): Promise<OpenedFile> {
    const absolute = this.absolute(path);
    const notFound = (why: string) =>
      new WindowError(missing, `file not found: ${absolute} ${why}`, { path: absolute });
    const realPath = await this.#real(absolute);
    if (realPath === undefined)
      throw notFound('does not exist; name a file of the machine that runs the service');
    this.#confine(absolute, realPath);
    // Looked at first: to open a device can already have an effect.
    if (!(await stat(realPath).catch(() => undefined))?.isFile()) throw notFound('is not a regular file');
    const handle = await open(
      realPath,
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
    ).catch((cause: NodeJS.ErrnoException) => {
      throw notFound(`cannot be opened: ${cause.code ?? messageOf(cause)}`);
    });
    try {
      const status = await handle.stat();
      if (!status.isFile()) throw notFound('is not a regular file');
      // A folder of the path may have become a link in between: what counts is what was opened.
      this.#confine(absolute, await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realPath));
      return { path: absolute, realPath, handle, size: status.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Where a file shall be written: a regular file, or a new one in a folder that is there.
   * @throws WindowError `path_refused`, `program_unwritable`
   */
  async target(path: string): Promise<string> {
    const absolute = this.absolute(path);
    const existing = await this.#real(absolute);
    if (existing !== undefined) {
      this.#confine(absolute, existing);
      if (!(await stat(existing)).isFile())
        throw new WindowError('program_unwritable', `${absolute} is not a regular file; name another one`, {
          path: absolute,
        });
      return existing;
    }
    const folder = await this.#real(dirname(absolute));
    if (folder === undefined) {
      this.#confine(absolute, absolute);
      throw new WindowError('program_unwritable', `the folder of ${absolute} does not exist; make it first`, {
        path: absolute,
      });
    }
    const target = join(folder, basename(absolute));
    this.#confine(absolute, target);
    return target;
  }

  /** Undefined when there is nothing; a path that is not there must not tell whether it could be. */
  async #real(absolute: string): Promise<string | undefined> {
    try {
      return await realpath(absolute);
    } catch (thrown) {
      if (this.#roots) this.#confine(absolute, await this.#nearest(absolute));
      const { code = '' } = thrown as NodeJS.ErrnoException;
      if (MISSING.has(code) || code === 'EACCES') return undefined;
      throw thrown;
    }
  }

  /** The path with its existing folders resolved. */
  async #nearest(absolute: string): Promise<string> {
    for (let folder = absolute, rest = ''; folder !== dirname(folder); folder = dirname(folder)) {
      const real = await realpath(folder).catch(() => undefined);
      if (real !== undefined) return join(real, rest);
      rest = join(basename(folder), rest);
    }
    return absolute;
  }

  #confine(asked: string, real: string): void {
    if (!this.#roots) return;
    const isInside = this.#roots.some(
      (root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep),
    );
    if (!isInside)
      throw new WindowError('path_refused', `${asked} lies outside of SVC_WINDOW_ROOTS`, { path: asked });
  }
}
