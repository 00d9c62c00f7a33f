import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Clock } from '../../../lib/clock/clock.ts';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { replaceFile } from '../../../lib/files/replace-file.ts';
import { HttpError, invalidField } from '../../../lib/http/http-error.ts';
import { sha256 } from '../../../scenario/records/event-chain.ts';
import { decode } from '../../../scenario/source/decode.ts';
import { type FoundScenario, findScenario, findScenarios, readScenario } from './find-scenarios.ts';
import { isNewId } from './new-id.ts';
import type { SavedVersion } from './saved-version.ts';
import { VersionFolder } from './version-folder.ts';

/** The text of a scenario as it is now. */
export interface ScenarioText {
  id: string;
  /** Path of the file. */
  file: string;
  text: string;
  /** SHA-256 of the bytes. */
  sha256: string;
  /** The version that this text is; null: it was changed outside this server, or never saved here. */
  version: SavedVersion | null;
}

/** What is saved, by whom, and what it is based on. */
export interface SaveRequest {
  id: string;
  text: string;
  by: string;
  note: string | null;
  /** SHA-256 of the text that was changed; null: the scenario must not exist so far. */
  base: string | null;
  /** The version whose text this is. */
  restores?: number;
}

/**
 * Reads and saves the texts of the scenarios. Each call runs to its end before another one, so that of two people who save
 * at the same time the second is refused.
 */
export class ScenarioTexts {
  readonly #folder: string;
  readonly #stateDir: string;
  readonly #clock: Clock;

  constructor(folder: string, stateDir: string, clock: Clock) {
    this.#folder = folder;
    this.#stateDir = stateDir;
    this.#clock = clock;
  }

  /** @throws HttpError `unknown_scenario`, `device_unavailable`, `corrupt_response` for bytes that are no text */
  read(id: string): ScenarioText {
    const found = findScenario(this.#folder, id);
    return this.#textOf(found, readScenario(found));
  }

  /** Every version, newest first, beside the present text. @throws as `read` */
  versions(id: string): { current: ScenarioText; versions: SavedVersion[] } {
    return {
      current: this.read(id),
      versions: this.#versionsOf(findScenario(this.#folder, id)).list().reverse(),
    };
  }

  /** @throws HttpError `unknown_scenario`, `unknown_version`, `device_unavailable`, `corrupt_response` */
  version(id: string, n: number): { version: SavedVersion; text: string } {
    const found = findScenario(this.#folder, id);
    const { version, bytes } = this.#versionsOf(found).read(n);
    return { version, text: this.#decoded(bytes, found) };
  }

  /**
   * Saves a text. Every text that the file has had remains a version, one that was changed outside this server too. A text that
   * is there already makes no version.
   * @throws HttpError `scenario_changed` with the present text in `current`; `unknown_scenario`, `invalid_parameter`,
   * `device_unavailable`
   */
  save({ id, text, by, note, base, restores }: SaveRequest): ScenarioText {
    const found = base === null ? this.#newScenario(id) : findScenario(this.#folder, id);
    const versions = this.#versionsOf(found);
    const bytes = Buffer.from(text);
    requireReadable(bytes);
    if (base !== null) {
      const before = readScenario(found);
      const current = this.#textOf(found, before);
      if (current.sha256 !== base) throw changed(current);
      if (sha256(bytes) === current.sha256 && current.version) return current;
      if (!current.version)
        versions.add(before, { saved_at: this.#now(), saved_by: null, note: null, restores: null });
    }
    const version = versions.add(bytes, {
      saved_at: this.#now(),
      saved_by: by,
      note,
      restores: restores ?? null,
    });
    this.#write(found, bytes);
    return { id: found.id, file: found.path, text, sha256: version.sha256, version };
  }

  #newScenario(id: string): FoundScenario {
    const existing = findScenarios(this.#folder).find((one) => one.id === id);
    if (existing) throw changed(this.#textOf(existing, readScenario(existing)));
    const fault = !isNewId(id)
      ? 'is not a name for a scenario: use letters, digits, "_", "-", "." and "/" for folders'
      : id === 'lib' || id.startsWith('lib/')
        ? 'lies in lib, which holds files for INCLUDE: choose another folder'
        : /\.(oql|cql)$/.test(id) || existsSync(join(this.#folder, `${id}.oql`))
          ? 'is the name of a file: leave the extension out'
          : undefined;
    if (fault !== undefined)
      throw invalidField('invalid_parameter', { in: 'path', field: 'id', message: fault, value: id });
    return { id, path: join(this.#folder, `${id}.oql`) };
  }

  #textOf(found: FoundScenario, bytes: Uint8Array): ScenarioText {
    const now = sha256(bytes);
    const latest = this.#versionsOf(found).latest();
    return {
      id: found.id,
      file: found.path,
      text: this.#decoded(bytes, found),
      sha256: now,
      version: latest?.sha256 === now ? latest : null,
    };
  }

  #decoded(bytes: Uint8Array, { path }: FoundScenario): string {
    const decoded = decode(bytes);
    if ('text' in decoded) return decoded.text;
    throw new HttpError('corrupt_response', `${path} is not the text of a scenario: ${decoded.detail}`, {
      members: { device: 'scenarios' },
    });
  }

  #versionsOf = ({ path }: FoundScenario): VersionFolder =>
    new VersionFolder(this.#stateDir, relative(this.#folder, path).split(sep).join('/'));

  #now = (): string => new Date(this.#clock.now()).toISOString();

  #write({ path }: FoundScenario, bytes: Uint8Array): void {
    try {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, bytes);
    } catch (cause) {
      const message = `${path} cannot be written: ${reasonOf(cause)}; the text is kept as a version, and the scenario is unchanged`;
      throw new HttpError('device_unavailable', message, { members: { device: 'scenarios' }, cause });
    }
  }
}

/** A text that cannot be read again would make every later answer for it an error. @throws HttpError `invalid_parameter` */
function requireReadable(bytes: Uint8Array): void {
  const decoded = decode(bytes);
  if ('text' in decoded) return;
  const message =
    decoded.fault === 'html'
      ? `is a web page, not the text of a scenario: it begins with ${JSON.stringify(decoded.detail)}`
      : `is not the text of a scenario: ${decoded.detail}`;
  throw invalidField('invalid_parameter', { in: 'body', field: 'text', message, value: decoded.detail });
}

/** Refuses a text that is based on another one, with the text that is there. */
const changed = ({ id, text, sha256: now, version }: ScenarioText): HttpError =>
  new HttpError(
    'scenario_changed',
    version?.saved_by
      ? `${version.saved_by} saved ${id} at ${version.saved_at}; merge both texts, then save with the ETag of that one`
      : `${id} was changed since it was read; merge both texts, then save with the ETag of that one`,
    { members: { current: { text, etag: etagOf(now), version } } },
  );

export const etagOf = (sha: string): string => `"${sha}"`;
