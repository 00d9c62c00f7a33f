import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const BYTES_OF_MB = 1_000_000;

/** The trace on disk. Each line is handed to the kernel before the twin goes on. */
export class TraceFile {
  readonly #path: string;
  readonly #halfBytes: number;
  #file: number;
  #bytes: number;

  /** @param maxMb with the file before, `<path>.1`; by default nothing is thrown away */
  constructor(path: string, maxMb = Number.POSITIVE_INFINITY) {
    this.#path = path;
    this.#halfBytes = (maxMb * BYTES_OF_MB) / 2;
    this.#file = openSync(path, 'a');
    this.#bytes = fstatSync(this.#file).size;
  }

  append(line: string): void {
    const text = `${line}\n`;
    const bytes = Buffer.byteLength(text);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#halfBytes) this.#rotate();
    writeSync(this.#file, text);
    this.#bytes += bytes;
  }

  close(): void {
    closeSync(this.#file);
  }

  #rotate(): void {
    closeSync(this.#file);
    renameSync(this.#path, `${this.#path}.1`);
    this.#file = openSync(this.#path, 'a');
    this.#bytes = 0;
  }
}
