import type { UsbipServer } from '../usbip/usbip-server.ts';
import type { Port, Wish } from './port.ts';

/** A device as USB/IP exports it: the same twin, for a Linux that has it as real USB. */
export class UsbipExport implements Port {
  readonly name: string;
  readonly #server: UsbipServer;
  readonly #busId: string;
  #isPlugged = false;

  constructor(options: { name: string; server: UsbipServer; busId: string }) {
    this.name = options.name;
    this.#server = options.server;
    this.#busId = options.busId;
    this.#server.unplug(this.#busId);
  }

  get address(): string {
    return `usbip:${this.#busId}`;
  }

  get path(): string | null {
    return this.#isPlugged ? this.#busId : null;
  }

  get clients(): number {
    return this.#server.isImported(this.#busId) ? 1 : 0;
  }

  async want({ plugged }: Wish): Promise<void> {
    if (plugged === this.#isPlugged) return;
    if (plugged) this.#server.plug(this.#busId);
    else this.#server.unplug(this.#busId);
    this.#isPlugged = plugged;
  }
}
