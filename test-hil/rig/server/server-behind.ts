import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MARK_VARIABLE } from '../../../src/lib/http/answer-tap.ts';
import { root } from '../bench/program.ts';

/**
 * The server in a shell that has been told something first, for example a limit. It takes the place of the shell.
 * @param wrapper command that the shell runs under
 */
export async function serverBehind(
  wrapper: readonly string[],
  first: string,
  env: Readonly<Record<string, string>>,
): Promise<{ url: string; end(): Promise<void> }> {
  const bundle = join(root, 'dist', 'svc-server.cjs');
  const script = `${first} && exec '${process.execPath}' '${bundle}' --port 0`;
  const [command = 'sh', ...args] = [...wrapper, 'sh', '-c', script];
  const { PATH = '', [MARK_VARIABLE]: mark = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, [MARK_VARIABLE]: mark, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { ready, url } = JSON.parse(line) as { ready?: boolean; url: string };
    if (ready) return { url, end };
  }
  throw new Error(`${first}: the server ended without being ready`);
}
