import type { HidTwin } from '../../devices/twin.ts';
import { Listeners } from '../../transports/listeners.ts';
import type { HidPort } from './device/hid-function.ts';

/**
 * One HID twin with several users: a bench socket and a USB/IP host. Every user sees every IN report, as several
 * programs on one hidraw node do.
 */
export class HidHub implements HidPort {
  readonly #twin: HidTwin;
  readonly #reports = new Listeners<Uint8Array>();
  #users = 0;

  constructor(twin: HidTwin) {
    this.#twin = twin;
    twin.connect((report) => this.#reports.tell(report));
  }

  /** Users that listen now. */
  get users(): number {
    return this.#users;
  }

  onReport(listener: (report: Uint8Array) => void): () => void {
    this.#users += 1;
    const leave = this.#reports.add(listener);
    return () => {
      this.#users -= 1;
      leave();
    };
  }

  receive(report: Uint8Array): void {
    this.#twin.receive(report);
  }

  /** The twin as a user sees it who believes that it is the only one. */
  asTwin(): HidTwin {
    let leave = () => {};
    return {
      connect: (send) => {
        leave();
        leave = this.onReport(send);
      },
      receive: (report) => this.receive(report),
    };
  }
}
