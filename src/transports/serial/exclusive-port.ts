import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { findOpener, holderName } from './find-holder.ts';
import { type Ioctl, loadIoctl, TIOCEXCL, TIOCNXCL } from './ioctl.ts';
import { isPseudoTerminal } from './pseudo-terminal.ts';

const CAP_SYS_ADMIN = 1n << 21n;

export interface ExclusivePortOptions {
  path: string;
  /** Descriptor of the port as it is now; null once it was closed. */
  fd: () => number | null;
  /** Default: ioctl(2) of this machine. */
  load?: (() => Promise<Ioctl>) | undefined;
  /** Root of procfs. */
  proc?: string | undefined;
}

/**
 * Keeps an open port to this process (TIOCEXCL): until it is closed only root can open it, also with programs that
 * take no lock (mbpoll, stty, a terminal program).
 *
 * The kernel keeps that flag for as long as any process has the port open, also when the one that set it was killed.
 * A guard that must then open the port, to close the valves, would be refused. So the flag is not set where it would
 * outlive its owner: on a port that another process had open before, and on a pseudo-terminal, which its bench keeps
 * open (unless this process may pass the flag). `fault` reports either.
 */
export class ExclusivePort {
  readonly #path: string;
  readonly #fd: () => number | null;
  readonly #proc: string;
  readonly #load: () => Promise<Ioctl>;
  #ioctl: Ioctl | undefined;
  #fault: string | undefined;
  /** Looks for others who have it open; begun when the flag was set. */
  #search: Promise<void> = Promise.resolve();

  constructor({ path, fd, load = loadIoctl, proc = '/proc' }: ExclusivePortOptions) {
    this.#path = path;
    this.#fd = fd;
    this.#load = load;
    this.#proc = proc;
  }

  /** Sets the flag; resolves with any result, which `fault` reports. To be called again after a fault. */
  async take(): Promise<void> {
    const isPseudo = isPseudoTerminal(this.#path);
    if (isPseudo && !passesTheFlag(this.#proc)) {
      this.#fault = 'a pseudo-terminal would stay locked after a crash';
      return;
    }
    try {
      this.#ioctl = await this.#load();
      this.#request(TIOCEXCL);
      this.#fault = undefined;
    } catch (cause) {
      this.#fault = messageOf(cause);
      return;
    }
    if (!isPseudo) this.#search = this.#giveWay();
  }

  /** Why the port is not exclusive, for people; undefined when it is. A cause that has gone is noticed here. */
  async fault(): Promise<string | undefined> {
    await this.#search;
    if (this.#fault !== undefined) await this.take();
    await this.#search;
    if (this.#fault === undefined) return undefined;
    return `${this.#path} is not exclusive, other programs can disturb it: ${this.#fault}`;
  }

  /** Clears the flag, before the port is closed: the next one to open it is not refused, even while another process has it open. */
  release(): void {
    try {
      this.#request(TIOCNXCL);
    } catch {
      // Hung up: the flag is gone with the port.
    }
  }

  #request(request: number): void {
    const fd = this.#fd();
    if (fd !== null) this.#ioctl?.(fd, request);
  }

  async #giveWay(): Promise<void> {
    const other = await findOpener(this.#path, this.#proc);
    if (!other) return;
    this.release();
    this.#fault = `${holderName(other)} had it open before; stop that program`;
  }
}

/** Whether the kernel lets this process open a port that has the flag. */
function passesTheFlag(proc: string): boolean {
  try {
    const [, effective = '0'] =
      /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync(join(proc, 'self/status'), 'utf8')) ?? [];
    return (BigInt(`0x${effective}`) & CAP_SYS_ADMIN) !== 0n;
  } catch {
    return false;
  }
}
