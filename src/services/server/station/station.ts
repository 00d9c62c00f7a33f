import { join } from 'node:path';
import * as z from 'zod';
import { readStateFile, writeStateFile } from '../../../rig/guard/state-file.ts';

const text = z.string().trim().max(200).default('');

/** What people have entered for the next run. */
export const stationSchema = z.strictObject({
  /** Empty while none is chosen. */
  scenario_id: z.string().max(1000).default(''),
  serial: text,
  part: text,
  revision: text,
  batch: text,
  operator: text,
  /** Parameters of the scenario that were changed, as they are typed. */
  variables: z.record(z.string().max(200), z.string().max(1000)).default({}),
  /** They stay for the next unit; otherwise the scenario's own values are back then. */
  keep_variables: z.boolean().default(false),
  /** The run whose result was put away for the next unit; empty while none was. */
  dismissed_run: z.string().max(200).default(''),
});
export type StationEntries = z.output<typeof stationSchema>;
/** `version` counts the changes since the server has started. */
export type StationState = StationEntries & { version: number };

/**
 * The entries of the page for the next run. They belong to the rig and not to a browser: a second tablet, a reload and a
 * restart of the server find them.
 */
export class StationDesk {
  readonly #path: string;
  #entries: StationEntries;
  #version = 1;

  constructor(stateDir: string) {
    this.#path = join(stateDir, 'station.json');
    const kept = stationSchema.safeParse(readStateFile(this.#path));
    this.#entries = kept.success ? kept.data : stationSchema.parse({});
  }

  get state(): StationState {
    return { ...this.#entries, version: this.#version };
  }

  /** Takes the members that are given. @throws the system's error; they count all the same until the server ends */
  change(given: Partial<StationEntries>): StationState {
    this.#entries = { ...this.#entries, ...given };
    this.#version += 1;
    writeStateFile(this.#path, this.#entries);
    return this.state;
  }
}
