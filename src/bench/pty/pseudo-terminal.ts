import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { BenchError } from '../bench-error.ts';

/**
 * A real pseudo-terminal of the kernel, in raw mode, with no process behind it. Whoever opens `path` meets a serial
 * port. It survives its clients: the bench keeps the client's side open as well.
 */
export class PseudoTerminal {
  /** `/dev/pts/<n>` */
  readonly path: string;
  readonly #master: ReadStream;
  readonly #keeper: number;
  #closed = false;

  private constructor(path: string, master: ReadStream, keeper: number) {
    this.path = path;
    this.#master = master;
    this.#keeper = keeper;
    // Reading a pseudo-terminal fails with EIO while its other side goes away; that is how it ends.
    master.on('error', () => {});
  }

  /** @throws BenchError `bench_pty_failed` */
  static async create(): Promise<PseudoTerminal> {
    try {
      const { open } = await import('@lydell/node-pty');
      const opened = open({ cols: 80, rows: 24, encoding: null });
      const keeper = openSync(opened.ptsName, constants.O_RDWR | constants.O_NOCTTY);
      // The package would read the client's side and take the twin's bytes away from the client.
      opened.slave.destroy();
      await promisify(execFile)('stty', ['-F', opened.ptsName, 'raw', '-echo', '-hupcl']);
      return new PseudoTerminal(opened.ptsName, opened.master, keeper);
    } catch (cause) {
      const message = `cannot create a pseudo-terminal: ${messageOf(cause)}; the bench needs /dev/ptmx, @lydell/node-pty and stty`;
      throw new BenchError('bench_pty_failed', message, { cause });
    }
  }

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#master.on('data', listener);
  }

  write(bytes: Uint8Array): void {
    if (!this.#closed) this.#master.write(bytes);
  }

  /** Hangs up on whoever has it open, as a pulled plug does. */
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
