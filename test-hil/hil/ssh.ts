import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Exit code of ssh where it could not log in. */
const NOT_CONNECTED = 255;

export interface SshTarget {
  host: string;
  port: number;
  user: string;
  /** File of the private key. */
  key: string;
  /** Socket of a connection that is open: a command goes over it, where it answers. */
  connection?: string;
}

export interface Ended {
  /** null when it was ended by a signal, 255 when SSH itself failed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command line on another machine. @param input for its standard input @param signal ends the connection */
export function ssh(target: SshTarget, command: string, input = '', signal?: AbortSignal): Promise<Ended> {
  const child = spawn(
    'ssh',
    [...optionsFor(target), '-o', 'ControlMaster=no', destination(target), command],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    },
  );
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => {
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        said[stream] += text;
      });
    child.once('error', (cause) => resolve({ code: null, stdout: said.stdout, stderr: cause.message }));
    child.once('close', (code) => resolve({ code, ...said }));
  });
}

/** Commands over one connection, which the first of them that is let in leaves open: logging in takes a small machine a second. */
export class SshSession {
  readonly #target: SshTarget & { connection: string };
  #kept: ChildProcess | undefined;
  #isClosed = false;

  /** @param connection socket that is made for it */
  constructor(target: SshTarget, connection: string) {
    this.#target = { ...target, connection };
  }

  async run(command: string, input = '', signal?: AbortSignal): Promise<Ended> {
    const ended = await ssh(this.#target, command, input, signal);
    if (ended.code !== null && ended.code !== NOT_CONNECTED) this.#keep();
    return ended;
  }

  close(): void {
    this.#isClosed = true;
    this.#kept?.kill('SIGKILL');
  }

  #keep(): void {
    if (this.#kept || this.#isClosed) return;
    // Left over from a connection before.
    rmSync(this.#target.connection, { force: true });
    const words = [...optionsFor(this.#target), '-N', '-o', 'ControlMaster=yes', destination(this.#target)];
    const kept = spawn('setpriv', ['--pdeathsig', 'KILL', 'ssh', ...words], { stdio: 'ignore' });
    this.#kept = kept;
    const over = () => {
      this.#kept = undefined;
    };
    kept.once('error', over);
    kept.once('close', over);
  }
}

const destination = ({ user, host }: SshTarget) => `${user}@${host}`;

const optionsFor = ({ host, port, key, connection }: SshTarget): string[] => [
  ...['-o', 'StrictHostKeyChecking=accept-new', '-o', 'LogLevel=ERROR', '-o', 'BatchMode=yes'],
  ...['-o', 'ConnectTimeout=300', '-o', 'IdentitiesOnly=yes', '-i', key, '-p', String(port)],
  // An emulated machine has a new host key for each image.
  ...(host === '127.0.0.1' ? ['-o', 'UserKnownHostsFile=/dev/null', '-o', 'StrictHostKeyChecking=no'] : []),
  ...(connection === undefined ? [] : ['-o', `ControlPath=${connection}`]),
];
