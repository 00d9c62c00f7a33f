import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Profile, parseProfile } from '../../rig/profiles/profile.ts';
import type { RuntimeFolder } from '../start/runtime-folder.ts';

export type Settings = Readonly<Record<string, string>>;

/** The lines `NAME=value` of `rig.env`, as PM2's file reads them; none where there is no such file. */
export function readSettings({ settings }: RuntimeFolder): Settings {
  if (!existsSync(settings)) return {};
  return Object.fromEntries(
    readFileSync(settings, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
  );
}

/** The file that says which profile this rig has: RIG_PROFILE_FILE of `rig.env`, else `profile` beside it. */
export const profilePath = (folder: RuntimeFolder, { RIG_PROFILE_FILE }: Settings): string =>
  RIG_PROFILE_FILE ? resolve(RIG_PROFILE_FILE) : folder.profile;

/** @returns undefined when none was chosen yet. @throws ProfileError `profile_damaged` */
export function readProfile(path: string): Profile | undefined {
  return existsSync(path) ? parseProfile(readFileSync(path, 'utf8'), path) : undefined;
}
