import type { Config } from '../../lib/config/types.ts';
import { valveIdsOf } from '../../rig/hardware/names.ts';
import type { LungStatus, PumpReading, Rig } from '../../rig/hardware/ports.ts';
import { InterlockRules, type Trip } from '../../rig/interlocks/interlock-rules.ts';
import { interlocksOf } from '../../rig/interlocks/interlocks-of.ts';
import { KnownStates } from '../../rig/interlocks/known-states.ts';
import { registryOf } from '../../rig/registry/registry-of.ts';
import type { SafeStateReport, StepName } from '../../rig/safe-state/report.ts';
import { interlocked } from './refusal.ts';

export const PUMP_ID = 'pump-main';
export const LUNG_ID = 'lung-main';

/** Devices that are looked at while something of them is on. */
export const WATCHED = ['valves', 'pump', 'lung'] as const;
export type Watched = (typeof WATCHED)[number];

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

  /** A safe state has ended: what its steps confirmed is off, the rest is unknown. */
  recordSafeState({ steps }: SafeStateReport): void {
    const done = (name: StepName) => steps.some((step) => step.name === name && step.ok) || undefined;
    const off = (confirmed: true | undefined) => confirmed && false;
    this.#states.confirm(PUMP_ID, off(done('pump_zero')));
    this.#states.confirm(LUNG_ID, off(done('lung_halt')));
    for (const id of this.#valveIds) this.#states.confirm(id, off(done('valves_verify')));
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
