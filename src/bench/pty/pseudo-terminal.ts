import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readlinkSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import type { LineSettings } from '../../devices/line-settings.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { sleepPrecisely } from '../../lib/clock/precise.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { readAtOnce, writeAtOnce } from '../../transports/serial/at-once.ts';
import { type Ioctl, loadIoctl, TCGETS2 } from '../../transports/serial/ioctl.ts';
import { BenchError } from '../bench-error.ts';

const PASSAGE_ROUNDS = 31;
/** struct termios2 of <asm-generic/termbits.h>: four flags, the discipline, 19 characters, two rates. */
const TERMIOS = { bytes: 44, cflagAt: 8, outputRateAt: 40, PARODD: 0o1000 } as const;

/**
 * A real pseudo-terminal of the kernel, in raw mode, with no process behind it. Whoever opens `path` meets a serial
 * port. It survives its clients: the bench keeps the client's side open as well.
 */
export class PseudoTerminal {
  /** `/dev/pts/<n>` */
  readonly path: string;
  readonly #master: ReadStream;
  readonly #masterFd: number;
  readonly #keeper: number;
  readonly #ioctl: Ioctl;
  readonly #termios = Buffer.alloc(TERMIOS.bytes);
  #closed = false;

  private constructor(path: string, master: ReadStream, masterFd: number, keeper: number, ioctl: Ioctl) {
    this.path = path;
    this.#ioctl = ioctl;
    this.#masterFd = masterFd;
    this.#master = master;
    this.#keeper = keeper;
    // Reading a pseudo-terminal fails with EIO while its other side goes away; that is how it ends.
    master.on('error', () => {});
  }

  /**
   * @param baud rate that the port is set to until a client sets another
   * @throws BenchError `bench_pty_failed`
   */
  static async create(baud = 19_200): Promise<PseudoTerminal> {
    try {
      const { open } = await import('@lydell/node-pty');
      const opened = open({ cols: 80, rows: 24, encoding: null });
      const keeper = openSync(opened.ptsName, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
      // The package would read the client's side and take the twin's bytes away from the client.
      opened.slave.destroy();
      closeForgotten(opened.ptsName, keeper);
      await promisify(execFile)('stty', ['-F', opened.ptsName, `${baud}`, 'raw', '-echo', '-hupcl']);
      return new PseudoTerminal(opened.ptsName, opened.master, opened.fd, keeper, await loadIoctl());
    } catch (cause) {
      const message = `cannot create a pseudo-terminal: ${messageOf(cause)}; the bench needs /dev/ptmx, @lydell/node-pty and stty`;
      throw new BenchError('bench_pty_failed', message, { cause });
    }
  }

  /**
   * How the clients have set the port. The kernel keeps no parity of a pseudo-terminal but the mark of an odd one: even counts as
   * none, and serialport does not take the mark away again.
   */
  get settings(): LineSettings {
    this.#ioctl(this.#keeper, TCGETS2, this.#termios);
    const isOdd = (this.#termios.readUInt32LE(TERMIOS.cflagAt) & TERMIOS.PARODD) !== 0;
    return { baud: this.#termios.readUInt32LE(TERMIOS.outputRateAt), parity: isOdd ? 'odd' : 'none' };
  }

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#master.on('data', listener);
  }

  write(bytes: Uint8Array): void {
    if (this.#closed) return;
    // What the stream still holds goes first; else the kernel takes it at once.
    const taken = this.#master.writableLength === 0 ? writeAtOnce(this.#masterFd, bytes) : 0;
    if (taken < bytes.length) this.#master.write(bytes.subarray(taken));
  }

  /**
   * A quick one of some passages through the kernel, milliseconds (the lower quartile, so that a busy moment of the
   * machine does not count): from a client's write to `onBytes`, and from
   * `write` to where a client can read it. To be asked before the first client comes.
   */
  async measurePassages(clock: Clock): Promise<{ fromClientMs: number; toClientMs: number }> {
    const from: number[] = [];
    const to: number[] = [];
    const probe = Uint8Array.of(0x55);
    for (let round = 0; round < PASSAGE_ROUNDS; round++) {
      const writtenAtMs = clock.monotonic();
      const arrived = new Promise<void>((resolve) => this.#master.once('data', () => resolve()));
      writeAtOnce(this.#keeper, probe);
      await arrived;
      from.push(clock.monotonic() - writtenAtMs);
      await sleepPrecisely(clock, 1);

      const buffer = Buffer.alloc(1);
      const sentAtMs = clock.monotonic();
      this.write(probe);
      while (readAtOnce(this.#keeper, buffer) === undefined) {}
      to.push(clock.monotonic() - sentAtMs);
      await sleepPrecisely(clock, 1);
    }
    return { fromClientMs: lowerQuartile(from), toClientMs: lowerQuartile(to) };
  }

  /** Hangs up on the one that has it open, as a pulled plug does. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#keeper);
    await new Promise<void>((resolve) => {
      this.#master.once('close', () => resolve());
      this.#master.destroy();
    });
  }
}

const lowerQuartile = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 2] ?? 0;

/**
 * A tty stream opens its terminal anew for itself, and nobody closes the descriptor that it was made from: one would be
 * left behind by every pseudo-terminal.
 */
function closeForgotten(path: string, keeper: number): void {
  for (const name of readdirSync('/proc/self/fd')) {
    if (Number(name) !== keeper && targetOf(name) === path) closeSync(Number(name));
  }
}

/** Undefined for a descriptor that was closed meanwhile, the folder's own among them. */
function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}
