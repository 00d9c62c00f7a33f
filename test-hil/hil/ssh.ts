import { type ChildProcess, spawn } from 'node:child_process';

export interface SshTarget {
  host: string;
  port: number;
  user: string;
  /** File of the private key. */
  key: string;
  /** Socket of a connection that {@link keepConnected} has open: a command goes over it, where it answers. */
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

/** A connection for many commands, which logs in once. Ends with the other machine, or when it is killed. */
export function keepConnected(target: SshTarget): ChildProcess {
  const arguments_ = [...optionsFor(target), '-N', '-o', 'ControlMaster=yes', destination(target)];
  return spawn('setpriv', ['--pdeathsig', 'KILL', 'ssh', ...arguments_], { stdio: 'ignore' });
}

const destination = ({ user, host }: SshTarget) => `${user}@${host}`;

const optionsFor = ({ host, port, key, connection }: SshTarget): string[] => [
  ...['-o', 'StrictHostKeyChecking=accept-new', '-o', 'LogLevel=ERROR', '-o', 'BatchMode=yes'],
  ...['-o', 'ConnectTimeout=300', '-o', 'IdentitiesOnly=yes', '-i', key, '-p', String(port)],
  // An emulated machine has a new host key for each image.
  ...(host === '127.0.0.1' ? ['-o', 'UserKnownHostsFile=/dev/null', '-o', 'StrictHostKeyChecking=no'] : []),
  ...(connection === undefined ? [] : ['-o', `ControlPath=${connection}`]),
];
