import type { Config } from '../../rig/configuration/types.ts';
import { LUNG_ID } from '../../rig/device-kinds/lung.ts';
import { PUMP_ID } from '../../rig/device-kinds/pump.ts';
import { valveIdsOf } from '../../rig/hardware/names.ts';
import { InterlockRules, type Trip } from '../../rig/interlocks/interlock-rules.ts';
import { interlocksOf } from '../../rig/interlocks/interlocks-of.ts';
import type { KnownStates } from '../../rig/interlocks/known-states.ts';
import { registryOf } from '../../rig/registry/registry-of.ts';
import type { StepName, StepReport } from '../../rig/safe-state/report.ts';
import type { ReadBack } from './read-back.ts';
import { interlocked } from './refusal.ts';

/** The interlocks of the rig, and what the bridge knows of its actuators. */
export class ActuatorRules {
  readonly #states: KnownStates;
  readonly #interlocks: InterlockRules;
  readonly #readBack: ReadBack;
  readonly #valveIds: readonly string[];
  readonly #ids: readonly string[];

  /** @throws ConfigError for interlocks that this rig cannot keep */
  constructor({ config, states, readBack }: { config: Config; states: KnownStates; readBack: ReadBack }) {
    this.#states = states;
    this.#readBack = readBack;
    this.#valveIds = valveIdsOf(config.plugins);
    this.#ids = [PUMP_ID, LUNG_ID, ...this.#valveIds];
    this.#interlocks = new InterlockRules(interlocksOf(config.interlocks, registryOf(config)));
    // A plant begins at rest; a real rig is unknown until its first safe state.
    if (config.hardwareMode === 'mock') for (const id of this.#ids) this.#states.confirm(id, false);
  }

  /**
   * Sends a command that switches an actuator on, if no interlock forbids it. Between the judgement and the first byte
   * nothing can come.
   * @throws HttpError `interlock`
   */
  async switchOn<T>(id: string, task: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#interlocks.asks(id, LUNG_ID)) await this.#askLung(signal);
    signal.throwIfAborted();
    const broken = this.#interlocks.brokenBySwitchingOn(id, this.#states.of);
    if (broken.length > 0) throw interlocked(id, broken);
    return this.#keep(id, true, () => task(signal));
  }

  /** What has to go off together with an actuator, before it is switched off. */
  tripsOf(id: string): Trip[] {
    return this.#interlocks.tripsBySwitchingOff(id, this.#states.of);
  }

  /** Sends a safe-state command. */
  switchOff<T>(id: string, task: () => Promise<T>): Promise<T> {
    return this.#keep(id, false, task);
  }

  /** On by a command, or a command is being sent that may switch it on. */
  get isAnythingOn(): boolean {
    return this.#ids.some((id) => this.#states.mayBeOn(id));
  }

  /** Steps of a safe state have ended: what they confirmed is off, what they did not is unknown. */
  recordSafeState(steps: readonly StepReport[]): void {
    const proofs: readonly (readonly [StepName, readonly string[]])[] = [
      ['pump_zero', [PUMP_ID]],
      ['lung_halt', [LUNG_ID]],
      ['valves_verify', this.#valveIds],
    ];
    for (const [name, ids] of proofs) {
      const step = steps.find((one) => one.name === name);
      if (step) for (const id of ids) this.#states.confirm(id, step.ok ? false : undefined);
    }
  }

  async #keep<T>(id: string, state: boolean, task: () => Promise<T>): Promise<T> {
    const end = this.#states.begin(id, state);
    try {
      const result = await task();
      end(state);
      return result;
    } catch (thrown) {
      end(undefined);
      throw thrown;
    }
  }

  /** A motion ends by itself: one that was started may be over. Without an answer it counts as it did before. */
  async #askLung(signal: AbortSignal): Promise<void> {
    if (this.#states.of(LUNG_ID) === false) return;
    await this.#readBack.readLung(signal).catch(() => {});
  }
}
