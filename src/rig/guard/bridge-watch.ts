import type { Clock } from '../../lib/clock/clock.ts';
import { HeartbeatMonitor, type Ping } from '../../lib/liveness/heartbeat-monitor.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { isAlive, type ProcessId, sameProcess } from '../../lib/proc.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import { exchangeJson } from '../../transports/index.ts';
import type { OperatorStopLatch } from '../safe-state/operator-stop.ts';
import { operatorStopOf } from '../safe-state/operator-stop-record.ts';
import { BRIDGE, GUARD } from './bridge-life.ts';
import { HEARTBEAT_LIMIT_MS, type HealthFault, healthFault } from './health-fault.ts';
import { listenerOf, peerProcess } from './process-id.ts';

/** /health every second, dead after three failures; slow ones count without heartbeat. */
const HEALTH_EVERY_MS = 1000;
const HEALTH_LIMIT_MS = 1000;
const HEALTH_FAILURES = 3;
/** An event loop that is silent for so long stands still. */
const SILENCE_LIMIT_MS = 2000;
/** For a bridge that is about to start. */
const ABSENCE_LIMIT_MS = 2000;
/** A bridge that ends answers no request any more; its program gives up by itself after 9 s. */
const CLOSING_LIMIT_MS = 9500;
const MAX_BYTES = 65_536;

/** A bridge that lives, as far as it has shown. */
export interface SeenBridge {
  mark: ProcessId;
  url: string | null;
  /** Since then it is ending; monotonic milliseconds. */
  closingAt: number | undefined;
  safeState: { running: boolean; outcome: string | null } | null;
  /** Safe states that it has begun while it was watched. */
  begun: number;
  bench: boolean;
  /** It acts as if it stood still. */
  isRehearsing: boolean;
  /** Id of the operator's stop that it has reported to be in force. */
  stopId: string | undefined;
}

/**
 * `ended`: the process is gone; `hung`: it is there and does not live; `absent`: there was none since the guard began.
 */
export type BridgeLoss = 'ended' | 'hung' | 'absent';

export interface BridgeWatchOptions {
  address: string;
  clock: Clock;
  /** How the watcher names itself; default `svc-guard`. */
  name?: () => string;
  /**
   * A loss counts from the moment on at which this is true: what a partner has seen and what is over by then is none.
   */
  acts?: () => boolean;
  /** Once for each bridge. @param mark undefined when the process is not known */
  onLost: (loss: BridgeLoss, why: string, mark: ProcessId | undefined, isRehearsal: boolean) => void;
  onSeen: (bridge: SeenBridge) => void;
  /** Members that it repeats with its name. */
  about?: () => JsonLine;
  /** What watcher and bridge tell each other of it. */
  operatorStop?: OperatorStopLatch;
  /** What the bridge said to being asked for a rehearsal. */
  onRehearsal?: (answer: RehearsalAnswer) => void;
}

/** `tried`: something was done for it, whatever came of it. */
export interface RehearsalAnswer {
  tried: boolean;
  /** Why it does not rehearse; undefined when it does. */
  whyNot: string | undefined;
}

/** Watches the bridge by its life line and by GET /health. */
export class BridgeWatch {
  readonly #options: BridgeWatchOptions;
  readonly #life: HeartbeatMonitor;
  #bridge: SeenBridge | undefined;
  /** Its connection has ended; whether the bridge has, too, its process shows. */
  #parted: SeenBridge | undefined;
  #isLost = false;
  /** The lost one is gone, and none was lost since. */
  #isLostSinceGone = false;
  #failures = 0;
  #askAt: number;
  #isAsking = false;

  constructor(options: BridgeWatchOptions) {
    const { address, clock, name = GUARD, operatorStop, about } = options;
    this.#options = options;
    this.#askAt = clock.monotonic() + HEALTH_EVERY_MS;
    this.#life = new HeartbeatMonitor({
      address,
      clock,
      name,
      about: () => ({ ...operatorStop?.notice, ...about?.() }),
      onHello: (hello) => this.#seen(hello),
      onLine: (line) => this.#heard(line),
      onGone: () => this.#gone(),
      onTick: () => this.#tick(),
    });
    operatorStop?.onNotice(() => this.#life.sayName());
  }

  /** Undefined while none lives. */
  get bridge(): SeenBridge | undefined {
    return this.#isLost ? undefined : this.#bridge;
  }

  get silentMs(): number {
    return this.#life.silentMs;
  }

  /** Of its last look at the bridge, monotonic milliseconds. */
  get tickedAt(): number {
    return this.#life.tickedAt;
  }

  /** Asks the bridge for a sign of life. */
  ping(): Ping {
    return this.#life.ping();
  }

  /**
   * A process that holds the life line and has not greeted for so long: a bridge that stood still before it was
   * watched.
   */
  mute(afterMs: Milliseconds): ProcessId | undefined {
    if (this.#bridge || !this.#life.isConnected || this.#life.silentMs < afterMs) return undefined;
    return listenerOf(this.#options.address);
  }

  /** A process holds the life line and has not greeted yet: a bridge that begins, or one that stands still. */
  isUndecided(afterMs: Milliseconds): boolean {
    return !this.#bridge && this.#life.isConnected && this.#life.silentMs < afterMs;
  }

  start(): void {
    this.#life.start();
  }

  /** From now on it acts: says at once how it is called now, and judges what it has seen so far. */
  lead(): void {
    this.#life.sayName();
    this.#tick();
  }

  stop(): void {
    this.#life.stop();
  }

  /** At once, with all that it repeats. */
  sayName(): void {
    this.#life.sayName();
  }

  /** Asks the bridge for a safe state that latches nothing, since the supply of the actuators was interrupted. */
  supplyInterrupted(): void {
    this.#life.tell({ supply_interrupted: true });
  }

  /** Asks the bridge to act as if it stood still. It does so only where the rig is not in use. */
  rehearse(): void {
    this.#life.tell({ rehearse: true });
  }

  /** From now on this bridge counts as lost, whatever it says. */
  giveUp(): void {
    this.#isLost = true;
  }

  #seen(hello: JsonLine): void {
    const mark = peerProcess(this.#options.address, BRIDGE, hello.pid);
    if (!mark) return;
    const before = this.#parted;
    this.#parted = undefined;
    const isSame = before !== undefined && sameProcess(before.mark, mark);
    if (isSame && this.#isLost) return;
    // A new one came so soon that the end of the old one was not looked at yet.
    if (before && !isSame && !this.#isLost) this.#lose('ended', 'its process has ended', before.mark);
    this.#bridge = {
      mark,
      url: typeof hello.url === 'string' ? hello.url : null,
      closingAt: hello.closing === true ? this.#options.clock.monotonic() : undefined,
      safeState: safeStateOf(hello.safe_state),
      begun: 0,
      bench: hello.bench === true,
      isRehearsing: false,
      stopId: undefined,
    };
    this.#hearStop(this.#bridge, hello);
    this.#isLost = false;
    this.#failures = 0;
    this.#options.onSeen(this.#bridge);
  }

  #heard(line: JsonLine): void {
    const bridge = this.#bridge;
    if (!bridge) return;
    this.#hearStop(bridge, line);
    if (typeof line.rehearsing === 'boolean') this.#heardRehearsal(bridge, line);
    if (line.closing === true) bridge.closingAt ??= this.#options.clock.monotonic();
    const safeState = safeStateOf(line.safe_state);
    if (!safeState) return;
    bridge.safeState = safeState;
    if (safeState.running) bridge.begun += 1;
  }

  #hearStop(bridge: SeenBridge, line: JsonLine): void {
    if (line.operator_stop !== undefined) bridge.stopId = operatorStopOf(line.operator_stop)?.id;
    this.#options.operatorStop?.hear(line);
  }

  #heardRehearsal(bridge: SeenBridge, { rehearsing, tried, why }: JsonLine): void {
    bridge.isRehearsing = rehearsing === true;
    const whyNot = bridge.isRehearsing ? undefined : String(why);
    this.#options.onRehearsal?.({ tried: tried === true, whyNot });
  }

  #gone(): void {
    this.#parted = this.#bridge;
    this.#bridge = undefined;
    this.#isLostSinceGone = this.#isLost;
    if (!this.#isLost && !this.#parted) this.#lose('ended', 'its life line broke', undefined);
    this.#tick();
  }

  #tick(): void {
    const { address } = this.#options;
    // One that came after the loss and never greeted counts anew.
    const isStranger = this.#life.isConnected && !this.#bridge && this.#isLostSinceGone;
    if (this.#isLost && !isStranger) return;
    const isConnected = this.#life.isConnected;
    if (isConnected && this.#life.silentMs < SILENCE_LIMIT_MS) return this.#health();
    // Who does not act judges nothing: it would look at the process with each tick, for as long as no bridge runs.
    if (this.#options.acts?.() === false) return;
    if (isConnected) {
      const why = `no heartbeat for ${SILENCE_LIMIT_MS / 1000} s`;
      this.#lose('hung', why, this.#bridge?.mark ?? listenerOf(address));
      return;
    }
    const parted = this.#parted;
    if (parted && !isAlive(parted.mark)) this.#lose('ended', 'its process has ended', parted.mark);
    else if (this.#life.absentMs >= ABSENCE_LIMIT_MS) {
      if (parted) this.#lose('hung', 'its process is there without a life line', parted.mark);
      else this.#lose('absent', 'there is none', undefined);
    }
  }

  #health(): void {
    const { clock } = this.#options;
    const bridge = this.#bridge;
    const now = clock.monotonic();
    if (!bridge?.url) return;
    if (bridge.closingAt !== undefined) {
      if (now - bridge.closingAt >= CLOSING_LIMIT_MS)
        this.#lose('hung', 'it does not come to its end', bridge.mark);
      return;
    }
    if (this.#isAsking || now < this.#askAt) return;
    this.#isAsking = true;
    // Without drift: a look that comes late does not put the next one off. Behind a pause it begins anew.
    const nextAt = this.#askAt + HEALTH_EVERY_MS;
    this.#askAt = nextAt > now ? nextAt : now + HEALTH_EVERY_MS;
    const url = `${reachable(bridge.url)}/health`;
    exchangeJson(url, { status: 200, timeoutMs: HEALTH_LIMIT_MS, maxBytes: MAX_BYTES, clock }).then(
      () => this.#answered(bridge, undefined),
      (thrown: unknown) => this.#answered(bridge, healthFault(thrown)),
    );
  }

  #answered(bridge: SeenBridge, fault: HealthFault | undefined): void {
    this.#isAsking = false;
    if (bridge !== this.#bridge || bridge.closingAt !== undefined || this.#isLost) return;
    if (fault?.mayBeBusy && this.#life.isConnected && this.#life.silentMs < HEARTBEAT_LIMIT_MS) return;
    this.#failures = fault === undefined ? 0 : this.#failures + 1;
    if (fault !== undefined && this.#failures >= HEALTH_FAILURES)
      this.#lose('hung', `${HEALTH_FAILURES} times in a row ${fault.message}`, bridge.mark);
  }

  #lose(loss: BridgeLoss, why: string, mark: ProcessId | undefined): void {
    if (this.#options.acts?.() === false) return;
    this.#isLost = true;
    this.#isLostSinceGone = !this.#life.isConnected;
    this.#failures = 0;
    this.#options.onLost(loss, why, mark, this.#bridge?.isRehearsing === true);
  }
}

/** Bound to every address it is reached by loopback. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function safeStateOf(value: unknown): SeenBridge['safeState'] {
  if (typeof value !== 'object' || value === null) return null;
  const { running, outcome } = value as Record<string, unknown>;
  return { running: running === true, outcome: typeof outcome === 'string' ? outcome : null };
}
