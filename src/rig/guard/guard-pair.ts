import process from 'node:process';
import type { Clock } from '../../lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../lib/liveness/heartbeat-monitor.ts';
import { HeartbeatServer, WATCHER_SILENCE_MS } from '../../lib/liveness/heartbeat-server.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { acquireLock, LockHeldError, type LockHolder } from '../../lib/lock/lock.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { isAlive, type ProcessId, processIdOf, sameProcess } from '../../lib/proc.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { OperatorStopLatch } from '../safe-state/operator-stop.ts';
import { GUARD, guardLockKey, PARTNER } from './bridge-life.ts';
import { PARTNER_MARK } from './partner-mark.ts';
import { environmentOf, isOfRig, killMarked, listenerOf, runsProgram, wordsOf } from './process-id.ts';
import { LONGEST_GAP_MS } from './pulse-output.ts';

/** Between two attempts to take the lock; a process that watches the holder tries at once when it ends. */
const RETRY_MS = 50;
/** While the holder is watched its end wakes this process. */
const WATCHED_MS = 1000;
/** A guard that acts and hangs is ended after so long. */
const SILENCE_LIMIT_MS = 2000;
const LOOK_EVERY_MS = 250;
/** PM2 starts the one that it looks after within it: that one is the partner then. */
const ALONE_LIMIT_MS = 1000;
/** Until a partner that was started watches. */
const START_LIMIT_MS = 5000;
const KILL_LIMIT_MS = 1000;
/** A partner moves nothing and ends at once; one that acts finishes a safe state, at most 5 s. */
const PARTNER_END_MS = 1000;
const LEADER_END_MS = 7000;

interface Partner {
  mark: ProcessId;
  /** By the other guard, not by the supervisor. */
  isStarted: boolean;
}

export interface GuardPairOptions {
  stateDir: string;
  clock: Clock;
  logger: Logger;
  identity: () => LockHolder;
  /** Both keep it: the one that is left hands it to the next bridge. */
  operatorStop: OperatorStopLatch;
  /** This guard feeds the relay of the supply, which is on. Default: there is no relay. */
  isSupplyOn?: () => boolean;
  /** Starts another guard; without it this one stays alone. @returns its pid; undefined when it could not be started */
  startPartner?: () => number | undefined;
  /** Once, when another guard acts and this one watches it. */
  onStandby?: () => void;
}

/**
 * Two processes guard a rig. The one with the lock acts; its partner watches it by its life line, ends it when it hangs, and
 * takes the lock as soon as it is free. The one that acts looks after its partner in the same way. Neither is special:
 * whichever the supervisor starts again becomes the partner of the other.
 */
export class GuardPair {
  readonly #options: GuardPairOptions;
  readonly #address: string;
  readonly #key: string;
  readonly #line: HeartbeatServer;
  readonly #watch: HeartbeatMonitor;
  /** Ends the wait for the next attempt to take the lock. */
  #wake = () => {};
  #leads = false;
  #isEnding = false;
  /** Pids of partners that wait for this process to end before they do. */
  readonly #endingPartners = new Set<number>();
  #cancelLook = () => {};
  /** Monotonic, milliseconds. */
  #aloneSince = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** The partner that was started last: it may not watch yet. */
  #started: ProcessId | undefined;
  /** The partner that was looked up last. */
  #known: Partner | undefined;
  /** Since then the holder of the lock does not say its name and has no life line. */
  #muteSince: number | undefined;
  #isTold = false;
  /** It is being killed. */
  #killed: ProcessId | undefined;
  /** The other guard has reported that the supply is on. */
  #hadSupply = false;
  /** The last sign of life of the other guard, monotonic milliseconds. */
  #otherAt = Number.NEGATIVE_INFINITY;
  /** Of the lock, as the last attempt to take it has found. */
  #holder: LockHolder | null = null;

  constructor(options: GuardPairOptions) {
    const { stateDir, clock, logger, operatorStop } = options;
    this.#options = options;
    this.#key = guardLockKey(stateDir);
    this.#address = liveAddress(GUARD, rigKey(stateDir));
    this.#line = new HeartbeatServer({
      address: this.#address,
      clock,
      log: (line) => logger.warn(line),
      hello: () => ({ service: GUARD, pid: process.pid, ...this.#supply, ...operatorStop.notice }),
      onLine: (line) => {
        // A partner learns from this one that a stop is over, never the other way round.
        operatorStop.hear({ operator_stop: line.operator_stop });
        if (typeof line.ending === 'number') this.#endingPartners.add(line.ending);
      },
    });
    operatorStop.onNotice((notice) => this.#line.tell(notice));
    this.#watch = new HeartbeatMonitor({
      address: this.#address,
      clock,
      name: PARTNER,
      about: () => operatorStop.notice,
      onHello: (hello) => {
        operatorStop.hear(hello);
        this.#hadSupply = hello.supply_on === true;
        if (typeof hello.pid === 'number') this.#tellHolder(`${GUARD} (pid ${hello.pid})`);
      },
      onLine: (line) => {
        operatorStop.hear(line);
        if (typeof line.supply_on === 'boolean') this.#hadSupply = line.supply_on;
      },
      onGone: () => {
        this.#otherAt = clock.monotonic() - this.#watch.silentMs;
        this.#wake();
      },
      onTick: () => {
        if (this.#watch.isConnected && this.#watch.silentMs >= SILENCE_LIMIT_MS)
          void this.#end(listenerOf(this.#address));
      },
    });
  }

  /**
   * Resolves when this process is the one that acts. A guard that acts already is notified once, and waited for.
   * @throws LockError
   */
  async lead(): Promise<void> {
    for (let isFirst = true; !(await this.#takeLock()); isFirst = false) {
      if (this.#holder) {
        const { service, pid, since } = this.#holder;
        this.#tellHolder(`${service} (pid ${pid}, since ${since})`);
      }
      if (isFirst) {
        this.#watch.start();
        this.#options.onStandby?.();
      }
      await this.#untilFree();
    }
    // The one that acted was ended together with this one.
    if (this.#isEnding) await new Promise<never>(() => {});
    this.#watch.stop();
    this.#leads = true;
    this.#line.open();
    this.#aloneSince = this.#options.clock.monotonic();
    this.#look();
  }

  /** Until when the other guard has kept the supply on, monotonic; undefined where the relay may have opened since. */
  get suppliedUntil(): number | undefined {
    const isClosed = this.#hadSupply && this.#options.clock.monotonic() - this.#otherAt <= LONGEST_GAP_MS;
    return isClosed ? this.#otherAt : undefined;
  }

  /** To the partner, at each change. */
  tellSupply(): void {
    this.#line.tell(this.#supply);
  }

  get #supply(): { supply_on?: boolean } {
    const { isSupplyOn } = this.#options;
    return isSupplyOn ? { supply_on: isSupplyOn() } : {};
  }

  /** The lock at once, without a partner. @returns whether it was free. @throws LockError */
  async leadAlone(): Promise<boolean> {
    if (!(await this.#takeLock())) return false;
    this.#leads = true;
    this.#line.open();
    return true;
  }

  /** From now on no partner is started or waited for. The other one is ended as well, by SIGKILL when it hangs. */
  async endBoth(): Promise<void> {
    const { clock } = this.#options;
    this.#isEnding = true;
    this.#cancelLook();
    const others = this.#leads
      ? [this.#started, ...this.#partners().map(({ mark }) => mark)]
      : [this.#leader()];
    const limitMs = this.#leads ? PARTNER_END_MS : LEADER_END_MS;
    this.#watch.tell({ ending: process.pid });
    await Promise.all(
      others.map(async (mark) => {
        if (!mark) return;
        send(mark, 'SIGTERM');
        const until = clock.monotonic() + limitMs;
        while (isAlive(mark) && clock.monotonic() < until) {
          if (this.#endingPartners.has(mark.pid)) return;
          await clock.sleep(RETRY_MS);
        }
        await killMarked(mark, KILL_LIMIT_MS, clock);
      }),
    );
  }

  async #takeLock(): Promise<boolean> {
    const { identity, clock } = this.#options;
    try {
      await acquireLock({ key: this.#key, identity, clock });
      return true;
    } catch (thrown) {
      if (!(thrown instanceof LockHeldError)) throw thrown;
      this.#holder = thrown.holder;
      return false;
    }
  }

  /** Once. A holder that is slow to say its name, on a machine under load, says it over its life line. */
  #tellHolder(who: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#options.logger.info(`${who} guards this rig; this process watches it and takes over when it ends`);
  }

  /** While its life line is there, the holder needs not be asked. */
  async #untilFree(): Promise<void> {
    const { clock } = this.#options;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    do await clock.sleep(this.#watch.isConnected ? WATCHED_MS : RETRY_MS, woken.signal).catch(() => {});
    while (this.#watch.isConnected && !woken.signal.aborted);
    if (this.#watch.isConnected || this.#holder !== null) this.#muteSince = undefined;
    else {
      this.#muteSince ??= clock.monotonic();
      if (clock.monotonic() - this.#muteSince >= SILENCE_LIMIT_MS)
        await this.#end(listenerOf(lockAddress(this.#key)));
    }
  }

  /** SIGKILL; only one of our own programs is ever ended. */
  async #end(mark: ProcessId | undefined): Promise<void> {
    const { clock, logger } = this.#options;
    if (!mark || mark.pid === process.pid || !runsProgram(mark, GUARD)) return;
    if (this.#killed && sameProcess(this.#killed, mark)) return;
    this.#killed = mark;
    logger.error(
      `${GUARD} (pid ${mark.pid}) has not responded for ${SILENCE_LIMIT_MS / 1000} s and is killed`,
    );
    await killMarked(mark, KILL_LIMIT_MS, clock);
    // What the kernel has not ended by now is tried again.
    this.#killed = undefined;
  }

  /** Whether a partner would take over; else one is started. */
  #look(): void {
    const { clock, logger, startPartner } = this.#options;
    const now = clock.monotonic();
    let partners = 0;
    for (const { mark, silentMs, isStarted } of this.#partners()) {
      if (silentMs >= WATCHER_SILENCE_MS) void this.#end(mark);
      // The supervisor has started one as well: that one stays.
      else if (partners > 0 && isStarted) void killMarked(mark, KILL_LIMIT_MS, clock);
      else partners += 1;
    }
    if (partners > 0) this.#aloneSince = now;
    const isAlone = now - this.#aloneSince >= ALONE_LIMIT_MS && now - this.#startedAt >= START_LIMIT_MS;
    if (isAlone && startPartner) {
      this.#startedAt = now;
      const pid = startPartner();
      this.#started = pid === undefined ? undefined : processIdOf(pid);
      if (pid === undefined) logger.error('no partner can be started: this guard stays alone');
    }
    this.#cancelLook = clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Guards of this rig that say they watch this one, those that the supervisor looks after first. */
  #partners(): (Partner & { silentMs: Milliseconds })[] {
    return this.#line
      .watchers(PARTNER)
      .flatMap(({ pid, silentMs }) => {
        const partner = pid === undefined || pid === process.pid ? undefined : this.#partner(pid);
        return partner ? [{ ...partner, silentMs }] : [];
      })
      .sort((one, other) => Number(one.isStarted) - Number(other.isStarted));
  }

  /** What a guard was started as stays so while it runs; to look it up each time was a third of the work of a guard at rest. */
  #partner(pid: number): Partner | undefined {
    if (this.#known?.mark.pid === pid && isAlive(this.#known.mark)) return this.#known;
    const mark = processIdOf(pid);
    if (!mark || !runsProgram(mark, GUARD) || !isOfRig(mark, this.#options.stateDir)) return undefined;
    this.#known = { mark, isStarted: environmentOf(mark)[PARTNER_MARK] !== undefined };
    return this.#known;
  }

  /** The other of the pair. A `--once` is none: it makes a stop for a waiting caller, and ends by itself. */
  #leader(): ProcessId | undefined {
    const mark = listenerOf(this.#address) ?? listenerOf(lockAddress(this.#key));
    return mark && runsProgram(mark, GUARD) && !wordsOf(mark).includes('--once') ? mark : undefined;
  }
}

function send(mark: ProcessId, signal: NodeJS.Signals): void {
  try {
    // Its pid may be another process's by now.
    if (isAlive(mark)) process.kill(mark.pid, signal);
  } catch {
    // Ended just now, or another user's: the wait shows.
  }
}
