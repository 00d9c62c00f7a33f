import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { compiledPeer, compilerMissing } from './compiled-peer.ts';

type Program = 'libmodbus-client' | 'libmodbus-server';

const compiled = (program: Program) => compiledPeer(program, ['modbus']);

/** Why the peers in C cannot be used here, with the remedy; undefined when they can. */
export function libmodbusMissing(): string | undefined {
  const missing = compilerMissing();
  if (missing !== undefined) return missing;
  if (!existsSync('/usr/include/modbus/modbus.h'))
    return 'no libmodbus; install the Debian package libmodbus-dev';
  return undefined;
}

/** Where a peer speaks: an RTU port or a TCP server. */
export type Place =
  | { kind: 'rtu'; path: string; baud: number; unit: number }
  | { kind: 'tcp'; host: string; port: number; unit: number };

/** A client written in C on libmodbus, driven line by line. */
export class LibmodbusClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;

  constructor(place: Place) {
    const args =
      place.kind === 'rtu'
        ? ['rtu', place.path, String(place.baud), String(place.unit)]
        : ['tcp', place.host, String(place.port), String(place.unit)];
    this.#child = spawn(compiled('libmodbus-client'), args);
    this.#child.stderr.pipe(process.stderr);
    this.#child.stdin.on('error', () => {});
    this.#ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** One command of the program, see its source. @returns its answer, one line */
  async ask(command: string): Promise<string> {
    this.#child.stdin.write(`${command}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`libmodbus-client ended instead of answering "${command}"`);
    return String(value);
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }
}

/** A server written in C on libmodbus: at a pseudo-terminal of its own, or at a free TCP port. */
export class LibmodbusServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  /** Path of the terminal, or the port. */
  readonly place: string;

  private constructor(child: ChildProcessWithoutNullStreams, ended: Promise<unknown>, place: string) {
    this.#child = child;
    this.#ended = ended;
    this.place = place;
  }

  static async start(kind: 'rtu' | 'tcp', unit: number): Promise<LibmodbusServer> {
    const child = spawn(compiled('libmodbus-server'), [kind, String(unit)]);
    child.stderr.pipe(process.stderr);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const place = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (text) => resolve(String(text).trim()));
      void ended.then(() => reject(new Error('libmodbus-server did not start')));
    });
    return new LibmodbusServer(child, ended, place);
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#ended;
  }
}
