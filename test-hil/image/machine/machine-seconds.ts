import { Qmp } from './qmp.ts';

/** Data register of the PL031, the clock chip of QEMU's `virt` machine, which `-rtc clock=vm` moves with the machine's time. */
const REGISTER = '0x9010000';

/** Seconds of an emulated machine's own time, from the first instruction of its firmware on, read without its help. */
export class MachineSeconds {
  readonly #socket: string;
  #qmp: Promise<Qmp> | undefined;

  /** @param socket of a monitor that nobody else uses */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** @returns whole seconds since 1970 of the clock chip; undefined while QEMU does not listen yet */
  async read(): Promise<number | undefined> {
    this.#qmp ??= Qmp.open(this.#socket);
    try {
      const said = await (await this.#qmp).monitor(`xp /1wx ${REGISTER}`);
      const [, value] = /: (0x[0-9a-f]{8})/.exec(said) ?? [];
      return value === undefined ? undefined : Number(value);
    } catch {
      // Not started yet, or ended: the next reading connects again.
      this.#qmp = undefined;
      return undefined;
    }
  }

  close(): void {
    this.#qmp?.then(
      (qmp) => qmp.close(),
      () => {},
    );
    this.#qmp = undefined;
  }
}
