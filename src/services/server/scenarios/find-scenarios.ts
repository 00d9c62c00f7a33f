import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { HttpError } from '../../../lib/http/http-error.ts';

/** A scenario file that is there. */
export interface FoundScenario {
  /**
   * Its path below the scenario folder without the extension; with it, where two files differ in nothing else. For
   * looking up only.
   */
  id: string;
  path: string;
}

const EXTENSION = /\.(oql|cql)$/;

/**
 * Paths of all scenario and library files below a folder, with `/`.
 * @throws HttpError `device_unavailable`
 */
export const scenarioFiles = (folder: string): string[] =>
  list(folder).filter(
    (name) =>
      EXTENSION.test(name) && statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true,
  );

/**
 * The scenarios of a folder, sorted by id. What lies in its `lib` is for INCLUDE and nothing to run.
 * @throws HttpError `device_unavailable`
 */
export function findScenarios(folder: string): FoundScenario[] {
  const files = scenarioFiles(folder).filter((name) => !name.startsWith('lib/'));
  const stems = new Map<string, number>();
  for (const name of files) stems.set(stemOf(name), (stems.get(stemOf(name)) ?? 0) + 1);
  return files
    .map((name) => ({ id: stems.get(stemOf(name)) === 1 ? stemOf(name) : name, path: join(folder, name) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** @throws HttpError `unknown_scenario`, `device_unavailable` */
export function findScenario(folder: string, id: string): FoundScenario {
  const found = findScenarios(folder).find((one) => one.id === id);
  if (found) return found;
  const message = `no scenario ${JSON.stringify(id)}; GET /api/scenarios lists them`;
  throw new HttpError('unknown_scenario', message);
}

/** @throws HttpError `device_unavailable` */
export function readScenario({ path }: FoundScenario): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(`${path} cannot be read: ${reasonOf(cause)}`, cause);
  }
}

const stemOf = (name: string): string => name.replace(EXTENSION, '');

function list(folder: string): string[] {
  try {
    return filesBelow(folder, '');
  } catch (cause) {
    const why = `the scenarios in ${folder} cannot be listed: ${reasonOf(cause)}; set SVC_SCENARIO_DIR`;
    throw unreadable(why, cause);
  }
}

/** Paths relative to the folder, with `/`. Linked folders are not followed, linked files are. */
function filesBelow(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, name) : [name];
  });
}

const unreadable = (message: string, cause: unknown): HttpError =>
  new HttpError('device_unavailable', message, { members: { device: 'scenarios' }, cause });
