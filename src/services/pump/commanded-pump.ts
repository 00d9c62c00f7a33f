import { dutyOf } from '../../devices/dri0050/protocol.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Percent, Seconds } from '../../lib/quantity.ts';
import { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';
import { ActuationQueue } from '../../rig/hardware/actuation-queue.ts';
import type { PumpReading } from '../../rig/hardware/ports.ts';
import type { PumpDevice } from '../../rig/hardware/rig-device.ts';
import { ActuatorHold } from '../../rig/hold/actuator-hold.ts';
import type { StepResult } from '../../rig/safe-state/safe-state.ts';

const DEVICE = 'pump-motor';

export interface CommandedPumpOptions {
  device: PumpDevice;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/**
 * The pump under the rules of its service: it runs only as commanded and only while somebody holds it. Whatever else is
 * seen or happens stops it.
 */
export class CommandedPump {
  readonly device: PumpDevice;
  readonly hold: ActuatorHold<StepResult>;
  readonly #queue = new ActuationQueue(DEVICE);
  readonly #reads = new CoalescedCalls();
  /** Duty that the device has confirmed, 1..255; 0 before, and while a command is under way. */
  #duty = 0;
  /** Grows with each command: a reading from before it says nothing about what came after. */
  #commands = 0;

  constructor({ device, clock, logger, metrics }: CommandedPumpOptions) {
    this.device = device;
    this.hold = new ActuatorHold({
      device: DEVICE,
      noun: 'the pump',
      clock,
      logger,
      metrics,
      stop: (signal) => device.steps.pump_zero(signal),
      shown: ({ detail }) => detail,
      onStop: (reason) => {
        this.#commands += 1;
        this.#duty = 0;
        this.#queue.supersede(`stopping the pump (${reason})`);
      },
    });
  }

  /** Opens the device, if it is there, and stops it. */
  async open(): Promise<void> {
    await this.device.open();
    await this.hold.stop('start').catch(() => {});
  }

  /**
   * Runs the pump, under a hold that begins before anything is sent. Sent once. When it fails, or its caller goes away,
   * it is unknown what the pump does: it is stopped.
   *
   * @param percent 0..100; what gives duty 0 is a stop
   * @param holdS 1..3600
   * @throws HttpError `safe_state_in_progress`; RigError, LockHeldError of the device, or of the stop that is not proven
   */
  async speed(percent: Percent, holdS: Seconds, signal: AbortSignal): Promise<PumpReading> {
    if (dutyOf(percent) === 0) return this.stop('power 0');
    this.hold.admit();
    let fault: unknown;
    const send = async (superseded: AbortSignal) => {
      superseded.throwIfAborted();
      this.hold.admit();
      this.#commands += 1;
      this.#duty = 0;
      this.hold.begin(holdS);
      const stop = AbortSignal.any([superseded, signal]);
      try {
        const reading = await this.device.port.setPower(percent, stop);
        stop.throwIfAborted();
        this.#duty = reading.duty;
        return reading;
      } catch (thrown) {
        fault = thrown;
        this.hold.stopInBackground('a power that failed');
        throw thrown;
      }
    };
    // The stop supersedes also the command whose failure it follows; the caller is told of the failure.
    return this.#queue.run(send, signal).catch((thrown: unknown) => Promise.reject(fault ?? thrown));
  }

  /** Stops the pump, ahead of all that waits or is being sent. @throws RigError, LockHeldError; it is repeated then */
  async stop(reason: string): Promise<PumpReading> {
    const { verified } = await this.hold.stop(reason);
    return { powerPercent: 0, duty: 0, enabled: false, frequencyHz: null, verified };
  }

  /** What the device shows. When that is not what was commanded, the pump is stopped. @throws RigError, LockHeldError */
  async read(signal: AbortSignal): Promise<PumpReading> {
    const asked = this.#commands;
    const reading = await this.#reads.call('pump', (own) => this.device.port.read(own), signal);
    const duty = reading.enabled ? reading.duty : 0;
    // While a command is under way the device may show what was before it, or what comes after.
    if (asked === this.#commands && duty !== this.#duty && !this.#isUnderWay())
      this.hold.stopInBackground(`it shows duty ${duty} where ${this.#duty} was commanded`);
    return reading;
  }

  /** The device answers again after it was absent, held or silent. Its power is never restored. */
  returned(): void {
    if (this.hold.isClosing) return;
    if (this.hold.pending) this.hold.stopInBackground(this.hold.pending.reason);
    else void this.read(new AbortController().signal).catch(() => {});
  }

  /** Nothing moves any more, then the last stop. @returns whether it is proven */
  async shutDown(reason: string): Promise<boolean> {
    const isProven = await this.hold.shutDown(reason);
    await this.device.close();
    return isProven;
  }

  /** A command has begun its hold and the device has not confirmed it. */
  #isUnderWay(): boolean {
    return this.hold.pending !== undefined || (this.#duty === 0 && this.hold.isHeld);
  }
}
