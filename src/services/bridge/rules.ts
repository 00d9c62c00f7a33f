import { type Config, isValveBoard } from '../../lib/config/types.ts';
import { valveIdsOf } from '../../rig/hardware/names.ts';
import type { Component, LungStatus, PumpReading, Rig } from '../../rig/hardware/ports.ts';
import { InterlockRules, type Trip } from '../../rig/interlocks/interlock-rules.ts';
import { interlocksOf } from '../../rig/interlocks/interlocks-of.ts';
import { KnownStates } from '../../rig/interlocks/known-states.ts';
import { registryOf } from '../../rig/registry/registry-of.ts';
import type { StepName, StepReport } from '../../rig/safe-state/report.ts';
import type { SafeStateDevice } from '../../rig/safe-state/safe-state-keeper.ts';
import { interlocked } from './refusal.ts';

export const PUMP_ID = 'pump-main';
export const LUNG_ID = 'lung-main';

/** Devices that are looked at while something of them is on. */
export const WATCHED = ['valves', 'pump', 'lung'] as const;
export type Watched = (typeof WATCHED)[number];

/** The device of an actuator. @param id `valve-1`, `pump-main` or `lung-main` */
export function deviceOf(id: string): Watched {
  if (id === PUMP_ID) return 'pump';
  return id === LUNG_ID ? 'lung' : 'valves';
}

/** The interlocks of the rig, and what the bridge knows of its actuators. */
export class ActuatorRules {
  readonly #states = new KnownStates();
  readonly #interlocks: InterlockRules;
  readonly #rig: Rig;
  readonly #valveIds: readonly string[];
  readonly #onLost: (why: string) => void;

  /**
   * @param onLost told, for people, of what is not as it was commanded
   * @throws ConfigError for interlocks that this rig cannot keep
   */
  constructor(rig: Rig, config: Config, onLost: (why: string) => void) {
    this.#rig = rig;
    this.#onLost = onLost;
    this.#valveIds = valveIdsOf(config.plugins);
    this.#interlocks = new InterlockRules(interlocksOf(config.interlocks, registryOf(config)));
    // A plant begins at rest; a real rig is unknown until its first safe state.
    if (rig.mode === 'mock')
      for (const id of [PUMP_ID, LUNG_ID, ...this.#valveIds]) this.#states.confirm(id, false);
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

  /** State of all valves, open = true, read from the device. @throws RigError */
  async readValves(signal: AbortSignal): Promise<(boolean | undefined)[]> {
    const told = this.#valveIds.map((id) => this.#states.reading(id));
    const states = await this.#rig.valves.read(signal);
    const odd = told.flatMap((tell, coil) => {
      const open = states[coil];
      if (open === undefined || !tell(open)) return [];
      const [word, deed] = open ? ['open', 'opened'] : ['closed', 'closed'];
      return [`${this.#valveIds[coil]}: ${word} by read-back, and nobody has ${deed} it`];
    });
    if (odd.length > 0) this.#onLost(odd.join('; '));
    return states;
  }

  /** The pump, read from the device. @throws RigError */
  async readPump(signal: AbortSignal): Promise<PumpReading> {
    const tell = this.#states.reading(PUMP_ID);
    const reading = await this.#rig.pump.read(signal);
    const isOn = reading.enabled && reading.duty > 0;
    // Who runs it at its own service is not our concern.
    if (tell(isOn) && !isOn)
      this.#onLost(`${PUMP_ID}: it stands still by read-back, and nobody has stopped it`);
    return reading;
  }

  /** The lung, read from the device. @throws RigError */
  async readLung(signal: AbortSignal): Promise<LungStatus> {
    const tell = this.#states.reading(LUNG_ID);
    const status = await this.#rig.lung.read(signal);
    const isOdd = tell(status.moving) && !status.moving;
    if (isOdd && !hadEnded(status)) this.#onLost(`${LUNG_ID}: ${earlyEnd(status)}`);
    return status;
  }

  /** Whether an actuator of this device was switched on and has not been seen to be off since. */
  isHeldOn(device: Watched): boolean {
    const ids = { valves: this.#valveIds, pump: [PUMP_ID], lung: [LUNG_ID] }[device];
    return ids.some((id) => this.#states.isHeldOn(id));
  }

  /** Reads it back. @throws RigError */
  async look(device: Watched, signal: AbortSignal): Promise<void> {
    if (device === 'valves') await this.readValves(signal);
    else if (device === 'pump') await this.readPump(signal);
    else await this.readLung(signal);
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

  /** Whether what is known of the device says that a command would get to it. */
  isReachable(device: SafeStateDevice): boolean {
    const isOne = ({ id }: Component) =>
      device === 'valves' ? isValveBoard(id) : id === { pump: 'pump-motor', lung: 'lung-motor' }[device];
    return this.#rig.components.filter(isOne).every((one) => one.known().status === 'ok');
  }

  async #keep<T>(id: string, state: boolean, task: () => Promise<T>): Promise<T> {
    const end = this.#states.begin(id);
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
    await this.readLung(signal).catch(() => {});
  }
}

function earlyEnd({ cyclesDone, cyclesTotal, lastMotionError }: LungStatus): string {
  if (cyclesTotal === 0)
    return 'it stands still and knows of no motion: it was started anew, and nobody has stopped it';
  const why = lastMotionError ?? 'it does not say why';
  return `it stands still after ${cyclesDone} of ${cyclesTotal} cycles, and nobody has stopped it: ${why}`;
}

/** A lung that had made all its cycles when it was halted was not stopped by it. */
export const hadEnded = ({ cyclesDone, cyclesTotal }: LungStatus): boolean =>
  cyclesTotal > 0 && cyclesDone >= cyclesTotal;
