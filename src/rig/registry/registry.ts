import type { LitresPerMinute } from '../../lib/quantity.ts';
import type { Calibration } from '../calibration/calibration.ts';
import { ADS1115 } from '../hardware/voltage-inputs.ts';
import { normalName } from './name.ts';

export type PeripheralKind = 'pump' | 'valve' | 'lung' | 'other';

/** Something a scenario can SET. */
export interface Peripheral {
  /** Id in calls to the bridge, for example `valve-1`. */
  readonly id: string;
  readonly kind: PeripheralKind;
  /** Pump only: flow in l/min at 100 % power; overrides the rig's default. */
  readonly fullScaleLpm?: LitresPerMinute;
  /** Valve only: the state the safe state leaves it in; default closed. */
  readonly safeValue?: boolean;
}

/** Something a scenario can GET. */
export interface Sensor {
  /** Id in calls to the bridge, for example `nc-sensor`. */
  readonly id: string;
  /** Unit of the raw reading, normally `V`. */
  readonly unit: string;
  /** Smallest difference that its converter can show, in `unit`; for showing values only. */
  readonly resolution?: number;
  /** What the converter behind it can measure, in `unit`, both ends included; absent when that is not known. */
  readonly range?: readonly [low: number, high: number];
  readonly calibration?: Calibration;
  /** The plugin that brings it; absent for a voltage input. */
  readonly plugin?: string;
}

export interface RegistryEntries {
  peripherals?: readonly Peripheral[];
  sensors?: readonly Sensor[];
  /** alias -> id; an alias of an alias is followed. Wins over the built-in ones. */
  aliases?: Readonly<Record<string, string>>;
  /** Valves of the rig, `valve-1` and so on; default 8. */
  valves?: number;
  /** l/min at 100 % power; default 10. */
  pumpFullScaleLpm?: LitresPerMinute;
}

const BUILT_IN_PERIPHERALS: readonly Peripheral[] = [
  { id: 'pump-main', kind: 'pump' },
  { id: 'lung-main', kind: 'lung' },
];

const BUILT_IN_VALVES = 8;

const BUILT_IN_SENSORS: readonly Sensor[] = ['nc-sensor', 'sc-sensor', 'wc-sensor', 'ai04'].map((id) => ({
  id,
  unit: 'V',
  resolution: ADS1115.step,
}));

const BUILT_IN_ALIASES: Readonly<Record<string, string>> = {
  pump: 'pump-main',
  pompa: 'pump-main',
  'pompa-1': 'pump-main',
  'pompa-2': 'pump-main',
  compressor: 'pump-main',
  valve: 'valve-1',
  'valve-inlet': 'valve-1',
  'bottle-valve': 'valve-1',
  'valve-outlet': 'valve-2',
  'valve-overpressure': 'valve-5',
  'valve-nc': 'valve-1',
  'valve-sc': 'valve-2',
  'valve-wc': 'valve-3',
  lung: 'lung-main',
  pluco: 'lung-main',
  ai01: 'nc-sensor',
  ai02: 'sc-sensor',
  ai03: 'wc-sensor',
};

/** The names a rig knows: its actuators, its sensors and their aliases. Immutable. */
export class Registry {
  readonly pumpFullScaleLpm: LitresPerMinute;
  readonly #peripherals = new Map<string, Peripheral>();
  readonly #sensors = new Map<string, Sensor>();
  readonly #aliases = new Map<string, string>();
  readonly #normalised = new Map<string, string>();

  constructor(entries: RegistryEntries = {}) {
    this.pumpFullScaleLpm = entries.pumpFullScaleLpm ?? 10;
    const numbers = Array.from({ length: entries.valves ?? BUILT_IN_VALVES }, (_, i) => i + 1);
    const valves = numbers.map((n): Peripheral => ({ id: `valve-${n}`, kind: 'valve' }));
    const numbered = Object.fromEntries(numbers.map((n) => [`zawor-${n}`, `valve-${n}`]));
    for (const one of [...BUILT_IN_PERIPHERALS, ...valves, ...(entries.peripherals ?? [])])
      this.#peripherals.set(normalName(one.id), one);
    for (const [alias, id] of Object.entries({
      ...BUILT_IN_ALIASES,
      ...numbered,
      ...entries.aliases,
    })) {
      const from = normalName(alias);
      const to = normalName(id);
      if (from !== to) this.#aliases.set(from, to);
    }
    // A rig may say that nc-sensor is an alias of ai01: then ai01 is the id and the built-in direction gives way.
    for (const [alias, id] of Object.entries(entries.aliases ?? {}))
      if (this.#aliases.get(normalName(id)) === normalName(alias)) this.#aliases.delete(normalName(id));
    for (const one of BUILT_IN_SENSORS) {
      const id = this.#canonical(one.id);
      this.#sensors.set(id, { ...one, id });
    }
    for (const one of entries.sensors ?? []) {
      const id = this.#canonical(one.id);
      this.#sensors.set(id, { ...one, id });
    }
  }

  /** The actuator of that name or alias, or undefined. */
  peripheral(name: string): Peripheral | undefined {
    return this.#peripherals.get(this.#canonical(name));
  }

  /** The sensor of that name or alias, or undefined. */
  sensor(name: string): Sensor | undefined {
    return this.#sensors.get(this.#canonical(name));
  }

  /** All names under which actuators can be set, for suggestions. */
  peripheralNames(): string[] {
    return this.#namesOf(this.#peripherals);
  }

  /** All names under which sensors can be read, for suggestions. */
  sensorNames(): string[] {
    return this.#namesOf(this.#sensors);
  }

  #namesOf(table: ReadonlyMap<string, unknown>): string[] {
    const aliases = [...this.#aliases.keys()].filter((alias) => table.has(this.#canonical(alias)));
    return [...table.keys(), ...aliases];
  }

  #canonical(name: string): string {
    let key = this.#normalised.get(name);
    if (key !== undefined) return key;
    key = normalName(name);
    for (let hops = 0; hops < 8; hops++) {
      const next = this.#aliases.get(key);
      if (next === undefined) break;
      key = next;
    }
    if (this.#normalised.size < 10_000) this.#normalised.set(name, key);
    return key;
  }
}
