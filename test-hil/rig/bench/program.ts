import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MARK_VARIABLE } from '../../../src/lib/http/answer-tap.ts';
import { endWithThisProcess } from '../../../src/test-kit/end-with-parent.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Of 19 down to -20. */
const TWINS_NICE = -15;

export interface Ended {
  /** null after a signal. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Both streams so far. */
  text(): string;
  /** Resolves when stdout or stderr holds the text; rejects when the program ends without it. */
  until(text: string): Promise<void>;
}

/**
 * Starts a built bundle as a process of its own, without the caller's variables. It ends with this one at the latest.
 * @param name of a program, or an absolute path of a bundle
 */
export function launch(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const bundle = isAbsolute(name) ? name : join(root, 'dist', `${name}.cjs`);
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: npm run build`);
  const child = spawn(process.execPath, [bundle, ...args], {
    cwd: root,
    env: { ...inherited(), ...endWithThisProcess(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      texts[stream] += chunk;
      for (const check of waiting) check();
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
  const text = () => `${texts.stdout}\n${texts.stderr}`;
  const until = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!text().includes(wanted)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      ended.then(() => {
        check();
        reject(new Error(`${name} ended without "${wanted}": ${text()}`));
      }, reject);
      check();
    });
  return { child, pid: child.pid ?? 0, ended, text, until };
}

/**
 * A real device computes for itself, however busy the rig's machine is. Twins that wait for a processor reply too late, and
 * the rig rightly makes itself safe. Without the right to it, which is root's, they remain as they are.
 */
function computeFirst({ pid }: Program): void {
  try {
    setPriority(pid, TWINS_NICE);
  } catch {}
}

/** Launches a service and waits for the line in which it says that it can be used. */
export async function launchReady(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Program & { url: string }> {
  const program = launch(name, args, env);
  if (name === 'svc-bench') computeFirst(program);
  await program.until('"ready":true');
  const line = program
    .text()
    .split('\n')
    .find((one) => one.includes('"ready":true'));
  const { url } = JSON.parse(line ?? '') as { url: string };
  return { ...program, url };
}

/** Ends a program in order, however it ended in the test. */
export async function end({ child, ended }: Program, signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
  child.kill('SIGCONT');
  child.kill(signal);
  return ended;
}

function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', MARK_VARIABLE];
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}
