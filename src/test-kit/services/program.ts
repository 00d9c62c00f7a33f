import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { MARK_VARIABLE } from '../../lib/http/answer-tap.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  child: ChildProcess;
  firstLine: Promise<string>;
  ended: Promise<Ended>;
}

export interface ReadyProgram extends Program {
  ready: { ready: boolean; url: string; pid: number; mode: string; bench: boolean };
}

const children: ChildProcess[] = [];

/** The program from its source, without the caller's variables and by default without a configuration file. */
export function launch(args: string[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/services/bridge/main.ts', ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      [MARK_VARIABLE]: process.env[MARK_VARIABLE],
      SVC_CONFIG_PATH: '/dev/null',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const end = stdout.indexOf('\n');
      if (end >= 0) resolve(stdout.slice(0, end));
    });
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, firstLine, ended };
}

/** Launches and waits for its line that says it is ready. */
export async function launchReady(
  env: Record<string, string> = {},
  args = ['--port', '0'],
): Promise<ReadyProgram> {
  const program = launch(args, env);
  const line = await Promise.race([
    program.firstLine,
    program.ended.then(({ stderr }) => Promise.reject(new Error(`ended before it was ready: ${stderr}`))),
  ]);
  return { ...program, ready: JSON.parse(line) };
}

/** Leaves no program behind, whatever a test did. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}
