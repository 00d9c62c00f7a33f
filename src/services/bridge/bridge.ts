import type { Clock } from '../../lib/clock/clock.ts';
import { Expiry } from '../../lib/clock/expiry.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';
import type { Config } from '../../rig/configuration/types.ts';
import { type BridgeLife, SUPPLY_INTERRUPTED } from '../../rig/guard/bridge-life.ts';
import { DeviceNames } from '../../rig/hardware/names.ts';
import type { ComponentHealth, Rig } from '../../rig/hardware/ports.ts';
import type { PowerMonitor } from '../../rig/hardware/power.ts';
import { type Deviation, KnownStates } from '../../rig/interlocks/known-states.ts';
import { LeaseError } from '../../rig/lease/lease-error.ts';
import { LeaseTable } from '../../rig/lease/lease-table.ts';
import type { OperatorStopLatch, StopRequest } from '../../rig/safe-state/operator-stop.ts';
import type { SafeStateReport, StepReport } from '../../rig/safe-state/report.ts';
import { type SafeStateDevice, SafeStateKeeper } from '../../rig/safe-state/safe-state-keeper.ts';
import { Actuations, type SafeCommand, type Targets } from './actuations.ts';
import { ActuatorWatch } from './actuator-watch.ts';
import { LeaseGrants } from './lease-grants.ts';
import { deviceOf, ReadBack } from './read-back.ts';
import {
  awaitingGuard,
  duringSafeState,
  notSafe,
  operatorStopped,
  shuttingDown,
  stoppedText,
  undervoltage,
  withoutSupply,
} from './refusal.ts';
import { ActuatorRules } from './rules.ts';

export interface BridgeOptions {
  rig: Rig;
  config: Config;
  clock: Clock;
  power: PowerMonitor;
  metrics: Metrics;
  /** 128 random bits as 32 hexadecimal digits. */
  randomId: () => string;
  log: (line: string) => void;
  operatorStop: OperatorStopLatch;
  /** Real mode: by this the guard watches. */
  life?: BridgeLife;
}

type Value = number | boolean | string | null;

export interface KeptValue {
  currentValue: Value;
  targetValue: Value;
  /** Wall clock, milliseconds. */
  at: number;
}

/** Who asks for an actuation. */
export interface Requester {
  leaseId: string | undefined;
  /** Aborts when no caller waits for the answer any more. */
  signal: AbortSignal;
}

const DEVIATIONS = { lost: 'actuator_lost', unexpected: 'actuator_unexpected' } as const;

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
  readonly untypedPeripheralValues = new Map<string, KeptValue>();
  /** Components that are being asked how they are, by id. */
  readonly checks = new Map<string, Promise<ComponentHealth>>();
  /** Work that many may ask for at once. */
  readonly coalesced = new CoalescedCalls();
  readonly readBack: ReadBack;
  readonly rules: ActuatorRules;
  readonly grants = new LeaseGrants(this);
  readonly life: BridgeLife | undefined;
  /** While it is set nothing is switched on. */
  readonly operatorStop: OperatorStopLatch;
  readonly #hold: Expiry;
  readonly #watch: ActuatorWatch;
  readonly #actuations: Actuations;
  readonly #metrics: Metrics;
  #closing = false;
  /** What was lost last, for people. */
  #loss: string | undefined;
  /** Why the safe state ran last. */
  #safeStateReason = '';
  /** What was not proven when that was logged last. */
  #notSafe: string | null = null;

  constructor(options: BridgeOptions) {
    const { rig, config, clock, metrics } = options;
    this.rig = rig;
    this.config = config;
    this.clock = clock;
    this.power = options.power;
    this.log = options.log;
    this.life = options.life;
    this.operatorStop = options.operatorStop;
    this.#metrics = metrics;
    this.names = new DeviceNames(config.aliases, config.plugins);
    const states = new KnownStates();
    const onDeviation = this.#deviates.bind(this);
    this.readBack = new ReadBack({ rig, config, clock, states, onDeviation });
    this.rules = new ActuatorRules({ config, states, readBack: this.readBack });
    const { names, rules, targets, log } = this;
    const onNotKept = () => void this.makeSafe('interlock_not_kept');
    this.#actuations = new Actuations({ rig, names, rules, targets, clock, log, onNotKept });
    const isPaused = () => this.safeState.running;
    this.#watch = new ActuatorWatch({
      devices: this.readBack.devices,
      states,
      clock,
      isPaused,
      onLost: (why) => void this.actuatorLost(why),
    });
    this.leases = new LeaseTable({
      clock,
      randomId: options.randomId,
      onExpired: () => void this.makeSafe('lease_expired'),
    });
    this.#hold = new Expiry({
      clock,
      onExpired: () => void this.makeSafe('manual_hold_ended'),
    });
    this.safeState = new SafeStateKeeper({
      steps: rig.safeStateSteps,
      clock,
      mock: rig.mode === 'mock',
      onStart: (reason) => this.#endAllClaims(reason),
      onEnd: (report) => this.#record(report),
      onRepeated: (repeated, report) => this.#recordRepeated(repeated, report),
    });
    metrics.set('svc_hardware_mode', 1, { mode: rig.mode });
    metrics.set('svc_lease_active', 0);
  }

  /** Runs the safe state, or joins the one that runs. Never throws. */
  makeSafe(reason: string): Promise<SafeStateReport> {
    return this.safeState.run(reason);
  }

  /** Makes the rig safe and keeps it so until a person clears it. Never throws. @param reason for people */
  async stopByOperator(asked: StopRequest, reason: string): Promise<SafeStateReport> {
    this.operatorStop.set(asked, reason);
    const report = await this.makeSafe('operator');
    await this.operatorStop.recorded();
    return report;
  }

  /**
   * Switches an actuator on, once, under lease, supply and interlock rules.
   * @param id `valve-1`, `pump-main` or `lung-main`
   * @throws LeaseError, HttpError `operator_stop`, `safe_state_in_progress`, `undervoltage`, `interlock`; RigError
   * of the device
   */
  async actuate<T>(id: string, requester: Requester, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.admit(requester.leaseId);
    this.#refuseUnproven(id);
    const { undervoltageNow } = await this.power.state();
    this.#metrics.set('svc_undervoltage', undervoltageNow ? 1 : 0);
    if (undervoltageNow) throw undervoltage();
    // Asked again, for the lease may have ended meanwhile; from here to the queue nothing can come between.
    if (this.admit(requester.leaseId) === 'manual') this.#commandedByHand();
    const result = await this.#actuations.switchOn(id, task, requester.signal);
    this.#watch.switchedOn();
    return result;
  }

  /**
   * Closes the relay that nothing is wired to, and reads it back. Only for a rehearsal of the guard, which keeps
   * everybody else out meanwhile. @throws HttpError `undervoltage`; RigError of the device, `superseded`
   */
  async closeTestCoil(coil: number): Promise<void> {
    const { undervoltageNow } = await this.power.state();
    if (undervoltageNow) throw undervoltage();
    const id = this.names.valveIds[coil] ?? '';
    const close = (stop: AbortSignal) => this.rig.valves.set(coil, true, stop);
    await this.#actuations.switchOn(id, close);
  }

  /**
   * Runs a safe-state command (valve off, pump 0, lung stop, lung disable): always allowed, ahead of all that waits,
   * and what waits for the same actuator ends as superseded, so that it cannot undo the command. What an interlock
   * wants off with it, the cause, goes off first: a pump stands before its valve closes (SVC-056).
   * @throws RigError of the device; when an interlock could not be kept, the safe state runs too
   */
  async makeActuatorSafe<T>(id: string, command: string, task: () => Promise<T>): Promise<SafeCommand<T>> {
    if (this.#hold.active) this.#commandedByHand();
    return this.#actuations.switchOff(id, command, task);
  }

  /** From here on nothing moves any more; then the last safe state. */
  shutDown(reason: string): Promise<SafeStateReport> {
    this.#closing = true;
    this.#watch.close();
    this.safeState.close();
    this.life?.closing(reason);
    return this.makeSafe(reason);
  }

  /** An actuator that was on is out of command: nobody may count on the rest either. */
  async actuatorLost(why: string): Promise<void> {
    this.log(`actuator lost: ${why}`);
    if (this.#closing) return;
    this.#loss = why;
    await this.makeSafe(DEVIATIONS.lost);
  }

  /** A read-back shows what was not commanded: neither a run nor a person may count on the rest. */
  #deviates(kind: Deviation, device: SafeStateDevice, why: string): void {
    // A reading that was asked for before the safe state sees what that has done.
    if (this.#closing || this.safeState.running) return;
    if (kind === 'lost') void this.actuatorLost(why);
    // Before the first safe state nothing is known; what one could not switch off is repeated already.
    else if (this.safeState.last && !this.safeState.unproven.includes(device)) {
      this.log(`actuator unexpected: ${why}`);
      this.#loss = why;
      void this.makeSafe(DEVIATIONS.unexpected);
    }
  }

  /** From now on all outputs are read back. */
  watch(): void {
    this.#watch.begin();
  }

  /** A device is back: when the last safe state could not reach everything, it is made up for now. */
  async deviceReturned(): Promise<void> {
    if (this.safeState.running) await this.makeSafe('device_returned');
    if (this.#closing || this.safeState.running || this.safeState.last?.ok !== false) return;
    await this.makeSafe('device_returned');
  }

  /** @throws LeaseError, HttpError `operator_stop`, `safe_state_in_progress` */
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

  /** @throws HttpError `operator_stop` */
  refuseAfterOperatorStop(): void {
    const stop = this.operatorStop.current;
    if (!stop) return;
    // Recorded by the guard, without a word to this bridge.
    this.endUseAfterStop();
    throw operatorStopped(stop);
  }

  /** A stop that this bridge has not made is in force. */
  endUseAfterStop(): void {
    if (this.#hold.active || this.leases.current()) void this.makeSafe('operator');
  }

  /** What reads as open or running no longer is: nobody may count on it. */
  endUseWithoutSupply(): void {
    if (this.#hold.active || this.leases.current()) void this.makeSafe(SUPPLY_INTERRUPTED);
  }

  /** @throws HttpError `safe_state_in_progress` */
  refuseUninformed(): void {
    if (this.life?.awaitsGuard) throw awaitingGuard(this.life.guardPid);
  }

  /** @throws HttpError `operator_stop`, `safe_state_in_progress` */
  refuseDuringSafeState(): void {
    this.refuseAfterOperatorStop();
    this.refuseUninformed();
    if (this.#closing) throw shuttingDown();
    if (this.life?.isRehearsing) throw duringSafeState('rehearsal of the guard');
    const whyNoSupply = this.life?.whyNoSupply;
    if (whyNoSupply !== undefined) throw withoutSupply(whyNoSupply);
    if (this.safeState.running) throw duringSafeState(this.#safeStateReason);
  }

  /**
   * A device that is not proven to be safe is not switched on: the repeated safe state, which goes to all valve
   * boards, would end that. A single one that cannot be reached is left to say so itself.
   * @throws HttpError `not_safe`
   */
  #refuseUnproven(id: string): void {
    const device = deviceOf(id);
    const plugins = this.readBack.devices.filter((one) => one.device === device).map(({ plugin }) => plugin);
    const isAbsent = this.rig.components.some(
      (one) => plugins.includes(one.id) && one.known().status !== 'ok',
    );
    const mayBeOn = plugins.length > 1 || !isAbsent;
    if (this.safeState.unproven.includes(device) && mayBeOn)
      throw notSafe(this.safeState.notSafe ?? '', this.silent);
  }

  /** Plugins of actuators that are broken or away, as far as is known. One that another program has is neither. */
  get silent(): string[] {
    const plugins = this.readBack.devices.map(({ plugin }) => plugin);
    return this.rig.components.flatMap((one) =>
      plugins.includes(one.id) && !['ok', 'held'].includes(one.known().status) ? [one.id] : [],
    );
  }

  /** A lease takes over from the one that commanded by hand. */
  leaseTaken(): void {
    this.#hold.clear();
    this.#metrics.set('svc_lease_active', 1);
  }

  /** The holder left the actuators as they are: from here on they stand under the manual hold. */
  leaseGivenBackAsIs(): void {
    this.#metrics.set('svc_lease_active', 0);
    this.#commandedByHand();
  }

  /** Milliseconds until the manual hold ends; null while there is none. */
  get holdRemainingMs(): number | null {
    return this.#hold.remainingMs;
  }

  /** The time of the manual hold starts anew; where there is none, nothing begins. */
  renewHold(): void {
    if (this.#hold.active) this.#commandedByHand();
  }

  #commandedByHand(): void {
    this.#hold.renew(this.config.manualHoldS * 1000);
  }

  /**
   * Whether somebody may count on the rig: a lease, a manual hold, an operator's stop, or a safe state that is not
   * over and good.
   */
  get isInUse(): boolean {
    // First: a hold or a lease that is over begins the safe state here.
    const isHeld = this.#hold.active || this.leases.current() !== undefined;
    const { running, last } = this.safeState;
    const isSafe = !this.#closing && !running && last?.ok === true;
    return !isSafe || isHeld || this.operatorStop.current !== undefined;
  }

  #endAllClaims(reason: string): void {
    this.#safeStateReason = reason;
    this.life?.safeStateStarted(reason);
    const isLoss = Object.values<string>(DEVIATIONS).includes(reason);
    const loss = isLoss && this.#loss ? `: ${this.#loss}` : '';
    const stop = reason === 'operator' ? this.operatorStop.current : undefined;
    this.leases.revoke(
      stop ? stoppedText(stop) : `the safe state ran (${reason}${loss})`,
      stop ? { operator_stop: stop } : {},
    );
    this.#metrics.set('svc_lease_active', 0);
    this.#hold.clear();
    this.#actuations.supersede(`the safe state (${reason})`);
  }

  #record(report: SafeStateReport): void {
    this.life?.safeStateEnded(report);
    this.rules.recordSafeState(report.steps);
    if (report.ok) {
      this.targets.valves = this.names.valveIds.map(() => false);
      this.targets.pumpPercent = 0;
    }
    this.#metrics.count('svc_safe_state_total', { outcome: report.outcome });
    this.log(
      `safe state: ${report.outcome} (${report.reason}) in ${report.duration_ms} ms: ${stepsText(report.steps)}`,
    );
    this.#noteProof();
  }

  #recordRepeated(repeated: readonly StepReport[], report: SafeStateReport): void {
    this.rules.recordSafeState(repeated);
    // A device that stays silent for hours is reported once.
    if (this.safeState.notSafe !== this.#notSafe)
      this.log(`safe state repeated (${report.reason}): ${report.outcome}: ${stepsText(repeated)}`);
    if (report.ok) this.life?.safeStateProven(report);
    this.#noteProof();
  }

  #noteProof(): void {
    const { notSafe } = this.safeState;
    if (this.#notSafe !== null && notSafe === null) this.log('the rig is proven safe again');
    this.#notSafe = notSafe;
  }
}

const stepsText = (steps: readonly StepReport[]): string =>
  steps.map(({ name, status }) => `${name} ${status}`).join(', ');
