import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { hexOf } from '../../transports/hex.ts';
import { TransportError } from '../../transports/transport-error.ts';
import type { UsbControl } from '../../transports/usb/usb-control.ts';
import type { Connection } from '../connection.ts';
import { type DeviceError, failureOf } from '../device-error.ts';
import { setupPacket, type TicRead, type TicRequest } from './requests.ts';

export const DEVICE = 'lung-motor';

/** One control transfer. */
export const CONTROL_TIMEOUT_MS = 1600;
/** How long a transfer may go on after its job was ended: a sound device answers within a few milliseconds. */
const ABANDON_MS = 100;

/** Control transfers with a time limit of their own, whatever the transport does, and errors of the device. */
export class ControlLink {
  /** An error that names device and endpoint. */
  readonly fail: ReturnType<typeof failureOf>;
  readonly #usb: UsbControl;
  readonly #clock: Clock;
  /** Called when the handle is of no use any more. */
  readonly #handle: Pick<Connection, 'reopen' | 'lost'>;

  constructor(options: { usb: UsbControl; clock: Clock; handle: Pick<Connection, 'reopen' | 'lost'> }) {
    this.#usb = options.usb;
    this.fail = failureOf(DEVICE, options.usb.address);
    this.#clock = options.clock;
    this.#handle = options.handle;
  }

  /** @throws DeviceError `device_timeout`, `device_error` (refused), `device_unavailable`; the signal's reason */
  async out(request: TicRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#bounded(this.#usb.controlOut(request), request, signal);
  }

  /** @returns exactly `request.length` bytes. @throws as `out`, and `corrupt_response` for another length */
  async in(request: TicRead, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const { length, ...setup } = request;
    const bytes = await this.#bounded(this.#usb.controlIn(setup, length), request, signal);
    if (bytes.length === length) return bytes;
    const message = `${bytes.length} bytes came where ${length} were asked for`;
    throw this.fail('corrupt_response', message, { reason: 'short', sent: true });
  }

  #bounded<T>(transfer: Promise<T>, request: TicRequest | TicRead, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const expire = () => {
        release();
        const message = `request ${hexOf(setupPacket(request))} was not answered within ${CONTROL_TIMEOUT_MS} ms; check cable and hub, then unplug it and plug it in again`;
        const error = this.fail('device_timeout', message, { reason: 'no_reply', sent: true });
        this.#handle.reopen(error);
        reject(error);
      };
      let cancel = this.#clock.after(CONTROL_TIMEOUT_MS, expire);
      const onAbort = () => {
        cancel();
        cancel = this.#clock.after(ABANDON_MS, expire);
      };
      let isOver = false;
      const release = () => {
        isOver = true;
        cancel();
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      transfer.then(
        (value) => {
          release();
          resolve(value);
        },
        (cause) => {
          // Who was given up may fail later; by then the handle is another one.
          if (isOver) return;
          release();
          reject(this.#translated(cause));
        },
      );
    });
  }

  #translated(cause: unknown): DeviceError {
    const reason = cause instanceof TransportError ? cause.code : 'port_failed';
    if (reason === 'usb_stall')
      return this.fail('device_error', messageOf(cause), { reason, cause, sent: true });
    if (reason === 'usb_timeout') {
      const error = this.fail('device_timeout', messageOf(cause), { reason: 'no_reply', cause, sent: true });
      this.#handle.reopen(error);
      return error;
    }
    const error = this.fail('device_unavailable', messageOf(cause), { reason, cause, sent: true });
    this.#handle.lost(error);
    return error;
  }
}
