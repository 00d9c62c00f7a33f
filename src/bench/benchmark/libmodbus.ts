import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

type Program = 'libmodbus-client' | 'libmodbus-server';

const SOURCES = 'test-hil/peers';
const CACHE = 'node_modules/.cache/svc-rig/peers';

/** Why the peers in C cannot be used here, with the remedy; undefined when they can. */
export function libmodbusMissing(): string | undefined {
  if (!works('cc', ['--version'])) return 'no C compiler; install the Debian package gcc';
  if (!existsSync('/usr/include/modbus/modbus.h'))
    return 'no libmodbus; install the Debian package libmodbus-dev';
  return undefined;
}

function works(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The compiled program; compiled only when its source has changed. To be called in the project's folder. */
function compiled(program: Program): string {
  const source = path.resolve(SOURCES, `${program}.c`);
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
  const binary = path.resolve(CACHE, `${program}-${hash}`);
  if (existsSync(binary)) return binary;
  mkdirSync(path.dirname(binary), { recursive: true });
  const fresh = `${binary}.${process.pid}`;
  execFileSync('cc', ['-O2', '-Wall', '-Wextra', '-Werror', '-o', fresh, source, '-lmodbus']);
  renameSync(fresh, binary);
  return binary;
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
