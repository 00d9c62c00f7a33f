import process from 'node:process';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { HeartbeatServer } from '../../lib/liveness/heartbeat-server.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { isListenedOn } from '../../lib/lock/lock-listener.ts';
import type { OperatorStopLatch } from '../safe-state/operator-stop.ts';
import { operatorStopOf } from '../safe-state/operator-stop-record.ts';
import type { SafeStateReport } from '../safe-state/report.ts';
import { removeBridgeEnd, writeBridgeEnd } from './bridge-end.ts';
import { listenerOf, runsForRealRig, runsProgram } from './process-id.ts';
import { Rehearsal, type RehearsalOptions } from './rehearsal.ts';
import type { SupplyReport } from './supply-report.ts';

export const BRIDGE = 'svc-bridge' as const;
export const GUARD = 'svc-guard';
/** The guard that watches the one that acts, to take its place. */
export const PARTNER = 'svc-guard-partner';

/** Key of the lock that the guard of a rig holds. */
export const guardLockKey = (stateDir: string): string => `${GUARD}-${rigKey(stateDir)}`;

export interface BridgeLifeOptions {
  stateDir: string;
  clock: Clock;
  /** ISO time. */
  startedAt: string;
  /** Members of the greeting beside what is known here: url, mode, bench. */
  about: () => Readonly<Record<string, unknown>>;
  log: (line: string) => void;
  rehearsal: Pick<RehearsalOptions, 'whyNot' | 'closeTestCoil' | 'makeSafe'>;
  operatorStop: OperatorStopLatch;
  /** Where the guard feeds a relay that carries the supply of the actuators. */
  supply?: SupplyReport | undefined;
  /** A guard has handed over a stop that was not known here. */
  onStop: () => void;
}

/** Reason of a safe state: the relay of the supply may have opened, and what was on would be on again with it. */
export const SUPPLY_INTERRUPTED = 'supply_interrupted';

/** For the report of a lock holder that is not seen to be a guard of this rig: a guard that responds reports twice a second. */
const STRANGER_LIMIT_MS = 10_000;
/** Since the last safe state: no command is under way. */
const REST_MS = 60_000;

/**
 * What the bridge shows to the guard: that it lives, when it makes the rig safe, and, when it ends, a record of how it left
 * the rig. Nothing here can fail a safe state: a record that cannot be written only makes the guard act.
 */
export class BridgeLife {
  readonly #options: BridgeLifeOptions;
  readonly #line: HeartbeatServer;
  readonly #rehearsal: Rehearsal;
  #closing: string | undefined;
  /** The guard has reported whether it holds a stop, or none runs. */
  #isInformed = false;
  readonly #guardLock: string;
  /** Monotonic, milliseconds. */
  readonly #begunAt: number;
  /** Monotonic, milliseconds. */
  #restsSince = Number.POSITIVE_INFINITY;
  /** Since this bridge began; null before the first one. */
  #safeState: { running: boolean; reason: string; outcome: string | null } | null = null;

  constructor(options: BridgeLifeOptions) {
    const { stateDir, clock, log, rehearsal } = options;
    this.#options = options;
    this.#guardLock = lockAddress(guardLockKey(stateDir));
    this.#begunAt = clock.monotonic();
    this.#line = new HeartbeatServer({
      address: liveAddress(BRIDGE, rigKey(stateDir)),
      clock,
      log,
      hello: () => this.#hello(),
      onLine: (line) => {
        if (line.rehearse === true) void this.#rehearsal.begin();
        if (line.supply_interrupted === true) void rehearsal.makeSafe(SUPPLY_INTERRUPTED);
        if (line.watch === GUARD) options.supply?.hear(line);
        this.#hearStop(line);
      },
    });
    options.operatorStop.onNotice((notice) => {
      this.#rehearsal.interrupt();
      this.#line.tell(notice);
    });
    this.#rehearsal = new Rehearsal({
      ...rehearsal,
      whyNot: () => rehearsal.whyNot() ?? this.#whyNotRested(),
      clock,
      log,
      tell: (line) => this.#line.tell(line),
      fallSilent: (ms) => this.#line.fallSilent(ms),
    });
  }

  /** Before anything may move. */
  open(): void {
    const { stateDir, log } = this.#options;
    try {
      removeBridgeEnd(stateDir);
    } catch (fault) {
      log(`the record of the last end cannot be removed, make ${stateDir} writable: ${reasonOf(fault)}`);
    }
    this.#line.open();
    this.#options.supply?.start();
  }

  get isGuarded(): boolean {
    return this.#line.isWatchedBy(GUARD);
  }

  /**
   * A guard runs and has not reported yet whether it holds an operator's stop, as it repeats twice a second: one that the
   * bridge before this one, or the guard itself, could not record. Nothing may be switched on until it has.
   */
  get awaitsGuard(): boolean {
    this.#isInformed ||= this.#isWithoutGuard || this.#isStranger;
    return !this.#isInformed;
  }

  /** No process acts as the guard of this rig, and none is about to: a partner that takes over holds no lock meanwhile. */
  get #isWithoutGuard(): boolean {
    if (isListenedOn(this.#guardLock)) return false;
    const { clock, stateDir } = this.#options;
    return clock.monotonic() - this.#begunAt >= STRANGER_LIMIT_MS || !runsForRealRig(GUARD, stateDir);
  }

  /** Holds the lock of the guard; undefined when no process does, or one that the kernel does not show to this account. */
  get guardPid(): number | undefined {
    return listenerOf(this.#guardLock)?.pid;
  }

  /** Who holds the lock has had its time to report, and is not a guard of this rig: it cannot hold a stop. */
  get #isStranger(): boolean {
    if (this.#options.clock.monotonic() - this.#begunAt < STRANGER_LIMIT_MS) return false;
    const holder = listenerOf(this.#guardLock);
    return !holder || !runsProgram(holder, GUARD);
  }

  /** The guard is about to end this bridge, to see how long it takes: nothing may move. */
  get isRehearsing(): boolean {
    return this.#rehearsal.isRunning;
  }

  safeStateStarted(reason: string): void {
    this.#rehearsal.interrupt();
    this.#restsSince = Number.POSITIVE_INFINITY;
    this.#safeState = { running: true, reason, outcome: null };
    this.#line.tell({ safe_state: this.#safeState });
  }

  safeStateEnded({ reason, outcome }: SafeStateReport): void {
    this.#safeState = { running: false, reason, outcome };
    this.#restsSince = this.#options.clock.monotonic();
    if (this.#closing !== undefined) this.#record(outcome, this.#closing);
    this.#line.tell({ safe_state: this.#safeState });
  }

  /** What was not proven by the last safe state is proven now. */
  safeStateProven({ reason, outcome }: SafeStateReport): void {
    this.#safeState = { running: false, reason, outcome };
    this.#line.tell({ safe_state: this.#safeState });
  }

  /** Of the actuators, as the guard reports it; null where no relay carries it. */
  get supply(): { off: string | null; relay_tested_at: string | null } | null {
    const { supply } = this.#options;
    return supply ? { off: supply.whyOff ?? null, relay_tested_at: supply.testedAt } : null;
  }

  /** Why nothing can be switched on; undefined where the supply is on, or no relay carries it. */
  get whyNoSupply(): string | undefined {
    return this.#options.supply?.whyOff;
  }

  /** From now on nothing moves any more; the next safe state to end is the last. */
  closing(reason: string): void {
    this.#closing = reason;
    this.#line.tell({ closing: true });
  }

  close(): void {
    this.#rehearsal.close();
    this.#options.supply?.stop();
    this.#line.close();
  }

  #hearStop({ watch, operator_stop: held }: JsonLine): void {
    if (held === undefined) return;
    const { operatorStop, onStop } = this.#options;
    const stop = operatorStopOf(held);
    if (stop && operatorStop.takeOver(stop, (notice) => this.#line.tell(notice))) onStop();
    if (watch === GUARD) this.#isInformed = true;
  }

  #whyNotRested(): string | undefined {
    const isRested = this.#options.clock.monotonic() - this.#restsSince >= REST_MS;
    return isRested ? undefined : 'the last safe state is less than 60 s ago';
  }

  #record(outcome: string, reason: string): void {
    const { stateDir, clock, startedAt, log } = this.#options;
    const at = new Date(clock.now()).toISOString();
    try {
      writeBridgeEnd(stateDir, { pid: process.pid, started_at: startedAt, outcome, reason, at });
    } catch (fault) {
      log(`how the rig was left cannot be recorded, the guard will look: ${reasonOf(fault)}`);
    }
  }

  #hello(): Readonly<Record<string, unknown>> {
    const { startedAt, about, operatorStop } = this.#options;
    return {
      service: BRIDGE,
      pid: process.pid,
      started_at: startedAt,
      closing: this.#closing !== undefined,
      safe_state: this.#safeState,
      ...operatorStop.notice,
      ...about(),
    };
  }
}
