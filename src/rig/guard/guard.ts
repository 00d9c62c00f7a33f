import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { isAlive, type ProcessId } from '../../lib/proc.ts';
import type { Config } from '../configuration/types.ts';
import type { OperatorStopLatch, StopRequest } from '../safe-state/operator-stop.ts';
import { outcomeOf } from '../safe-state/report.ts';
import { endedSafe } from './bridge-end.ts';
import { BRIDGE, GUARD, PARTNER } from './bridge-life.ts';
import { type BridgeLoss, BridgeWatch } from './bridge-watch.ts';
import { type EmergencyOptions, makeSafeWithoutBridge } from './emergency.ts';
import { type GuardReport, writeGuardReport } from './guard-report.ts';
import { isServedHere, OWNED, OWNED_IDS, type OwnedId, preloadDrivers, STEPS_OF } from './guard-rig.ts';
import { OperatorStopHandler } from './operator-stop-handler.ts';
import type { PulseLine } from './pulse-led.ts';
import { PulseOutput } from './pulse-output.ts';
import { PulsePermission } from './pulse-permission.ts';
import { writeReaction } from './reaction.ts';
import { Rehearsals, type Rehearse } from './rehearsals.ts';
import { Retries } from './retries.ts';
import { ServiceWatch } from './service-watch.ts';

export interface GuardOptions {
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  stateDir: string;
  clock: Clock;
  logger: Logger;
  identity: () => LockHolder;
  /** Default `never`. */
  rehearse?: Rehearse;
  onStep?: EmergencyOptions['onStep'];
  operatorStop: OperatorStopLatch;
  /** It only watches until `lead`: another guard acts. */
  isPartner?: boolean;
  /** It ends with its first stop, and cannot hand that to a later bridge. */
  isOnce?: boolean;
  /** Feeds the watchdog relay, where `config.pulse` names one. */
  pulseLine?: PulseLine | undefined;
  /** Whether the supply is on, for people and for the partner, has changed. @param whyOff undefined while it is on */
  onSupply?: (whyOff: string | undefined) => void;
}

interface Work extends Pick<EmergencyOptions, 'reason' | 'kill'> {
  isRetry?: boolean;
}

/** An operator's stop that has failed is tried once more when it has not taken longer; an operator waits. */
const REPEAT_WITHIN_MS = 5000;
/** For the life line of a bridge, where there is one. */
const LOOK_MS = 300;
const POLL_MS = 10;
/** It looks at the bridge with each heartbeat, at the latest every 125 ms. */
const WATCH_LIMIT_MS = 1000;
/** Key of the whole rig among the retries. */
const RIG = 'rig';

/**
 * The right to make safe: watches the bridge and the services that own actuators; when one of them dies or stands still
 * without having left its devices safe, it does so itself.
 */
export class Guard {
  readonly #options: GuardOptions;
  readonly #watch: BridgeWatch;
  readonly #services = new Map<OwnedId, ServiceWatch>();
  /** What every safe state is made with. */
  readonly #means: Omit<EmergencyOptions, 'reason' | 'kill'>;
  readonly #stopHandler: OperatorStopHandler;
  readonly #rehearsals: Rehearsals | undefined;
  readonly #retries: Retries;
  readonly #pulse: PulseOutput | undefined;
  /** Operator's stops under way: meanwhile the watch is needed. */
  readonly #stops = new Set<Promise<unknown>>();
  /** The safe state under way. */
  #running: Promise<GuardReport> | undefined;
  /** The last safe state of the whole rig, with what has been done for single devices since; undefined once a bridge is there. */
  #ofRig: GuardReport | undefined;
  /** Single devices that are being made safe. */
  readonly #devices = new Map<OwnedId, Promise<void>>();
  #leads: boolean;
  #isStopped = false;

  constructor(options: GuardOptions) {
    const { config, stateDir, clock, operatorStop } = options;
    const rig = rigKey(stateDir);
    this.#options = options;
    this.#leads = options.isPartner !== true;
    this.#retries = new Retries(clock);
    this.#watch = new BridgeWatch({
      address: liveAddress(BRIDGE, rig),
      clock,
      name: () => (this.#leads ? GUARD : PARTNER),
      operatorStop,
      about: () => this.#supplyNotice,
      acts: () => this.#leads,
      onLost: (loss, why, mark, isRehearsal) => this.#bridgeLost(isRehearsal ? 'rehearsal' : loss, why, mark),
      onSeen: () => {
        this.#retries.done(RIG);
        this.#ofRig = undefined;
        this.#tellWatched(BRIDGE, this.#watch.bridge?.mark.pid);
      },
      onRehearsal: (answer) => {
        if (this.#leads) this.#rehearsals?.answered(answer);
      },
    });
    for (const id of OWNED_IDS) {
      const plugin = config.plugins.find((one) => one.id === id);
      if (!plugin || !isServedHere(plugin) || plugin.connection?.type !== 'http') continue;
      const { baseUrl } = plugin.connection;
      const watch = new ServiceWatch({
        service: OWNED[id],
        address: liveAddress(OWNED[id], rig),
        baseUrl,
        clock,
        onSeen: (pid) => this.#tellWatched(OWNED[id], pid),
        onLost: (why) => void this.#serviceLost(id, why),
        onBack: () => {
          this.#retries.done(id);
          if (!this.#leads) return;
          options.logger.info(`the service of ${id} answers again`, { device: id });
        },
      });
      this.#services.set(id, watch);
    }
    const signOf = (id: OwnedId) => this.#services.get(id)?.sign ?? 'unknown';
    this.#means = { ...options, watch: this.#watch, signOf };
    const { rehearse = 'never', logger } = options;
    this.#pulse = this.#pulseOutput();
    if (rehearse !== 'never')
      this.#rehearsals = new Rehearsals({
        ...{ stateDir, clock, logger, isEager: rehearse === 'eager' },
        ask: () => this.#watch.rehearse(),
      });
    this.#stopHandler = new OperatorStopHandler({
      watch: this.#watch,
      clock,
      makeSafe: (asked, kill) => this.#stopInsteadOfBridge(asked, kill),
      isInForce: (id) => operatorStop.current?.id === id,
    });
  }

  start(): void {
    void preloadDrivers(this.#options.config);
    this.#watch.start();
    if (this.#leads) {
      this.#rehearsals?.start();
      this.#pulse?.start();
    }
    for (const service of this.#services.values()) service.start();
  }

  /** To the bridge, with the name of this guard. */
  get #supplyNotice(): JsonLine {
    if (!this.#pulse) return {};
    const { whyOff, testedAt } = this.#pulse;
    const relay = testedAt === undefined ? {} : { relay_tested_at: new Date(testedAt).toISOString() };
    return { supply_off: whyOff ?? null, ...relay };
  }

  #pulseOutput(): PulseOutput | undefined {
    const { config, clock, logger, pulseLine: line, isOnce, onSupply } = this.#options;
    if (!config.pulse || !line || isOnce) return undefined;
    const permission = new PulsePermission({
      watch: this.#watch,
      clock,
      isAtRest: () => this.#leads && !this.#isBusy && this.#retries.isIdle,
    });
    return new PulseOutput({
      ...{ line, hz: config.pulse.hz, clock },
      mayPulse: () => permission.isGiven,
      isProvenSafe: () => permission.isProvenAnew(),
      onInterrupted: () => permission.forget(),
      onChange: () => {
        const why = this.#pulse?.whyOff;
        if (why === undefined) logger.info('pulses go out: the supply of the actuators is on');
        else logger.warn(`the supply of the actuators is off: ${why}`);
        onSupply?.(why);
        // The bridge switches nothing on without it.
        this.#watch.sayName();
      },
      log: (line) => logger.error(line),
    });
  }

  /**
   * From now on it acts, first of all on what it sees lost.
   * @param suppliedUntil the guard before it has kept the supply on until just now, monotonic milliseconds
   */
  lead(suppliedUntil?: number): void {
    if (this.#leads) return;
    this.#leads = true;
    // First: with its name it reports to the bridge whether the supply is on.
    this.#pulse?.start(suppliedUntil);
    this.#watch.lead();
    this.#rehearsals?.start();
    this.#tellWatched(BRIDGE, this.#watch.bridge?.mark.pid);
    for (const [id, service] of this.#services) {
      this.#tellWatched(OWNED[id], service.pid);
      if (service.lost !== undefined) void this.#serviceLost(id, service.lost);
    }
  }

  #tellWatched(service: string, pid: number | undefined): void {
    if (this.#leads && pid !== undefined) this.#options.logger.info(`watching ${service} (pid ${pid})`);
  }

  /** Ends the watch; a stop or a safe state under way is finished first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#stops);
    this.#watch.stop();
    this.#pulse?.stop();
    this.#rehearsals?.stop();
    for (const service of this.#services.values()) service.stop();
    this.#retries.clear();
    await Promise.all([this.#running, ...this.#devices.values()]);
    this.#retries.clear();
  }

  /**
   * Another guard of this process takes over, with another configuration: when it sees the bridge that this one
   * sees, and nothing is under way here. Two that act would take the locks from each other.
   * @param taken from then on stops go to the next one
   */
  async handOver(next: Guard, taken: () => void): Promise<void> {
    const { clock } = this.#options;
    next.start();
    const until = clock.monotonic() + LOOK_MS;
    const isReady = () => next.hasBridge || (!this.hasBridge && clock.monotonic() >= until);
    while (!this.#isStopped && (this.#isBusy || !isReady())) await clock.sleep(POLL_MS);
    if (this.#isStopped) return next.stop();
    taken();
    await this.stop();
    if (this.#leads) next.lead();
  }

  get #isBusy(): boolean {
    return this.#running !== undefined || this.#stops.size > 0 || this.#devices.size > 0;
  }

  /** Whether it watches: it has looked at the bridge within `WATCH_LIMIT_MS`. */
  get isWatching(): boolean {
    return this.#options.clock.monotonic() - this.#watch.tickedAt < WATCH_LIMIT_MS;
  }

  /** Whether a bridge lives that the guard would ask first. */
  get hasBridge(): boolean {
    return this.#watch.bridge !== undefined;
  }

  /**
   * An operator's stop: by the bridge when it lives, else by the guard. It stays until a person clears it. Never
   * rejects.
   */
  operatorStop(asked: StopRequest): Promise<GuardReport> {
    const stop = this.#operatorStop(asked).finally(() => this.#stops.delete(stop));
    this.#stops.add(stop);
    return stop;
  }

  async #operatorStop(asked: StopRequest): Promise<GuardReport> {
    const startedAt = this.#options.clock.monotonic();
    const first = await this.#tryToStop(asked);
    const tookMs = this.#options.clock.monotonic() - startedAt;
    if (first.ok || tookMs > REPEAT_WITHIN_MS) return first;
    // Under load a device answers too late, and a hung bridge is distinguished late from an absent one.
    const second = await this.#tryToStop(asked);
    const killed = [...first.killed, ...second.killed];
    return { ...second, killed, duration_ms: Math.round(tookMs) + second.duration_ms };
  }

  async #tryToStop(asked: StopRequest): Promise<GuardReport> {
    const report = await this.#stopHandler.stop(asked);
    return report.ok ? report : this.#stopOwned(report);
  }

  /**
   * A service that hangs keeps bridge and guard from its device: it has had its time by now, so it is ended, and the
   * device is driven directly (SVC-055). @returns the report with what came of that
   */
  async #stopOwned(report: GuardReport): Promise<GuardReport> {
    const failed = report.steps.flatMap(({ ok, name }) => (ok ? [] : [name]));
    const ids = [...this.#services.keys()].filter((id) => STEPS_OF[id].some((name) => failed.includes(name)));
    if (ids.length === 0) return report;
    await Promise.all(ids.map((id) => this.#devices.get(id)));
    const { signOf } = this.#means;
    const made = makeSafeWithoutBridge({
      ...this.#means,
      reason: 'operator',
      kill: undefined,
      only: ids.flatMap((id) => [...STEPS_OF[id]]),
      signOf: (id) => (signOf?.(id) === 'heard' ? 'heard' : 'silent'),
    });
    for (const id of ids)
      this.#devices.set(
        id,
        made.then(() => void this.#devices.delete(id)),
      );
    const { steps: again, killed, duration_ms, bench } = await made;
    const whole: GuardReport = {
      ...withSteps(report, { steps: again }),
      by: GUARD,
      bench: report.bench || bench,
      killed: [...report.killed, ...killed],
      duration_ms: report.duration_ms + duration_ms,
    };
    this.#tell(whole);
    return whole;
  }

  /** In the bridge's place: in force for the next bridge before anything else. */
  async #stopInsteadOfBridge(asked: StopRequest, kill?: ProcessId): Promise<GuardReport> {
    const { operatorStop, isOnce = false } = this.#options;
    const stop = operatorStop.set(asked, 'operator');
    const report = await this.makeSafe('operator', kill);
    const persisted = await operatorStop.recorded();
    if (!stop) return report;
    const isKept = persisted || !isOnce || this.#watch.bridge?.stopId === stop.id;
    return { ...report, operator_stop: { ...stop, persisted, ...(isKept ? {} : { in_force: false }) } };
  }

  /** Runs the safe state, or joins the one under way. Never rejects. @param kill the bridge to end first */
  makeSafe(reason: string, kill?: ProcessId): Promise<GuardReport> {
    // The one under way may know nothing of this bridge.
    if (this.#running && kill)
      return this.#running.then((report) => (isAlive(kill) ? this.makeSafe(reason, kill) : report));
    return this.#run({ reason, kill });
  }

  #run(work: Work): Promise<GuardReport> {
    this.#running ??= this.#perform(work).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #bridgeLost(loss: BridgeLoss | 'rehearsal', why: string, mark: ProcessId | undefined): void {
    const { stateDir, logger } = this.#options;
    const fields = { loss, ...(mark ? { bridge_pid: mark.pid } : {}) };
    if (loss === 'rehearsal') {
      logger.info(`${BRIDGE} acts as if it stood still; the guard ends it and makes the rig safe`, fields);
      void this.makeSafe(loss, mark);
      return;
    }
    if (loss !== 'hung' && endedSafe(stateDir, mark?.pid)) {
      logger.info(`${BRIDGE} is not there and has left the rig safe`, fields);
      return;
    }
    logger.error(`${BRIDGE} is lost: ${why}; the guard makes the rig safe`, fields);
    void this.makeSafe(`bridge_${loss}`, mark);
  }

  async #serviceLost(id: OwnedId, why: string): Promise<void> {
    if (!this.#leads) return;
    const line = `the service of ${id} is not responding: ${why}; the guard makes its device safe`;
    this.#options.logger.error(line, { device: id });
    // What runs already may have asked the service before it was known to be lost.
    await Promise.all([this.#running, this.#devices.get(id)]);
    this.#makeDeviceSafe(id);
  }

  #makeDeviceSafe(id: OwnedId): void {
    // A new one has come: it stops its device itself, before all else, until that is proven.
    if (this.#services.get(id)?.lost === undefined || this.#devices.has(id)) return;
    const work = this.#performFor(id).finally(() => this.#devices.delete(id));
    this.#devices.set(id, work);
  }

  async #performFor(id: OwnedId): Promise<void> {
    const reason = `service_lost_${id}`;
    const report = await makeSafeWithoutBridge({
      ...this.#means,
      reason,
      kill: undefined,
      only: STEPS_OF[id],
    });
    this.#tell(report, true);
    if (report.ok) this.#retries.done(id);
    else this.#retries.again(id, () => this.#makeDeviceSafe(id));
  }

  async #perform({ reason, kill, isRetry }: Work): Promise<GuardReport> {
    const made = await makeSafeWithoutBridge({ ...this.#means, reason, kill });
    // How long another try takes is no reaction to anything.
    const report = isRetry ? { ...made, reaction_ms: null } : made;
    this.#tell(report);
    // A rig that could not be made safe is tried again for as long as no other guard is there to do it.
    if (report.ok || this.#watch.bridge) this.#retries.done(RIG);
    else this.#retries.again(RIG, () => void this.#run({ reason, kill: undefined, isRetry: true }));
    return report;
  }

  /** @param isOfOneDevice its steps take the place of the same ones of a rig that was not made safe */
  #tell(report: GuardReport, isOfOneDevice = false): void {
    const { logger, stateDir } = this.#options;
    if (!isOfOneDevice) this.#ofRig = report;
    else if (this.#ofRig?.ok === false) this.#ofRig = withSteps(this.#ofRig, report);
    try {
      writeGuardReport(stateDir, this.#ofRig?.ok === false ? this.#ofRig : report);
      writeReaction(stateDir, report);
    } catch (fault) {
      logger.warn(`the report cannot be saved: ${reasonOf(fault)}`);
    }
    const { outcome, reason, duration_ms, by, killed } = report;
    for (const { name, status, verified, duration_ms: took, detail } of report.steps) {
      const line = `${name} ${status}: ${detail}`;
      const fields = { step: name, status, verified, duration_ms: took };
      if (status === 'failed' || status === 'timeout') logger.error(line, fields);
      else logger.info(line, fields);
    }
    logger.info(`safe state: ${outcome} (${reason}) by ${by} in ${duration_ms} ms`, {
      outcome,
      reason,
      duration_ms,
      by,
      killed,
      reaction_ms: report.reaction_ms,
    });
  }
}

/** @param again in the place of the steps of the same names */
function withSteps(
  report: GuardReport,
  again: Pick<GuardReport, 'steps'> & Partial<Pick<GuardReport, 'at'>>,
): GuardReport {
  const steps = report.steps.map((step) => again.steps.find(({ name }) => name === step.name) ?? step);
  const ok = steps.every((step) => step.ok);
  return { ...report, ...(again.at ? { at: again.at } : {}), ok, outcome: outcomeOf(steps), steps };
}
