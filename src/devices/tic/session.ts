import type { Clock } from '../../lib/clock/clock.ts';
import type { UsbControl } from '../../transports/usb/usb-control.ts';
import { Connection, type ConnectionState } from '../connection.ts';
import { DeviceError, nameDevice } from '../device-error.ts';
import { ControlLink, DEVICE } from './control-link.ts';
import type { Fault } from './course.ts';
import { firmwareDifference, identify, type TicIdentity } from './identity.ts';
import * as requests from './requests.ts';
import {
  decodeSettings,
  differences,
  SETTINGS_BYTES,
  type SettingDifference,
  type TicProfile,
  type TicSettings,
} from './settings.ts';
import { decodeVariables, type TicVariables, VARIABLES_BYTES } from './variables.ts';

/** What was found at an opening. */
export interface TicReport extends TicIdentity {
  settings: TicSettings;
  /** Settings that are not as the profile wants them. They are never written. */
  differences: SettingDifference[];
  /** Wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

/** A block that contradicts itself was taken between two steps of the device; it is read again. */
const READ_ATTEMPTS = 3;
const READ_PAUSE_MS = 2;

/** The device takes a moment to do what it was commanded. */
const SETTLE_LOOKS = 3;
const SETTLE_MS = 5;

const READ_ALL = requests.readVariables(0, VARIABLES_BYTES);
const READ_ALL_AND_CLEAR = requests.readVariablesAndClearErrors(0, VARIABLES_BYTES);
const SAFE = [requests.haltAndHold(), requests.deenergize(), requests.enterSafeStart()];

/** The exchanges with one Tic, without a queue: the caller sees to it that they do not mix. */
export class TicSession {
  readonly #usb: UsbControl;
  readonly #clock: Clock;
  readonly #profile: TicProfile;
  readonly #link: ControlLink;
  readonly #connection: Connection;
  #report: TicReport | undefined;

  constructor(usb: UsbControl, options: { clock: Clock; profile: TicProfile }) {
    const { clock } = options;
    this.#usb = usb;
    this.#clock = clock;
    this.#profile = options.profile;
    this.#connection = new Connection({ transport: usb, clock, setUp: (signal) => this.#prepare(signal) });
    this.#link = new ControlLink({ usb, clock, handle: this.#connection });
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  get report(): TicReport | undefined {
    return this.#report;
  }

  open(): Promise<void> {
    return this.#connection.open().catch(nameDevice(DEVICE));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** @param urgent an attempt to open is made now @throws DeviceError `device_unavailable`; the signal's reason */
  ready(signal: AbortSignal, urgent = false): Promise<void> {
    return this.#connection.ready(signal, urgent).catch(nameDevice(DEVICE));
  }

  /** @throws as `ControlLink.out` */
  send(request: requests.TicRequest, signal: AbortSignal): Promise<void> {
    return this.#link.out(request, signal);
  }

  /** All variables. @throws as `ControlLink.in`; `corrupt_response` when they cannot be meant */
  read(signal: AbortSignal): Promise<TicVariables> {
    return this.#variables(READ_ALL, signal);
  }

  /** The same; "errors occurred" begins anew. */
  readAndClearErrors(signal: AbortSignal): Promise<TicVariables> {
    return this.#variables(READ_ALL_AND_CLEAR, signal);
  }

  /**
   * Halts, de-energizes and enters safe start. All three are sent, also when the device refuses one of them: what
   * counts is what is read back.
   *
   * @throws DeviceError `device_error` (`not_stopped`) when the motor has current or moves; as `send` and `read`
   */
  async makeSafe(signal: AbortSignal): Promise<TicVariables> {
    for (const request of SAFE) {
      try {
        await this.#link.out(request, signal);
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    }
    let seen = await this.read(signal);
    for (let look = 1; look < SETTLE_LOOKS && !isSafe(seen); look += 1) {
      await this.#clock.sleep(SETTLE_MS, signal);
      seen = await this.read(signal);
    }
    if (isSafe(seen)) return seen;
    const message = `the motor is not stopped: energized ${seen.energized}, velocity ${seen.velocity} (1/10000 step/s); switch its supply off`;
    throw this.#link.fail('device_error', message, { reason: 'not_stopped', sent: true });
  }

  /** What was done to it did not work out: the handle is closed, and the next opening makes safe. */
  distrust(cause: unknown): void {
    this.#connection.reopen(cause);
  }

  fail(...args: Parameters<ControlLink['fail']>): DeviceError {
    return this.#link.fail(...args);
  }

  errorOf({ code, message, reason, isExact }: Fault): DeviceError {
    if (!isExact) return this.#link.fail(code, message, { reason });
    return new DeviceError(code, message, { device: DEVICE, endpoint: this.#usb.address, reason });
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    const identity = identify(this.#usb.identity, this.#link);
    await this.makeSafe(signal);
    const request = requests.readSettings(0, SETTINGS_BYTES);
    const settings = await this.#repeated(request, decodeSettings, signal);
    this.#report = {
      ...identity,
      settings,
      differences: [...firmwareDifference(identity), ...differences(settings, this.#profile)],
      observedAt: this.#clock.now(),
    };
  }

  #variables(request: requests.TicRead, signal: AbortSignal): Promise<TicVariables> {
    return this.#repeated(request, decodeVariables, signal);
  }

  async #repeated<T>(
    request: requests.TicRead,
    decode: (bytes: Uint8Array) => T,
    signal: AbortSignal,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return decode(await this.#link.in(request, signal));
      } catch (error) {
        const isOdd = error instanceof RangeError;
        const isWorthRepeating = isOdd || isRefused(error) || isShort(error);
        if (!isWorthRepeating) throw error;
        if (attempt >= READ_ATTEMPTS) {
          if (!isOdd) throw error;
          const message = `the device sent a contradictory report: ${error.message}`;
          throw this.#link.fail('corrupt_response', message, { reason: 'range', sent: true });
        }
      }
      await this.#clock.sleep(READ_PAUSE_MS, signal);
    }
  }
}

const isSafe = ({ energized, velocity }: TicVariables) => !energized && velocity === 0;
const isRefused = (error: unknown) => error instanceof DeviceError && error.reason === 'usb_stall';
const isShort = (error: unknown) => error instanceof DeviceError && error.reason === 'short';
