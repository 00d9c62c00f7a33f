import { rmSync, symlinkSync } from 'node:fs';
import type { RtuSlave } from '../../devices/modbus-rtu/slave.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { openByteTransport } from '../../transports/open.ts';
import { LineRate } from './line-rate.ts';
import { PseudoTerminal } from './pseudo-terminal.ts';

/** The place where a serial twin is plugged in: a stable link to a pseudo-terminal that can be pulled and held. */
export class SerialSocket {
  readonly link: string;
  readonly #slave: RtuSlave;
  readonly #clock: Clock;
  readonly #baud: number;
  readonly #atLineRate: boolean;
  #pty: PseudoTerminal | undefined;
  #rates: LineRate[] = [];
  #holder: ByteTransport | undefined;
  #wanted = { plugged: false, held: false };
  #last: Promise<void> = Promise.resolve();

  constructor(options: { link: string; slave: RtuSlave; clock: Clock; baud: number; atLineRate: boolean }) {
    this.link = options.link;
    this.#slave = options.slave;
    this.#clock = options.clock;
    this.#baud = options.baud;
    this.#atLineRate = options.atLineRate;
  }

  /** `/dev/pts/<n>` while it is plugged in. */
  get path(): string | undefined {
    return this.#pty?.path;
  }

  /** Resolves when the wish has come true; wishes are carried out in order. */
  want(wish: { plugged?: boolean; held?: boolean }): Promise<void> {
    this.#wanted = { ...this.#wanted, ...wish };
    const { plugged, held } = this.#wanted;
    const turn = this.#last.then(() => this.#become(plugged, held));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #become(plugged: boolean, held: boolean): Promise<void> {
    if (!(plugged && held) && this.#holder) {
      await this.#holder.close();
      this.#holder = undefined;
    }
    if (plugged && !this.#pty) await this.#plug();
    if (!plugged && this.#pty) await this.#unplug(this.#pty);
    if (plugged && held && !this.#holder) {
      const holder = openByteTransport(this.link, { baud: this.#baud });
      await holder.open();
      this.#holder = holder;
    }
  }

  async #plug(): Promise<void> {
    const pty = await PseudoTerminal.create();
    const toClient = this.#paced((bytes) => pty.write(bytes));
    const toTwin = this.#paced((bytes) => this.#slave.receive(bytes));
    pty.onBytes(toTwin);
    this.#slave.connect(toClient);
    rmSync(this.link, { force: true });
    symlinkSync(pty.path, this.link);
    this.#pty = pty;
  }

  async #unplug(pty: PseudoTerminal): Promise<void> {
    this.#pty = undefined;
    rmSync(this.link, { force: true });
    this.#slave.connect(() => {});
    for (const rate of this.#rates.splice(0)) rate.stop();
    await pty.close();
  }

  #paced(deliver: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
    if (!this.#atLineRate) return deliver;
    const rate = new LineRate({ clock: this.#clock, baud: this.#baud, deliver });
    this.#rates.push(rate);
    return (bytes) => rate.push(bytes);
  }
}
