import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { HttpError } from '../../../lib/http/http-error.ts';
import { scenarioFiles } from './find-scenarios.ts';

/** An editor in a browser holds all of it. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A file that a scenario may include, byte for byte. */
export interface SourceFile {
  file: string;
  /** Base64: what is wrong with the bytes is found by the reader of the language. */
  base64: string;
}

/**
 * Every scenario and library of a folder, for an editor that resolves INCLUDE by itself.
 * @throws HttpError `device_unavailable` for files that cannot be read, and for more than 16 MiB
 */
export function allTexts(folder: string): SourceFile[] {
  let bytes = 0;
  return scenarioFiles(folder).map((name) => {
    const file = join(folder, name);
    try {
      bytes += statSync(file).size;
      if (bytes <= MOST_BYTES) return { file, base64: readFileSync(file).toString('base64') };
    } catch (cause) {
      throw refused(`${file} cannot be read: ${reasonOf(cause)}`, cause);
    }
    throw refused(`the scenarios in ${folder} have more than 16 MiB, too much for the editor of the page`);
  });
}

const refused = (message: string, cause?: unknown): HttpError =>
  new HttpError('device_unavailable', message, { members: { device: 'scenarios' }, cause });
