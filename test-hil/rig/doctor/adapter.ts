import { closeSync, constants, openSync } from 'node:fs';
import { PseudoTerminal } from '../../../src/bench/pty/pseudo-terminal.ts';
import type { Baud, Parity } from '../../../src/devices/modbus-io/knobs.ts';
import { ModbusIoTwin } from '../../../src/devices/modbus-io/twin.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { loadIoctl } from '../../../src/transports/serial/ioctl.ts';

/** struct termios2 of <asm-generic/termbits.h>: four flags, the line, 19 characters, two rates. */
const TCGETS2 = 0x802c542a;
const TERMIOS_BYTES = 44;
const CFLAG_AT = 8;
const OUTPUT_RATE_AT = 40;
const PARODD = 0o1000;

/** What a host sent, and how its port was set then. */
export interface Sent {
  bytes: Buffer;
  baud: number;
  parity: Parity;
}

/** What stands in for a valve board: gets what was sent, gives what comes back. */
export type Line = (bytes: Uint8Array, reply: (bytes: Uint8Array) => void) => void;

/**
 * A USB-RS485 adapter: a pseudo-terminal whose line has the rate and the parity that the host has set. The kernel keeps no even
 * parity of a pseudo-terminal: it counts as none.
 */
export class Adapter {
  readonly sent: Sent[] = [];
  readonly twin: ModbusIoTwin;
  readonly #pty: PseudoTerminal;
  readonly #fd: number;

  static async plug(
    board: { baud?: Baud; parity?: Parity; unit?: number } = {},
    line?: Line,
  ): Promise<Adapter> {
    return new Adapter(await PseudoTerminal.create(), board, line, await loadIoctl());
  }

  private constructor(
    pty: PseudoTerminal,
    { baud = 19_200, parity = 'none', unit = 1 }: { baud?: Baud; parity?: Parity; unit?: number },
    line: Line | undefined,
    ioctl: Awaited<ReturnType<typeof loadIoctl>>,
  ) {
    this.#pty = pty;
    this.#fd = openSync(pty.path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    this.twin = new ModbusIoTwin({ clock: systemClock, random: seededRandom(1), unit });
    this.twin.knobs.patch({ baud, parity });
    const reply = (bytes: Uint8Array) => pty.write(bytes);
    this.twin.slave.connect(reply);
    const settings = Buffer.alloc(TERMIOS_BYTES);
    pty.onBytes((bytes) => {
      ioctl(this.#fd, TCGETS2, settings);
      const host: Omit<Sent, 'bytes'> = {
        baud: settings.readUInt32LE(OUTPUT_RATE_AT),
        parity: settings.readUInt32LE(CFLAG_AT) & PARODD ? 'odd' : 'none',
      };
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
    closeSync(this.#fd);
    await this.#pty.close();
  }
}
