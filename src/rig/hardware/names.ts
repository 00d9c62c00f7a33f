import type { Plugin } from '../configuration/types.ts';
import { kindNamed } from '../device-kinds/index.ts';
import { valveBoard } from '../device-kinds/valve-board.ts';
import { normalName } from '../registry/name.ts';
import { SENSOR_IDS } from './voltage-inputs.ts';

const BUILT_IN_ALIASES: Readonly<Record<string, string>> = {
  'valve-nc': 'valve-1',
  'valve-sc': 'valve-2',
  'valve-wc': 'valve-3',
  'nc-sensor': 'ai01',
  'sc-sensor': 'ai02',
  'wc-sensor': 'ai03',
};

type Configured = readonly Pick<Plugin, 'id' | 'kind'>[];

/** Boards up to the last one that is configured, at least one: the numbers of valves follow from the board alone. */
const valveBoards = (plugins: Configured): readonly string[] => {
  const isConfigured = (name: string) => plugins.some(({ id }) => id === name);
  return valveBoard.names.slice(0, Math.max(1, valveBoard.names.findLastIndex(isConfigured) + 1));
};

/** Ids of the valves of a rig, in the order of their coils: eight for each board. */
export const valveIdsOf = (plugins: Configured): string[] =>
  valveBoards(plugins).flatMap((board) => valveBoard.peripherals(board).map(({ id }) => id));

/** Those of the first board. */
export const VALVE_IDS: readonly string[] = valveIdsOf([]);

/** Ids of the sensors of a rig: the voltage inputs, then those that bring a unit of their own. */
export const sensorIdsOf = (plugins: Configured): string[] => [
  ...SENSOR_IDS,
  ...plugins.filter(({ kind }) => kindNamed(kind)?.role === 'sensor').map(({ id }) => id),
];

const MAX_ALIAS_HOPS = 8;

/** Finds devices by id or alias; case does not count and `_` equals `-`. */
export class DeviceNames {
  readonly #aliases = new Map<string, string>();
  /** Of all valves of the rig, in the order of their coils. */
  readonly valveIds: readonly string[];
  readonly sensorIds: readonly string[];

  /** @param aliases alias -> id of `svc.yaml`; they win over the built-in ones, never over a device's own id */
  constructor(aliases: Readonly<Record<string, string>> = {}, plugins: Configured = []) {
    this.valveIds = valveIdsOf(plugins);
    this.sensorIds = sensorIdsOf(plugins);
    for (const [alias, id] of Object.entries({ ...BUILT_IN_ALIASES, ...aliases }))
      this.#aliases.set(normalName(alias), normalName(id));
  }

  /** Coil of a valve, 0..7 on the first board, 8..15 on the second; undefined for a name that is none. */
  coil(name: string): number | undefined {
    return indexIn(this.valveIds, this.#resolve(name, this.valveIds));
  }

  /** Id of a sensor; the bare numbers 0..3 are names of the voltage inputs. Undefined for a name that is none. */
  sensor(name: string): string | undefined {
    if (/^[0-3]$/.test(name)) return SENSOR_IDS[Number(name)];
    const id = this.#resolve(name, this.sensorIds);
    return this.sensorIds.includes(id) ? id : undefined;
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
