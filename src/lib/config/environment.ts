import type { ConfigFault } from './config-error.ts';
import type { HardwareMode } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads single variables and collects what is wrong with them. An empty variable counts as not set. */
export class EnvironmentReader {
  readonly faults: ConfigFault[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  hardwareMode(): HardwareMode {
    const name = this.#env.SVC_HARDWARE_MODE ? 'SVC_HARDWARE_MODE' : 'HARDWARE_MODE';
    const value = this.#env[name];
    if (!value) return 'mock';
    if (value === 'mock' || value === 'real') return value;
    return this.#refuse(name, 'must be mock or real', 'mock');
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
