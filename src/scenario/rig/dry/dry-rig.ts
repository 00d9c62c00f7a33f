import type { Clock } from '../../../lib/clock/clock.ts';
import { normalName } from '../../../rig/registry/name.ts';
import type { Registry } from '../../../rig/registry/registry.ts';
import type { Quantity } from '../../values/quantity.ts';
import type { ApiAnswer, Identity, RawReading, ReadRequest, Rig, RigMarks, SafeStateReport } from '../rig.ts';
import { chooseValue } from './choose-value.ts';

export interface DryRigOptions {
  readonly clock: Clock;
  readonly registry: Registry;
  /** `--sensor NAME=value[ unit]` */
  readonly sensors: ReadonlyMap<string, Quantity>;
}

/** The rig of a dry-run: no I/O; readings are given by option or chosen so that the scenario goes on (section 9). */
export class DryRig implements Rig {
  readonly dry = true;
  readonly leased = true;
  readonly marks: RigMarks = { simulated: true, bench: false };
  readonly #clock: Clock;
  readonly #registry: Registry;
  readonly #given = new Map<string, Quantity>();

  constructor({ clock, registry, sensors }: DryRigOptions) {
    this.#clock = clock;
    this.#registry = registry;
    for (const [name, quantity] of sensors) this.#given.set(this.#key(name), quantity);
  }

  #key(name: string): string {
    return this.#registry.sensor(name)?.id ?? normalName(name);
  }

  /** The value that was given for a sensor, the timer or an unknown name. */
  given(name: string): Quantity | undefined {
    return this.#given.get(this.#key(name));
  }

  async preflight(): Promise<void> {}

  async acquire(): Promise<void> {}

  async read({ name, unit, ownUnit, wishes }: ReadRequest): Promise<RawReading> {
    const given = this.given(name);
    const common = {
      at: new Date(this.#clock.now()).toISOString(),
      ageMs: 0,
      simulated: true,
      bench: false,
    };
    if (given)
      return {
        ...common,
        value: given.value,
        unit: given.unit ?? unit ?? ownUnit,
        source: 'option',
        free: false,
      };
    const asked = unit ?? ownUnit;
    const { value, contradiction } = chooseValue(wishes, asked);
    return { ...common, value, unit: asked, source: 'simulation', free: true, contradiction };
  }

  async apply(): Promise<void> {}

  async valveState(): Promise<boolean> {
    return false;
  }

  async identify(): Promise<Identity> {
    return { devices: [], buses: [] };
  }

  async call(): Promise<ApiAnswer> {
    return { status: 200, body: {} };
  }

  async confirmLease(): Promise<boolean> {
    return true;
  }

  async safeState(): Promise<SafeStateReport> {
    return { ok: true, steps: [] };
  }

  async release(): Promise<void> {}
}
