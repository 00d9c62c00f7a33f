import type { Clock } from '../../lib/clock/clock.ts';
import { Listeners } from '../../transports/listeners.ts';
import { InterruptFrames } from './interrupt-frames.ts';

interface ReportPort {
  onReport(listener: (report: Uint8Array) => void): () => void;
  receive(report: Uint8Array): void;
}

/** A HID port at the pace of its interrupt endpoints, for a host whose bus has no frames of its own. */
export class PacedPort implements ReportPort {
  readonly #port: ReportPort;
  readonly #frames: InterruptFrames;
  readonly #reports = new Listeners<Uint8Array>();
  #listeners = 0;
  #leave = () => {};

  /** @param options.pollingMs interval of both endpoints, default 1 */
  constructor(port: ReportPort, options: { clock: Clock; pollingMs?: number }) {
    this.#port = port;
    this.#frames = new InterruptFrames({
      clock: options.clock,
      pollingMs: options.pollingMs ?? 1,
      takeOut: (report) => port.receive(report),
      deliverIn: (report) => this.#reports.tell(report),
    });
  }

  /** With the last listener what is under way is lost. */
  onReport(listener: (report: Uint8Array) => void): () => void {
    if (this.#listeners === 0) this.#leave = this.#port.onReport((report) => this.#frames.in(report));
    this.#listeners += 1;
    const end = this.#reports.add(listener);
    return () => {
      end();
      this.#listeners -= 1;
      if (this.#listeners > 0) return;
      this.#leave();
      this.#frames.clear();
    };
  }

  receive(report: Uint8Array): void {
    this.#frames.out(report);
  }
}
