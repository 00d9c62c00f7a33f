import { type Plugin, type PluginId, VALVE_BOARD_IDS } from '../configuration/types.ts';
import { normalName } from '../registry/name.ts';

/** Devices specification, section 1. */
const BUILT_IN_ALIASES: Readonly<Record<string, string>> = {
  'valve-nc': 'valve-1',
  'valve-sc': 'valve-2',
  'valve-wc': 'valve-3',
  'nc-sensor': 'ai01',
  'sc-sensor': 'ai02',
  'wc-sensor': 'ai03',
};

export const VALVES_PER_BOARD = 8;

type Configured = readonly Pick<Plugin, 'id'>[];

/** Boards up to the last one that is configured, at least one: the numbers of valves follow from the board alone. */
export const valveBoardCount = (plugins: Configured): number =>
  Math.max(1, ...plugins.map(({ id }) => (VALVE_BOARD_IDS as readonly PluginId[]).indexOf(id) + 1));

/** Ids of the valves of a rig, in the order of their coils: eight for each board. */
export const valveIdsOf = (plugins: Configured): string[] =>
  Array.from({ length: valveBoardCount(plugins) * VALVES_PER_BOARD }, (_, coil) => `valve-${coil + 1}`);

/** Those of the first board. */
export const VALVE_IDS: readonly string[] = valveIdsOf([]);
export const SENSOR_IDS = ['ai01', 'ai02', 'ai03', 'ai04'];

const MAX_ALIAS_HOPS = 8;

/** Finds devices by id or alias; case does not count and `_` equals `-`. */
export class DeviceNames {
  readonly #aliases = new Map<string, string>();
  /** Of all valves of the rig, in the order of their coils. */
  readonly valveIds: readonly string[];

  /** @param aliases alias -> id of `svc.yaml`; they win over the built-in ones, never over a device's own id */
  constructor(aliases: Readonly<Record<string, string>> = {}, plugins: Configured = []) {
    this.valveIds = valveIdsOf(plugins);
    for (const [alias, id] of Object.entries({ ...BUILT_IN_ALIASES, ...aliases }))
      this.#aliases.set(normalName(alias), normalName(id));
  }

  /** Coil of a valve, 0..7 on the first board, 8..15 on the second; undefined for a name that is none. */
  coil(name: string): number | undefined {
    return indexIn(this.valveIds, this.#resolve(name, this.valveIds));
  }

  /** Input 0..3 of a sensor; the bare numbers 0..3 are names too. */
  input(name: string): number | undefined {
    if (/^[0-3]$/.test(name)) return Number(name);
    return indexIn(SENSOR_IDS, this.#resolve(name, SENSOR_IDS));
  }

  #resolve(name: string, ids: readonly string[]): string {
    let key = normalName(name);
    for (let hop = 0; hop < MAX_ALIAS_HOPS && !ids.includes(key); hop++) {
      const next = this.#aliases.get(key);
      if (next === undefined) break;
      key = next;
    }
    return key;
  }
}

function indexIn(ids: readonly string[], id: string): number | undefined {
  const index = ids.indexOf(id);
  return index < 0 ? undefined : index;
}
