import type { Clock } from '../../lib/clock/clock.ts';
import type { ProcessId } from '../../lib/proc.ts';
import { exchangeJson } from '../../transports/index.ts';
import { operatorStopPath, type StopRequest } from '../safe-state/operator-stop.ts';
import { BRIDGE } from './bridge-life.ts';
import { type BridgeWatch, reachable, type SeenBridge } from './bridge-watch.ts';
import { type GuardReport, isReport } from './guard-report.ts';
import { UnresponsiveTime } from './unresponsive-time.ts';

/**
 * A bridge that leaves a question of its life line open for so long, while a stop is asked for, counts as hung: milliseconds
 * for which it stands still, and for which it stands still or computes, before it has begun and on the way. What it does for
 * the first time after its start takes it 4 to 12 ms of computing on a desktop's processor, and several times that on a Pi's.
 */
const LIMITS = { before: { stillMs: 12, ms: 60 }, onTheWay: { stillMs: 150, ms: 150 } };
/** A bridge that answers and does not begin is not fit to stop anything. */
const LONGEST_BEGIN_MS = 500;
/** A safe state takes 5 s at most. */
const ANSWER_LIMIT_MS = 6000;
const MAX_BYTES = 65_536;
const POLL_MS = 2;
/** A process that holds the life line and has said nothing for so long stands still. */
const MUTE_MS = 150;
const UNDECIDED_LIMIT_MS = 2000;

export interface OperatorStopHandlerOptions {
  watch: BridgeWatch;
  clock: Clock;
  /** In the bridge's place. @param kill the bridge to end first */
  makeSafe: (asked: StopRequest, kill?: ProcessId) => Promise<GuardReport>;
  /** Whether a stop of this id is in force. */
  isInForce: (id: string) => boolean;
}

/** Hands an operator's stop to the bridge, and sees that it is done: a bridge that does not begin at once is ended. */
export class OperatorStopHandler {
  readonly #options: OperatorStopHandlerOptions;
  #stopping: { id: string | undefined; report: Promise<GuardReport> } | undefined;

  constructor(options: OperatorStopHandlerOptions) {
    this.#options = options;
  }

  /** Joins the stop under way. One that was cleared meanwhile is not what a later one asked for. */
  stop(asked: StopRequest): Promise<GuardReport> {
    const running = this.#stopping;
    if (!running) {
      const report = this.#stop(asked).finally(() => {
        this.#stopping = undefined;
      });
      this.#stopping = { id: asked.id, report };
      return report;
    }
    if (asked.id !== undefined && asked.id === running.id) return running.report;
    return running.report.then((report) => {
      const { operator_stop: stop } = report;
      return stop && this.#options.isInForce(stop.id) ? report : this.stop(asked);
    });
  }

  async #stop(asked: StopRequest): Promise<GuardReport> {
    const { watch, makeSafe } = this.#options;
    const bridge = watch.bridge;
    if (!bridge) return this.#stopWithoutBridge(asked);
    if (bridge.url === null) return this.#stopInstead(bridge, asked);
    const heard = { answer: undefined as GuardReport | 'none' | undefined };
    const answer = this.#ask(bridge.url, asked).then((report) => {
      heard.answer = report ?? 'none';
      return report;
    });
    if (!(await this.#comesThrough(bridge, heard))) return this.#stopInstead(bridge, asked);
    // A bridge that dies on the way is lost to the watch, which makes the rig safe; this then joins.
    return (await answer) ?? makeSafe(asked, watch.bridge === bridge ? undefined : bridge.mark);
  }

  #stopInstead({ mark }: SeenBridge, asked: StopRequest): Promise<GuardReport> {
    const { watch, makeSafe } = this.#options;
    watch.giveUp();
    return makeSafe(asked, mark);
  }

  async #stopWithoutBridge(asked: StopRequest): Promise<GuardReport> {
    const { watch, clock, makeSafe } = this.#options;
    // On a machine under load silence is counted late; to take one that stands still for none would leave it its devices.
    const until = clock.monotonic() + UNDECIDED_LIMIT_MS;
    while (watch.isUndecided(MUTE_MS) && clock.monotonic() < until) await clock.sleep(POLL_MS);
    if (watch.bridge) return this.#stop(asked);
    const mute = watch.mute(MUTE_MS);
    if (mute) watch.giveUp();
    return makeSafe(asked, mute);
  }

  /** Whether the bridge makes the rig safe; false as soon as it shows that it does not. */
  async #comesThrough(bridge: SeenBridge, heard: { answer: unknown }): Promise<boolean> {
    const { watch, clock } = this.#options;
    const begunBefore = bridge.begun;
    const startedAt = clock.monotonic();
    let ping = watch.ping();
    let own = new UnresponsiveTime(bridge.mark, clock);
    for (;;) {
      const hasBegun = bridge.safeState?.running === true || bridge.begun > begunBefore;
      if (heard.answer !== undefined) return hasBegun || heard.answer !== 'none';
      // One that dies on the way is lost to the watch.
      if (watch.bridge !== bridge) return hasBegun;
      if (!hasBegun && clock.monotonic() - startedAt >= LONGEST_BEGIN_MS) return false;
      const limits = hasBegun ? LIMITS.onTheWay : LIMITS.before;
      if (ping.isAnswered) {
        ping = watch.ping();
        own = new UnresponsiveTime(bridge.mark, clock);
      } else if (own.stillMs >= limits.stillMs || own.ms >= limits.ms) return false;
      await clock.sleep(POLL_MS);
      own.look();
    }
  }

  /** @returns undefined when no whole report came */
  async #ask(url: string, asked: StopRequest): Promise<GuardReport | undefined> {
    const { clock } = this.#options;
    try {
      const { value } = await exchangeJson(`${reachable(url)}${operatorStopPath(asked)}`, {
        method: 'POST',
        timeoutMs: ANSWER_LIMIT_MS,
        maxBytes: MAX_BYTES,
        clock,
      });
      if (!isReport(value)) return undefined;
      const at = new Date(clock.now()).toISOString();
      const { ok, outcome, reason, duration_ms, mock, steps } = value;
      const { bench, operator_stop } = value as GuardReport;
      return {
        ok,
        outcome,
        reason,
        duration_ms,
        mock,
        steps,
        by: BRIDGE,
        at,
        bench: bench === true,
        killed: [],
        reaction_ms: null,
        ...(operator_stop ? { operator_stop } : {}),
      };
    } catch {
      return undefined;
    }
  }
}
