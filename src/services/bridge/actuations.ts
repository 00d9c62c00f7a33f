import { endOrTime } from '../../lib/clock/bounded.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import type { Percent } from '../../lib/quantity.ts';
import { ACTUATOR_KINDS, type ActuatorRole } from '../../rig/device-kinds/index.ts';
import { LUNG_ID } from '../../rig/device-kinds/lung.ts';
import { PUMP_ID } from '../../rig/device-kinds/pump.ts';
import { ActuationQueue } from '../../rig/hardware/actuation-queue.ts';
import type { DeviceNames } from '../../rig/hardware/names.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import { stepSpec } from '../../rig/safe-state/report.ts';
import { deviceOf, hadEnded } from './read-back.ts';
import type { ActuatorRules } from './rules.ts';
import { tripFailed, withTripped } from './rules-tripped.ts';

/** What was last commanded and confirmed. */
export interface Targets {
  valves: (boolean | null)[];
  pumpPercent: Percent | null;
}

/** What came of a safe-state command. */
export interface SafeCommand<T> {
  result: T;
  /** Ids of the interlocks that switched other actuators off with it. */
  tripped: string[];
}

export interface ActuationsOptions {
  rig: Rig;
  names: DeviceNames;
  rules: ActuatorRules;
  targets: Targets;
  clock: Clock;
  log: (line: string) => void;
  /** What an interlock wanted off could not be switched off. */
  onNotKept: () => void;
}

/** Switches actuators, each device in turn. Whether it may be switched on is asked before. */
export class Actuations {
  readonly #options: ActuationsOptions;
  readonly #queues = Object.fromEntries(
    ACTUATOR_KINDS.map(({ role, names: [plugin] }) => [role, new ActuationQueue(plugin)]),
  ) as Readonly<Record<ActuatorRole, ActuationQueue>>;

  constructor(options: ActuationsOptions) {
    this.#options = options;
  }

  /**
   * Switches on, once, behind what waits for the same device.
   * @param wait aborts while it still waits; what has started is not stopped by it
   * @throws HttpError `interlock`; RigError of the device, `superseded`, `device_busy`
   */
  switchOn<T>(id: string, task: (signal: AbortSignal) => Promise<T>, wait?: AbortSignal): Promise<T> {
    return this.#queueOf(id).run((stop) => this.#options.rules.switchOn(id, task, stop), wait);
  }

  /** Ends what waits and runs. @param by for people */
  supersede(by: string): void {
    for (const queue of Object.values(this.#queues)) queue.supersede(by);
  }

  /**
   * Switches off, ahead of all that waits, which ends as superseded; the causes of interlocks first.
   * @param command for people
   * @throws RigError of the device; when an interlock could not be kept, `onNotKept` is called too
   */
  async switchOff<T>(id: string, command: string, task: () => Promise<T>): Promise<SafeCommand<T>> {
    const { rules, clock, log, onNotKept } = this.#options;
    const trips = rules.tripsOf(id);
    this.#queueOf(id).supersede(command);
    const others = trips.flatMap(({ rule, off }) => {
      log(`interlock ${rule}: ${command} switches off ${off.join(', ')} too`);
      return off.map((other) => this.#switchOff(other, `the interlock ${rule}`));
    });
    const causes = Promise.allSettled(others);
    // No longer than a safe state gives the same step: a pump that cannot be stopped does not keep the valve open.
    if (others.length > 0) await endOrTime(causes, clock, stepSpec('pump_zero').capMs);
    const [[own], outcomes] = await Promise.all([Promise.allSettled([rules.switchOff(id, task)]), causes]);
    const idle = outcomes.flatMap((one) =>
      one.status === 'fulfilled' && one.value.wasIdle ? [one.value.id] : [],
    );
    const tripped = trips
      .filter(({ off }) => off.some((other) => !idle.includes(other)))
      .map(({ rule }) => rule);
    const failed = outcomes.find((one) => one.status === 'rejected');
    if (failed) {
      onNotKept();
      throw tripFailed(failed.reason, command, tripped);
    }
    if (own.status === 'rejected') throw withTripped(own.reason, tripped);
    return { result: own.value, tripped };
  }

  /** Switches an actuator off for an interlock. */
  async #switchOff(id: string, command: string): Promise<{ id: string; wasIdle: boolean }> {
    const { rig, rules, targets, names } = this.#options;
    this.#queueOf(id).supersede(command);
    if (id === LUNG_ID) {
      const status = await rules.switchOff(id, () => rig.lung.stop());
      return { id, wasIdle: hadEnded(status) };
    }
    if (id === PUMP_ID) {
      await rules.switchOff(id, () => rig.pump.setPower(0));
      targets.pumpPercent = 0;
    } else {
      const coil = names.valveIds.indexOf(id);
      await rules.switchOff(id, () => rig.valves.set(coil, false));
      targets.valves[coil] = false;
    }
    return { id, wasIdle: false };
  }

  #queueOf(id: string): ActuationQueue {
    return this.#queues[deviceOf(id)];
  }
}
