import { dutyOf } from '../../devices/dri0050/protocol.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { ActuationQueue } from '../../rig/hardware/actuation-queue.ts';
import type { PumpReading } from '../../rig/hardware/ports.ts';
import type { PumpDevice } from '../../rig/hardware/rig-device.ts';
import { DeadMan } from '../../rig/hold/dead-man.ts';
import { type PendingStop, ProvenStop } from '../../rig/hold/proven-stop.ts';
import { countDeviceError } from '../../rig/service/translate.ts';
import { stopUntil } from './stop-until.ts';

const DEVICE = 'pump-motor';

export interface CommandedPumpOptions {
  device: PumpDevice;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/**
 * The pump under the rules of its service: it runs only as commanded and only while somebody holds it. Whatever else is
 * seen or happens stops it, and a stop is repeated until the device has shown it.
 */
export class CommandedPump {
  readonly device: PumpDevice;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #queue = new ActuationQueue(DEVICE);
  readonly #hold: DeadMan;
  readonly #stop: ProvenStop;
  /** Duty that the device has confirmed, 1..255; 0 before, and while a command is under way. */
  #duty = 0;
  /** Grows with each command: a reading from before it says nothing about what came after. */
  #commands = 0;
  #closing = false;

  constructor({ device, clock, logger, metrics }: CommandedPumpOptions) {
    this.device = device;
    this.#clock = clock;
    this.#logger = logger;
    this.#hold = new DeadMan({ clock, onEnd: () => this.#stopInBackground('the hold was not renewed') });
    this.#stop = new ProvenStop({
      device: DEVICE,
      clock,
      stop: (signal) => device.steps.pump_zero(signal),
      onProven: (reason, { detail }) => logger.info(`stopped (${reason}): ${detail}`),
      onFailed: (reason, error) => {
        countDeviceError(metrics, error);
        logger.error(`not proven to be stopped (${reason}): ${messageOf(error)}`);
      },
    });
  }

  /** A stop that is not proven yet. */
  get pendingStop(): Readonly<PendingStop> | undefined {
    return this.#stop.pending;
  }

  /** Seconds until it stops unless somebody renews; null when it stands. */
  get holdRemainingS(): number | null {
    return this.#hold.remainingS;
  }

  /** Opens the device, if it is there, and stops it. */
  async open(): Promise<void> {
    await this.device.open();
    await this.#stop.run('start').catch(() => {});
  }

  /**
   * Runs the pump, under a hold that begins before anything is sent. Sent once. When it fails, or its caller goes away,
   * nobody knows what the pump does: it is stopped.
   *
   * @param percent 0..100; what gives duty 0 is a stop
   * @param holdS 1..3600
   * @throws HttpError `safe_state_in_progress`; RigError, LockHeldError of the device, or of the stop that is not proven
   */
  async speed(percent: number, holdS: number, signal: AbortSignal): Promise<PumpReading> {
    if (dutyOf(percent) === 0) return this.stop('power 0');
    this.#admit();
    let fault: unknown;
    const send = async (superseded: AbortSignal) => {
      superseded.throwIfAborted();
      this.#admit();
      this.#commands += 1;
      this.#duty = 0;
      this.#hold.renew(holdS);
      const stop = AbortSignal.any([superseded, signal]);
      try {
        const reading = await this.device.port.setPower(percent, stop);
        stop.throwIfAborted();
        this.#duty = reading.duty;
        return reading;
      } catch (thrown) {
        fault = thrown;
        this.#stopInBackground('a power that failed');
        throw thrown;
      }
    };
    // The stop supersedes also the command whose failure it follows; the caller is told of the failure.
    return this.#queue.run(send, signal).catch((thrown: unknown) => Promise.reject(fault ?? thrown));
  }

  /**
   * Stops the pump, ahead of all that waits or is being sent. @throws RigError, LockHeldError; it is repeated then
   */
  async stop(reason: string): Promise<PumpReading> {
    this.#commands += 1;
    this.#duty = 0;
    this.#hold.clear();
    this.#queue.supersede(`stopping the pump (${reason})`);
    const { verified } = await this.#stop.run(reason);
    return { powerPercent: 0, duty: 0, enabled: false, frequencyHz: null, verified };
  }

  /** Renews the hold of a running pump; starts nothing. @param holdS 1..3600 */
  renew(holdS: number): void {
    if (this.#hold.active && !this.#stop.pending) this.#hold.renew(holdS);
  }

  /** What the device shows. When that is not what was commanded, the pump is stopped. @throws RigError, LockHeldError */
  async read(signal: AbortSignal): Promise<PumpReading> {
    const asked = this.#commands;
    const reading = await this.device.port.read(signal);
    const duty = reading.enabled ? reading.duty : 0;
    // While a command is under way the device may show what was before it, or what comes after.
    if (asked === this.#commands && duty !== this.#duty && !this.#isUnderWay())
      this.#stopInBackground(`it shows duty ${duty} where ${this.#duty} was commanded`);
    return reading;
  }

  /** The device answers again after it was absent, held or silent. Its power is never restored. */
  returned(): void {
    if (this.#closing) return;
    if (this.#stop.pending) this.#stopInBackground(this.#stop.pending.reason);
    else void this.read(new AbortController().signal).catch(() => {});
  }

  /** Nothing moves any more, then the last stop. @returns whether it is proven */
  async shutDown(reason: string): Promise<boolean> {
    this.#closing = true;
    const isProven = await stopUntil(() => this.stop(reason), this.#clock);
    this.#stop.close();
    await this.device.close();
    return isProven;
  }

  /** A command has begun its hold and the device has not confirmed it. */
  #isUnderWay(): boolean {
    return this.#stop.pending !== undefined || (this.#duty === 0 && this.#hold.active);
  }

  #admit(): void {
    if (this.#closing)
      throw new HttpError(
        'safe_state_in_progress',
        'the service is shutting down and leaves the pump stopped',
      );
    const { pending } = this.#stop;
    if (!pending) return;
    if (pending.error !== undefined) throw pending.error;
    const text = `the pump is being stopped (${pending.reason}); try again when that has ended`;
    throw new HttpError('safe_state_in_progress', text);
  }

  #stopInBackground(reason: string): void {
    this.#logger.warn(`stopping: ${reason}`);
    void this.stop(reason).catch(() => {});
  }
}
