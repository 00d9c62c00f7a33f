import type { Clock } from '../../lib/clock/clock.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { invalidField } from '../../lib/http/http-error.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { LungDirection, LungMotion, LungStatus } from '../../rig/hardware/ports.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import { DeadMan } from '../../rig/hold/dead-man.ts';
import type { OwnedLung } from './owned-lung.ts';
import { LONGEST_HOLD_S } from './settings.ts';

/** What a hold lasts longer than the plan of its motion, seconds (services specification, section 9). */
const MARGIN_S = 10;
/** Hold of an order to energize, as that of the pump. */
const ENERGIZE_HOLD_S = 60;

const FIRST_WAIT_MS = 200;
const LAST_WAIT_MS = 2000;
/** The last stop may take so long; what it cannot prove then is told by the exit code. */
const LAST_STOP_MS = 4000;

/**
 * The lung under the rules of its service: whatever gives it current stands under a hold, and a stop that was not
 * proven is repeated until it is.
 */
export class HeldLung {
  readonly #lung: OwnedLung;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #hold: DeadMan;
  readonly #closing = new AbortController();
  #stops = 0;
  #isBeginning = false;
  #making: Promise<void> | undefined;

  constructor(lung: OwnedLung, { clock, logger }: { clock: Clock; logger: Logger }) {
    this.#lung = lung;
    this.#clock = clock;
    this.#logger = logger;
    this.#hold = new DeadMan({ clock, onEnd: () => void this.makeSafe('the hold was not renewed') });
  }

  /** Whether a stop is being repeated because it was not proven yet. */
  get isMakingSafe(): boolean {
    return this.#making !== undefined;
  }

  /** Seconds until what is under way is stopped; null when no hold runs. */
  get holdRemainingS(): number | null {
    return this.#hold.remainingS;
  }

  /**
   * @param holdS seconds; default: the planned duration and 10 s
   * @throws HttpError `invalid_parameter` for a plan longer than any hold; RigError of the device, `superseded`,
   *   `safe_state_in_progress`
   */
  start(motion: LungMotion, holdS: number | undefined, signal: AbortSignal): Promise<LungStatus> {
    return this.#held(
      () => holdS ?? this.#plannedHoldS(motion),
      () => this.#lung.port.start(motion, signal),
    );
  }

  /** Homing. @throws as `start` */
  home(direction: LungDirection, holdS: number | undefined, signal: AbortSignal): Promise<LungStatus> {
    const limitS = this.#lung.settings().homing_limit_s;
    return this.#held(
      () => holdS ?? limitS + MARGIN_S,
      () => this.#lung.home(direction, signal),
    );
  }

  /** Current without motion. @throws as `start` */
  energize(holdS: number = ENERGIZE_HOLD_S, signal?: AbortSignal): Promise<LungStatus> {
    return this.#held(
      () => holdS,
      () => this.#lung.energize(signal),
    );
  }

  /** Lets the hold that runs end later or earlier; without one nothing is changed. @throws RigError */
  async renew(holdS: number): Promise<LungStatus> {
    if (this.#hold.active) this.#hold.renew(holdS);
    return this.read();
  }

  /** @throws RigError */
  async read(): Promise<LungStatus> {
    const status = await this.#lung.port.read();
    // A motion that has come to its end needs no hold any more.
    if (!this.#lung.mayHaveCurrent) this.#hold.clear();
    return status;
  }

  /** Halts and de-energizes, ahead of all. @throws RigError; it is repeated until it is proven all the same */
  stop(): Promise<LungStatus> {
    return this.#stop(() => this.#lung.port.stop());
  }

  /** The same, asked for as de-energizing. @throws RigError */
  disable(): Promise<LungStatus> {
    return this.#stop(() => this.#lung.port.disable());
  }

  /** Stops, and again until it is proven; a call meanwhile joins. Never throws. */
  makeSafe(reason: string): Promise<void> {
    this.#making ??= this.#repeatStop(reason).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  /** Nothing moves from here on. @returns whether the lung was left halted and without current */
  async shutDown(): Promise<boolean> {
    this.#closing.abort();
    this.#hold.clear();
    this.#stops += 1;
    const limit = new AbortController();
    const cancel = this.#clock.after(LAST_STOP_MS, () =>
      limit.abort(new Error('the last stop took too long')),
    );
    try {
      while (!(await this.#tryStop('the end of the service', limit.signal))) {
        if (!this.#lung.mayHaveCurrent) return true;
        await this.#clock.sleep(FIRST_WAIT_MS, limit.signal);
      }
      return true;
    } catch {
      return false;
    } finally {
      cancel();
    }
  }

  async #held(holdS: () => number, begin: () => Promise<LungStatus>): Promise<LungStatus> {
    this.#admit();
    const wantedS = holdS();
    const stops = this.#stops;
    this.#isBeginning = true;
    // What is left of an earlier hold must not end what begins now. One that is in use belongs to what goes on.
    if (!this.#lung.isUnderWay) this.#hold.clear();
    try {
      const status = await begin();
      if (stops !== this.#stops) throw superseded();
      this.#hold.renew(wantedS);
      return status;
    } catch (thrown) {
      if (this.#lung.mayHaveCurrent && !this.#hold.active)
        void this.makeSafe('it was not begun as it should');
      throw thrown;
    } finally {
      this.#isBeginning = false;
    }
  }

  #admit(): void {
    const text = this.#closing.signal.aborted
      ? 'the service is shutting down and leaves the lung de-energized'
      : 'the lung is being stopped, and that is not proven yet; look at /health and try again when it is';
    if (this.#closing.signal.aborted || this.#making)
      throw new RigError('safe_state_in_progress', 'lung-motor', text);
    if (this.#isBeginning)
      throw new RigError('lung_moving', 'lung-motor', 'another command is being carried out');
  }

  #plannedHoldS(motion: LungMotion): number {
    // A lung that has not told its settings cannot be started either.
    const plannedS = (this.#lung.plannedMs(motion) ?? 0) / 1000;
    if (plannedS + MARGIN_S <= LONGEST_HOLD_S) return plannedS + MARGIN_S;
    throw invalidField('invalid_parameter', {
      in: 'body',
      field: 'hold_s',
      message: `is required: the motion is planned for ${Math.round(plannedS)} s, and a hold is at most ${LONGEST_HOLD_S} s; renew it by POST /api/hold`,
      value: null,
    });
  }

  async #stop(command: () => Promise<LungStatus>): Promise<LungStatus> {
    this.#stops += 1;
    this.#hold.clear();
    try {
      return await command();
    } catch (thrown) {
      if (this.#lung.mayHaveCurrent) void this.makeSafe('a stop was not proven');
      throw thrown;
    }
  }

  async #repeatStop(reason: string): Promise<void> {
    this.#stops += 1;
    this.#hold.clear();
    let waitMs = FIRST_WAIT_MS;
    while (!(await this.#tryStop(reason)) && this.#lung.mayHaveCurrent) {
      await this.#clock.sleep(waitMs, this.#closing.signal).catch(() => {});
      // The end of the service has a last stop of its own.
      if (this.#closing.signal.aborted) return;
      waitMs = Math.min(2 * waitMs, LAST_WAIT_MS);
    }
  }

  async #tryStop(reason: string, signal?: AbortSignal): Promise<boolean> {
    try {
      await this.#lung.port.disable(signal);
      this.#logger.info(`lung halted and de-energized (${reason})`);
      return true;
    } catch (thrown) {
      const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
      this.#logger.error(`lung not proven to be de-energized (${reason}): ${messageOf(thrown)}`, { code });
      return false;
    }
  }
}

const superseded = () =>
  new RigError('superseded', 'lung-motor', 'a stop came while it was being started; it was stopped again');
