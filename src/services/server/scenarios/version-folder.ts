import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { replaceFile } from '../../../lib/files/replace-file.ts';
import { HttpError } from '../../../lib/http/http-error.ts';
import { sha256 } from '../../../scenario/records/event-chain.ts';
import { SAVED_VERSION, type SavedVersion } from './saved-version.ts';

/** Longest name of a folder that is taken from the name of the scenario, bytes. */
const LONGEST_NAME = 150;
const META = /^(\d{6})\.json$/;

/**
 * Every text that a scenario has had: `000001.oql` with `000001.json` beside it, below `SVC_STATE_DIR/scenarios`. The second file is
 * written last, so that a version is complete or absent. Nothing is ever replaced or removed.
 */
export class VersionFolder {
  readonly #folder: string;

  /** @param file path of the scenario below the scenario folder, with `/` */
  constructor(stateDir: string, file: string) {
    const name = encodeURIComponent(file);
    const hash = createHash('sha256').update(file).digest('hex').slice(0, 16);
    this.#folder = join(
      stateDir,
      'scenarios',
      name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}-${hash}`,
    );
  }

  /** Oldest first. @throws HttpError `device_unavailable`, `corrupt_response` */
  list(): SavedVersion[] {
    return this.#numbers().map((n) => this.#meta(n));
  }

  /** @throws HttpError `device_unavailable`, `corrupt_response` */
  latest(): SavedVersion | undefined {
    const n = this.#numbers().at(-1);
    return n === undefined ? undefined : this.#meta(n);
  }

  /** @throws HttpError `unknown_version`, `device_unavailable`, `corrupt_response` when it is not what was saved */
  read(n: number): { version: SavedVersion; bytes: Buffer } {
    if (!this.#numbers().includes(n))
      throw new HttpError('unknown_version', `there is no version ${n}; GET .../versions lists them`);
    const version = this.#meta(n);
    const path = this.#path(n, 'oql');
    const bytes = this.#attempt(path, 'read', () => readFileSync(path));
    if (sha256(bytes) !== version.sha256)
      throw new HttpError('corrupt_response', `${path} is not what was saved: its SHA-256 differs`);
    return { version, bytes };
  }

  /** Keeps a text as the next version. @throws HttpError `device_unavailable` */
  add(bytes: Uint8Array, about: Omit<SavedVersion, 'n' | 'sha256'>): SavedVersion {
    const n = (this.#numbers().at(-1) ?? 0) + 1;
    const version: SavedVersion = { n, sha256: sha256(bytes), ...about };
    this.#attempt(this.#folder, 'write', () => {
      mkdirSync(this.#folder, { recursive: true });
      replaceFile(this.#path(n, 'oql'), bytes);
      replaceFile(this.#path(n, 'json'), `${JSON.stringify(version)}\n`);
    });
    return version;
  }

  #numbers(): number[] {
    return this.#attempt(this.#folder, 'read', () => entriesOf(this.#folder))
      .flatMap((name) => {
        const n = META.exec(name)?.[1];
        return n === undefined ? [] : [Number(n)];
      })
      .sort((a, b) => a - b);
  }

  #meta(n: number): SavedVersion {
    const path = this.#path(n, 'json');
    const text = this.#attempt(path, 'read', () => readFileSync(path, 'utf8'));
    const parsed = SAVED_VERSION.safeParse(jsonOf(text));
    if (!parsed.success || parsed.data.n !== n)
      throw new HttpError(
        'corrupt_response',
        `${path} is not a version of a scenario: it was changed or damaged`,
      );
    return parsed.data;
  }

  #path = (n: number, extension: string): string =>
    join(this.#folder, `${`${n}`.padStart(6, '0')}.${extension}`);

  #attempt<T>(path: string, what: 'read' | 'write', work: () => T): T {
    try {
      return work();
    } catch (cause) {
      const message = `${path}: cannot ${what} the versions of a scenario (${reasonOf(cause)}); check SVC_STATE_DIR`;
      throw new HttpError('device_unavailable', message, { members: { device: 'scenarios' }, cause });
    }
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
