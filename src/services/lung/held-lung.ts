import type { Clock } from '../../lib/clock/clock.ts';
import { invalidField } from '../../lib/http/http-error.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Seconds } from '../../lib/quantity.ts';
import { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';
import type { LungDirection, LungMotion, LungStatus } from '../../rig/hardware/ports.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import { ActuatorHold } from '../../rig/hold/actuator-hold.ts';
import type { OwnedLung } from './owned-lung.ts';
import { LONGEST_HOLD_S } from './settings.ts';
import { withUnknownStatus } from './unknown-status.ts';

const DEVICE = 'lung-motor';
/** What a hold lasts longer than the plan of its motion, seconds. */
const MARGIN_S = 10;
/** Hold of an order to energize, as that of the pump. */
const ENERGIZE_HOLD_S = 60;

/** The lung under the rules of its service: whatever gives it current stands under a hold. */
export class HeldLung {
  readonly hold: ActuatorHold<LungStatus>;
  readonly #lung: OwnedLung;
  readonly #reads = new CoalescedCalls();
  #isBeginning = false;

  constructor(
    lung: OwnedLung,
    { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics: Metrics },
  ) {
    this.#lung = lung;
    this.hold = new ActuatorHold({
      device: DEVICE,
      noun: 'the lung',
      clock,
      logger,
      metrics,
      // It halts too: the motor is never left with current and without command.
      stop: (signal) => lung.port.disable(signal),
      shown: () => 'halted and de-energized',
      mayAct: () => lung.mayHaveCurrent,
    });
  }

  /** Opens the device, if it is there. The opening halts and de-energizes it. */
  open(): Promise<void> {
    return this.#lung.open();
  }

  /**
   * @param holdS seconds; default: the planned duration and 10 s
   * @throws HttpError `invalid_parameter` for a plan longer than any hold, `safe_state_in_progress`; RigError of the
   *   device, of the stop that is not proven, `superseded`
   */
  start(motion: LungMotion, holdS: Seconds | undefined, signal: AbortSignal): Promise<LungStatus> {
    return this.#held(
      () => holdS ?? this.#plannedHoldS(motion),
      () => this.#lung.port.start(motion, signal),
    );
  }

  /** Homing. @throws as `start` */
  home(direction: LungDirection, holdS: Seconds | undefined, signal: AbortSignal): Promise<LungStatus> {
    const limitS = this.#lung.settings().homing_limit_s;
    return this.#held(
      () => holdS ?? limitS + MARGIN_S,
      () => this.#lung.home(direction, signal),
    );
  }

  /** Current without motion. @throws as `start` */
  energize(holdS: Seconds = ENERGIZE_HOLD_S, signal?: AbortSignal): Promise<LungStatus> {
    return this.#held(
      () => holdS,
      () => this.#lung.energize(signal),
    );
  }

  /** Lets the hold that runs end later or earlier; without one nothing is changed. @throws RigError */
  renew(holdS: Seconds): Promise<LungStatus> {
    this.hold.renew(holdS);
    return this.read();
  }

  /** @throws RigError */
  async read(): Promise<LungStatus> {
    const status = await this.#reads.call('lung', (signal) => this.#lung.port.read(signal));
    // A motion that has come to its end needs no hold any more.
    if (!this.#lung.mayHaveCurrent) this.hold.release();
    return status;
  }

  /**
   * Halts and de-energizes, ahead of all. @throws RigError, LockHeldError; it is repeated then if it may have current
   */
  stop(reason: string): Promise<LungStatus> {
    return this.hold.stop(reason);
  }

  /** Nothing moves any more, then the last stop. @returns whether the lung was left halted and without current */
  async shutDown(reason: string): Promise<boolean> {
    const isProven = await this.hold.shutDown(reason);
    await this.#lung.close();
    return isProven;
  }

  async #held(holdS: () => number, begin: () => Promise<LungStatus>): Promise<LungStatus> {
    this.#admit();
    if (this.#isBeginning) throw new RigError('lung_moving', DEVICE, 'another command is being carried out');
    const wantedS = holdS();
    const { stops } = this.hold;
    this.#isBeginning = true;
    // What is left of an earlier hold must not end what begins now. One that is in use belongs to what goes on.
    if (!this.#lung.isUnderWay) this.hold.release();
    try {
      const status = await begin();
      if (stops !== this.hold.stops) throw superseded();
      // What has come to its end already needs none.
      if (this.#lung.mayHaveCurrent) this.hold.begin(wantedS);
      return status;
    } catch (thrown) {
      if (this.#lung.mayHaveCurrent && !this.hold.isHeld)
        this.hold.stopInBackground('it was not begun as it should');
      throw thrown;
    } finally {
      this.#isBeginning = false;
    }
  }

  #admit(): void {
    try {
      this.hold.admit();
    } catch (thrown) {
      throw withUnknownStatus(thrown);
    }
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
}

const superseded = () =>
  new RigError('superseded', DEVICE, 'a stop came while it was being started; it was stopped again');
