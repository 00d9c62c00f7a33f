import type { ConfigFault } from './config-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads single variables and collects what is wrong with them. An empty variable counts as not set. */
export class EnvironmentReader {
  readonly faults: ConfigFault[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** @param byDefault also where the value is none of those allowed: the fault is kept then */
  oneOf<T extends string>(name: string, allowed: readonly T[], byDefault: T): T {
    const value = this.#env[name];
    if (!value) return byDefault;
    const known = allowed.find((one) => one === value);
    return known ?? this.#refuse(name, `must be ${allowed.join(' or ')}`, byDefault);
  }

  number(name: string, min: number, max: number, unit: string): number | undefined {
    const value = this.#env[name];
    if (!value) return undefined;
    const number = Number(value);
    if (value.trim() !== '' && Number.isFinite(number) && number >= min && number <= max) return number;
    return this.#refuse(name, `must be a number from ${min} to ${max} ${unit}`, undefined);
  }

  flag(name: string): boolean {
    const value = this.#env[name];
    if (!value || value === '0') return false;
    return value === '1' || this.#refuse(name, 'must be 0 or 1', false);
  }

  #refuse<T>(name: string, message: string, placeholder: T): T {
    this.faults.push({ path: name, value: JSON.stringify(this.#env[name]), message });
    return placeholder;
  }
}
