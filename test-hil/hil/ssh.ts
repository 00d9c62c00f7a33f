import { spawn } from 'node:child_process';

export interface SshTarget {
  host: string;
  port: number;
  user: string;
  /** File of the private key. */
  key: string;
}

export interface Ended {
  /** null when it was ended by a signal, 255 when SSH itself failed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command line on another machine. @param input for its standard input @param signal ends the connection */
export function ssh(
  { host, port, user, key }: SshTarget,
  command: string,
  input = '',
  signal?: AbortSignal,
): Promise<Ended> {
  const options = [
    ...['-o', 'StrictHostKeyChecking=accept-new', '-o', 'LogLevel=ERROR', '-o', 'BatchMode=yes'],
    ...['-o', 'ConnectTimeout=300', '-o', 'IdentitiesOnly=yes', '-i', key],
    // An emulated machine has a new host key for each image.
    ...(host === '127.0.0.1' ? ['-o', 'UserKnownHostsFile=/dev/null', '-o', 'StrictHostKeyChecking=no'] : []),
  ];
  const child = spawn('ssh', [...options, '-p', String(port), `${user}@${host}`, command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
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
