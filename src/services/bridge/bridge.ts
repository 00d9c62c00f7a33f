import type { Clock } from '../../lib/clock/clock.ts';
import type { Config } from '../../lib/config/types.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import { ActuationQueue } from '../../rig/hardware/actuation-queue.ts';
import { DeviceNames } from '../../rig/hardware/names.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import type { PowerMonitor } from '../../rig/hardware/power.ts';
import { LeaseError } from '../../rig/lease/lease-error.ts';
import { LeaseTable } from '../../rig/lease/lease-table.ts';
import { ManualHold } from '../../rig/lease/manual-hold.ts';
import type { SafeStateReport } from '../../rig/safe-state/report.ts';
import { SafeStateKeeper } from '../../rig/safe-state/safe-state-keeper.ts';

export interface BridgeOptions {
  rig: Rig;
  config: Config;
  clock: Clock;
  power: PowerMonitor;
  metrics: Metrics;
  /** 128 random bits as 32 hexadecimal digits. */
  randomId: () => string;
  log: (line: string) => void;
}

export interface Targets {
  valves: (boolean | null)[];
  pumpPercent: number | null;
}

type Value = number | boolean | string | null;

export interface KeptValue {
  currentValue: Value;
  targetValue: Value;
  /** Wall clock, milliseconds. */
  at: number;
}

/** Actuators that have a queue of their own. */
export type Actuator = 'valves' | 'pump' | 'lung';

/** Who asks for an actuation. */
export interface Requester {
  leaseId: string | undefined;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** The rules under which the rig moves: leases, manual hold, power gate, queues, and the safe state above all. */
export class Bridge {
  readonly rig: Rig;
  readonly config: Config;
  readonly clock: Clock;
  readonly names: DeviceNames;
  readonly leases: LeaseTable;
  readonly power: PowerMonitor;
  readonly safeState: SafeStateKeeper;
  readonly log: (line: string) => void;
  /** What was last commanded and confirmed; null before the first command. */
  readonly targets: Targets = { valves: [], pumpPercent: null };
  /** Values of peripherals without driver. */
  readonly keptValues = new Map<string, KeptValue>();
  readonly #hold: ManualHold;
  readonly #queues: Readonly<Record<Actuator, ActuationQueue>>;
  readonly #metrics: Metrics;
  #closing = false;

  constructor(options: BridgeOptions) {
    const { rig, config, clock, metrics } = options;
    this.rig = rig;
    this.config = config;
    this.clock = clock;
    this.power = options.power;
    this.log = options.log;
    this.#metrics = metrics;
    this.names = new DeviceNames(config.aliases);
    this.#queues = {
      valves: new ActuationQueue('modbus-io'),
      pump: new ActuationQueue('pump-motor'),
      lung: new ActuationQueue('lung-motor'),
    };
    this.leases = new LeaseTable({
      clock,
      randomId: options.randomId,
      onExpired: () => void this.makeSafe('lease_expired'),
    });
    this.#hold = new ManualHold({
      clock,
      holdMs: config.manualHoldS * 1000,
      onEnd: () => void this.makeSafe('manual_hold_ended'),
    });
    this.safeState = new SafeStateKeeper({
      steps: rig.safeStateSteps,
      clock,
      mock: rig.mode === 'mock',
      onStart: (reason) => this.#endAllClaims(reason),
      onEnd: (report) => this.#record(report),
    });
    metrics.set('svc_hardware_mode', 1, { mode: rig.mode });
    metrics.set('svc_lease_active', 0);
  }

  /** Runs the safe state, or joins the one that runs. Never throws. */
  makeSafe(reason: string): Promise<SafeStateReport> {
    return this.safeState.run(reason);
  }

  /**
   * Moves something, once, under the rules of services specification, sections 10.4 and 11.
   * @throws LeaseError, HttpError `safe_state_in_progress`, `undervoltage`; RigError of the device
   */
  async actuate<T>(
    actuator: Actuator,
    requester: Requester,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.admit(requester.leaseId);
    const { undervoltageNow } = await this.power.state();
    this.#metrics.set('svc_undervoltage', undervoltageNow ? 1 : 0);
    if (undervoltageNow) {
      throw new HttpError(
        'undervoltage',
        'the supply is under voltage, actuation is blocked until it recovers; safe-state commands still pass',
      );
    }
    // Asked again, for the lease may have ended meanwhile; from here to the queue nothing can come between.
    if (this.admit(requester.leaseId) === 'manual') this.#hold.touch();
    return this.#queues[actuator].run(task, requester.signal);
  }

  /**
   * Runs a safe-state command (valve off, pump 0, lung stop, lung disable): always allowed, ahead of all that waits,
   * and what waits for the same actuator ends as superseded, so that it cannot undo the command.
   */
  async makeActuatorSafe<T>(actuator: Actuator, command: string, task: () => Promise<T>): Promise<T> {
    this.#queues[actuator].supersede(command);
    if (this.#hold.active) this.#hold.touch();
    return task();
  }

  /** From here on nothing moves any more; then the last safe state. */
  shutDown(reason: string): Promise<SafeStateReport> {
    this.#closing = true;
    return this.makeSafe(reason);
  }

  /** An actuator that was on is out of command: nobody may count on the rest either. */
  async actuatorLost(why: string): Promise<void> {
    this.log(`actuator lost: ${why}`);
    if (!this.#closing) await this.makeSafe('actuator_lost');
  }

  /** A device is back: when the last safe state could not reach everything, it is made up for now. */
  async deviceReturned(): Promise<void> {
    if (this.safeState.running) await this.makeSafe('device_returned');
    if (this.#closing || this.safeState.running || this.safeState.last?.ok !== false) return;
    await this.makeSafe('device_returned');
  }

  /** @throws LeaseError, HttpError `safe_state_in_progress` */
  admit(leaseId: string | undefined): 'leased' | 'manual' {
    this.refuseDuringSafeState();
    const standing = this.leases.authorize(leaseId);
    if (standing === 'manual' && this.config.requireLease) {
      throw new LeaseError(
        'lease_required',
        'SVC_REQUIRE_LEASE=1: take a lease by POST /api/v1/lease and send its id as X-Lease-Id',
      );
    }
    return standing;
  }

  /** @throws HttpError `safe_state_in_progress` */
  refuseDuringSafeState(): void {
    if (this.#closing) {
      throw new HttpError('safe_state_in_progress', 'the service is shutting down and leaves the rig safe');
    }
    if (!this.safeState.running) return;
    throw new HttpError(
      'safe_state_in_progress',
      'the safe state is running; try again when it has ended, within 5 s',
    );
  }

  /** A lease takes over from whoever commanded by hand. */
  leaseTaken(): void {
    this.#hold.clear();
    this.#metrics.set('svc_lease_active', 1);
  }

  /** The holder left the actuators as they are: from here on they stand under the manual hold. */
  leaseGivenBackAsIs(): void {
    this.#metrics.set('svc_lease_active', 0);
    this.#hold.touch();
  }

  #endAllClaims(reason: string): void {
    this.leases.revoke();
    this.#metrics.set('svc_lease_active', 0);
    this.#hold.clear();
    for (const queue of Object.values(this.#queues)) queue.supersede(`the safe state (${reason})`);
  }

  #record(report: SafeStateReport): void {
    if (report.ok) {
      this.targets.valves = Array.from({ length: 8 }, () => false);
      this.targets.pumpPercent = 0;
    }
    this.#metrics.count('svc_safe_state_total', { outcome: report.outcome });
    const steps = report.steps.map((step) => `${step.name} ${step.status}`).join(', ');
    this.log(`safe state: ${report.outcome} (${report.reason}) in ${report.duration_ms} ms: ${steps}`);
  }
}
