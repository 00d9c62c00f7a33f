import type { Clock } from '../../lib/clock/clock.ts';
import { DeviceError } from '../device-error.ts';
import type { Activity, MotionEnd } from './activity.ts';
import { judge } from './course.ts';
import * as requests from './requests.ts';
import type { TicSession } from './session.ts';

/** A motion that is not kept alive for so long is ended: the device would do it by itself after 1000 ms. */
export const KEEP_ALIVE_LIMIT_MS = 500;

/** Looks at a motion, judges it, and keeps it alive only when all is well. */
export class MotionSupervisor {
  readonly #session: TicSession;
  readonly #clock: Clock;
  readonly #minVinMv: number;
  readonly #homingLimitMs: number;

  constructor(session: TicSession, options: { clock: Clock; minVinMv: number; homingLimitMs: number }) {
    this.#session = session;
    this.#clock = options.clock;
    this.#minVinMv = options.minVinMv;
    this.#homingLimitMs = options.homingLimitMs;
  }

  /** @returns the end of the motion, if it came. @throws DeviceError when it went wrong, or was not kept alive */
  async look(activity: Activity, signal: AbortSignal): Promise<MotionEnd | undefined> {
    await this.#session.ready(signal);
    const seen = await this.#session.read(signal);
    const nowMs = this.#clock.monotonic();
    const { before, course } = activity;
    activity.observe(seen, nowMs);
    const stillMs = nowMs - activity.stillSinceMs;
    const verdict = judge(course, seen, { before, stillMs, minVinMv: this.#minVinMv });
    if (verdict.kind === 'fault') throw this.#session.errorOf(verdict.fault);
    if (verdict.kind === 'arrived') return this.ending('arrived', activity);
    if (verdict.kind === 'limit') {
      // The target beyond the switch is still in force: the motor would go on when the switch opens.
      if (activity.holds) await this.#session.send(requests.haltAndHold(), signal);
      return { ...this.ending('limit', activity), limit: verdict.limit };
    }
    if (nowMs >= activity.endsAtMs && course.kind !== 'hold') {
      const message = `homing did not end within ${this.#homingLimitMs} ms; check the limit switch and the direction`;
      throw this.#session.fail('device_error', message, { reason: 'homing_limit', sent: true });
    }
    activity.heardMs = await this.keepAlive(activity.heardMs, signal);
    return undefined;
  }

  /** @param heardMs when the device last heard from us, monotonic @returns when it heard this */
  async keepAlive(heardMs: number, signal: AbortSignal): Promise<number> {
    const nowMs = this.#clock.monotonic();
    if (nowMs - heardMs > KEEP_ALIVE_LIMIT_MS) {
      // Done now, it might set a motor going again that the device itself has stopped.
      const message = `the motion was not renewed for ${Math.round(nowMs - heardMs)} ms; the device or this machine is too slow`;
      throw this.#session.fail('device_timeout', message, { reason: 'keep_alive', sent: true });
    }
    await this.#session.send(requests.resetCommandTimeout(), signal);
    if (this.#session.report?.settings.safeStartDisabled === false)
      await this.#session.send(requests.exitSafeStart(), signal);
    return nowMs;
  }

  ending(reason: MotionEnd['reason'], activity: Activity, error?: unknown): MotionEnd {
    const end = { reason, position: activity.before.position, observedAt: this.#clock.now() };
    if (error === undefined) return end;
    return {
      ...end,
      error: error instanceof DeviceError ? error : this.#session.fail('device_error', String(error)),
    };
  }
}
