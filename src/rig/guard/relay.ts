import type { Clock } from '../../lib/clock/clock.ts';
import { exchangeJson } from '../../transports/index.ts';
import { BRIDGE } from './bridge-life.ts';
import { type BridgeWatch, reachable, type SeenBridge } from './bridge-watch.ts';
import { type GuardReport, isReport } from './guard-report.ts';
import type { ProcessMark } from './process-mark.ts';

/** A bridge that lives has begun by then. */
const BEGIN_MS = 25;
/** A heart that has not beaten for so long, while a stop is asked for, counts as standing still. */
const STALE_MS = 150;
/** A bridge whose heart beats and that does not begin is not fit to stop anything. */
const LONGEST_BEGIN_MS = 500;
/** A safe state takes 5 s at most. */
const ANSWER_LIMIT_MS = 6000;
const MAX_BYTES = 65_536;
const POLL_MS = 5;

export interface RelayOptions {
  watch: BridgeWatch;
  clock: Clock;
  makeSafe: (reason: string, kill?: ProcessMark) => Promise<GuardReport>;
}

/** Hands an operator's stop to the bridge, and sees that it is done: a bridge that does not begin at once is ended. */
export class Relay {
  readonly #options: RelayOptions;
  #stopping: Promise<GuardReport> | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  stop(): Promise<GuardReport> {
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  async #stop(): Promise<GuardReport> {
    const { watch, makeSafe } = this.#options;
    const bridge = watch.bridge;
    if (!bridge) return this.#stopWithoutBridge();
    if (bridge.url === null) return this.#stopInstead(bridge);
    const asked = { answer: undefined as GuardReport | 'none' | undefined };
    const answer = this.#ask(bridge.url).then((report) => {
      asked.answer = report ?? 'none';
      return report;
    });
    if (!(await this.#begins(bridge, asked))) return this.#stopInstead(bridge);
    // A bridge that dies on the way is lost to the watch, which makes the rig safe; this then joins.
    return (await answer) ?? makeSafe('operator', watch.bridge === bridge ? undefined : bridge.mark);
  }

  #stopInstead({ mark }: SeenBridge): Promise<GuardReport> {
    const { watch, makeSafe } = this.#options;
    watch.giveUp();
    return makeSafe('operator', mark);
  }

  #stopWithoutBridge(): Promise<GuardReport> {
    const { watch, makeSafe } = this.#options;
    const mute = watch.mute(STALE_MS);
    if (mute) watch.giveUp();
    return makeSafe('operator', mute);
  }

  async #begins(bridge: SeenBridge, asked: { answer: unknown }): Promise<boolean> {
    const { watch, clock } = this.#options;
    const begunBefore = bridge.begun;
    const startedAt = clock.monotonic();
    for (;;) {
      if (asked.answer === 'none') return false;
      const isRunning = bridge.safeState?.running === true || bridge.begun > begunBefore;
      if (isRunning || asked.answer !== undefined) return true;
      const waitedMs = clock.monotonic() - startedAt;
      const isStale = waitedMs >= BEGIN_MS && watch.silentMs > STALE_MS;
      if (isStale || waitedMs >= LONGEST_BEGIN_MS || watch.bridge !== bridge) return false;
      await clock.sleep(POLL_MS);
    }
  }

  /** @returns undefined when no whole report came */
  async #ask(url: string): Promise<GuardReport | undefined> {
    const { clock } = this.#options;
    try {
      const { value } = await exchangeJson(`${reachable(url)}/api/v1/hardware/safe-state`, {
        method: 'POST',
        timeoutMs: ANSWER_LIMIT_MS,
        maxBytes: MAX_BYTES,
        clock,
      });
      if (!isReport(value)) return undefined;
      const at = new Date(clock.now()).toISOString();
      const { ok, outcome, reason, duration_ms, mock, steps } = value;
      const bench = 'bench' in value && value.bench === true;
      return {
        ok,
        outcome,
        reason,
        duration_ms,
        mock,
        steps,
        by: BRIDGE,
        at,
        bench,
        killed: [],
        reaction_ms: null,
      };
    } catch {
      return undefined;
    }
  }
}
