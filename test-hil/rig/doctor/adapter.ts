import { PseudoTerminal } from '../../../src/bench/pty/pseudo-terminal.ts';
import type { LineSettings } from '../../../src/devices/line-settings.ts';
import type { Baud } from '../../../src/devices/modbus-io/knobs.ts';
import { ModbusIoTwin } from '../../../src/devices/modbus-io/twin.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';

/** What a host sent, and how its port was set then. */
export interface Sent extends LineSettings {
  bytes: Buffer;
}

/** What stands in for a valve board: gets what was sent, gives what comes back. */
export type Line = (bytes: Uint8Array, reply: (bytes: Uint8Array) => void) => void;

/** A USB-RS485 adapter: a pseudo-terminal whose line has the rate and the parity that the host has set. */
export class Adapter {
  readonly sent: Sent[] = [];
  readonly twin: ModbusIoTwin;
  readonly #pty: PseudoTerminal;

  static async plug(
    board: { baud?: Baud; parity?: LineSettings['parity']; unit?: number } = {},
    line?: Line,
  ): Promise<Adapter> {
    return new Adapter(await PseudoTerminal.create(), board, line);
  }

  private constructor(
    pty: PseudoTerminal,
    {
      baud = 19_200,
      parity = 'none',
      unit = 1,
    }: { baud?: Baud; parity?: LineSettings['parity']; unit?: number },
    line: Line | undefined,
  ) {
    this.#pty = pty;
    this.twin = new ModbusIoTwin({ clock: systemClock, random: seededRandom(1), unit });
    this.twin.knobs.patch({ baud, parity });
    const reply = (bytes: Uint8Array) => pty.write(bytes);
    this.twin.slave.connect(reply);
    pty.onBytes((bytes) => {
      const host = pty.settings;
      this.sent.push({ bytes: Buffer.from(bytes), ...host });
      if (line) {
        line(bytes, reply);
        return;
      }
      this.twin.setLine(host);
      this.twin.slave.receive(bytes);
    });
  }

  get path(): string {
    return this.#pty.path;
  }

  write(bytes: Uint8Array): void {
    this.#pty.write(bytes);
  }

  async unplug(): Promise<void> {
    this.twin.slave.connect(() => {});
    await this.#pty.close();
  }
}
