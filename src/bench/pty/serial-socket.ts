import { rmSync, symlinkSync } from 'node:fs';
import type { SerialTwin } from '../../devices/twin.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { openByteTransport } from '../../transports/open.ts';
import { LineRate } from './line-rate.ts';
import { PseudoTerminal } from './pseudo-terminal.ts';

/** The twin is an RTU device on an RS-485 line (`slave`), or anything else on a UART of its own (`twin`). */
type Plugged = { slave: SerialTwin; twin?: undefined } | { twin: SerialTwin; slave?: undefined };

export type SerialSocketOptions = Plugged & {
  /** Path of the link that clients open. */
  link: string;
  clock: Clock;
  baud: number;
  /** Bytes take the time they take on the real line, with the pauses of RS-485 for a `slave`. */
  atLineRate: boolean;
  /** Bits of one character. Default 10. */
  bits?: number;
  /** At line rate only: how often the USB adapter hands over what it received, milliseconds. Default 0: at once. */
  latencyMs?: number;
  /** At line rate only, for measurements: the terminal's own delays are counted off, and a core is kept busy. */
  isPrecise?: boolean;
};

/** Longer than an exchange of a few bytes at 9600 bit/s. */
const AWAKE_MS = 25;

/** The place where a serial twin is plugged in: a stable link to a pseudo-terminal that can be pulled and held. */
export class SerialSocket {
  readonly link: string;
  readonly #options: SerialSocketOptions;
  readonly #twin: SerialTwin;
  #pty: PseudoTerminal | undefined;
  #line: LineRate | undefined;
  #holder: ByteTransport | undefined;
  #wanted = { plugged: false, held: false };
  #last: Promise<void> = Promise.resolve();

  constructor(options: SerialSocketOptions) {
    this.link = options.link;
    this.#options = options;
    this.#twin = options.slave ?? options.twin;
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
      const holder = openByteTransport(this.link, { baud: this.#options.baud });
      await holder.open();
      this.#holder = holder;
    }
  }

  async #plug(): Promise<void> {
    const pty = await PseudoTerminal.create(this.#options.baud);
    const twin = this.#twin;
    const toHost = (bytes: Uint8Array) => pty.write(bytes);
    const toDevice = (bytes: Uint8Array) => {
      // A client that goes back from odd parity leaves its mark on the terminal: only the rate is certain.
      twin.setLine?.({ baud: pty.settings.baud });
      twin.receive(bytes);
    };
    if (this.#options.atLineRate) {
      const discipline = this.#options.slave ? 'rs485' : 'uart';
      const { isPrecise, clock } = this.#options;
      const precise = isPrecise ? { passages: await pty.measurePassages(clock), awakeMs: AWAKE_MS } : {};
      const line = new LineRate({ ...this.#options, ...precise, discipline, toHost, toDevice });
      this.#line = line;
      pty.onBytes((bytes) => line.fromHost(bytes));
      twin.connect((bytes) => line.fromDevice(bytes));
    } else {
      pty.onBytes(toDevice);
      twin.connect(toHost);
    }
    rmSync(this.link, { force: true });
    symlinkSync(pty.path, this.link);
    this.#pty = pty;
  }

  async #unplug(pty: PseudoTerminal): Promise<void> {
    this.#pty = undefined;
    rmSync(this.link, { force: true });
    this.#twin.connect(() => {});
    this.#line?.stop();
    this.#line = undefined;
    await pty.close();
  }
}
