import path from 'node:path';
import { Registry } from '../rig/registry/registry.ts';
import type { InterpreterOptions } from './interpreter-options.ts';
import { type Loaded, loadScenario } from './load.ts';
import { performRun } from './perform-run.ts';
import type { Result } from './run/result.ts';
import { StopSwitch } from './run/stop-switch.ts';
import { fileLoader } from './syntax/file-loader.ts';
import type { IncludeLoader } from './syntax/include-loader.ts';

export type { InterpreterOptions } from './interpreter-options.ts';

/** Reads, checks and runs a scenario. */
export class Interpreter {
  readonly #options: InterpreterOptions;
  /** Switches of the runs under way. */
  readonly #stops = new Set<StopSwitch>();

  constructor(options: InterpreterOptions = {}) {
    this.#options = { ...options, registry: options.registry ?? new Registry() };
  }

  /**
   * Aborts what runs: `first` with teardown and safe state, `second` with the safe state only.
   */
  abort(how: 'first' | 'second' = 'first', reason: unknown = undefined): void {
    for (const stop of this.#stops) {
      if (how === 'first') stop.abort(reason);
      else stop.skipTeardown(reason);
    }
  }

  /** Never rejects: what went wrong is in the result. */
  async run(source: string | Uint8Array, filename: string): Promise<Result> {
    const loaded = this.#load(source, filename);
    const stop = new StopSwitch(this.#options.signal, this.#options.hardSignal);
    this.#stops.add(stop);
    try {
      return await performRun(loaded, filename, this.#options, stop);
    } finally {
      this.#stops.delete(stop);
      stop.end();
    }
  }

  #load(source: string | Uint8Array, filename: string): Loaded {
    const { mode, strict, variables, registry } = this.#options;
    return loadScenario(source, filename, {
      loader: this.#loader(filename),
      rigSeverity: mode === 'execute' || strict ? 'error' : 'warning',
      ...(registry ? { registry } : {}),
      ...(variables ? { variables } : {}),
    });
  }

  #loader(filename: string): IncludeLoader {
    const { loader, libraryRoot } = this.#options;
    if (loader) return loader;
    const fromUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(filename);
    return fileLoader({
      ...(libraryRoot === undefined ? {} : { libraryRoot }),
      ...(fromUrl ? {} : { topDir: path.dirname(path.resolve(filename)) }),
    });
  }
}
