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

export const VALVE_IDS = [
  'valve-1',
  'valve-2',
  'valve-3',
  'valve-4',
  'valve-5',
  'valve-6',
  'valve-7',
  'valve-8',
];
export const SENSOR_IDS = ['ai01', 'ai02', 'ai03', 'ai04'];

const MAX_ALIAS_HOPS = 8;

/** Finds devices by id or alias; case does not count and `_` equals `-`. */
export class DeviceNames {
  readonly #aliases = new Map<string, string>();

  /** @param aliases alias -> id of `svc.yaml`; they win over the built-in ones, never over a device's own id */
  constructor(aliases: Readonly<Record<string, string>> = {}) {
    for (const [alias, id] of Object.entries({ ...BUILT_IN_ALIASES, ...aliases }))
      this.#aliases.set(normalName(alias), normalName(id));
  }

  /** Coil 0..7 of a valve, undefined for a name that is none. */
  coil(name: string): number | undefined {
    return indexIn(VALVE_IDS, this.#resolve(name, VALVE_IDS));
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
