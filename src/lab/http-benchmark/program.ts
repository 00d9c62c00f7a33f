import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { endWithThisProcess } from '../../test-kit/end-with-parent.ts';

/** A program that runs beside the benchmark and says where it is reached with its first line, as JSON. */
export interface Program {
  first: Record<string, unknown>;
  /** Resident memory, MiB. */
  memoryMib(): number;
  stop(): Promise<void>;
}

/** @throws Error when it ends without a first line */
export async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Program> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...endWithThisProcess(), ...env },
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    first: await firstLine(child, args),
    memoryMib: () => residentKib(child.pid) / 1024,
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

async function firstLine(child: ChildProcess, args: readonly string[]): Promise<Record<string, unknown>> {
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout }))
      return JSON.parse(line) as Record<string, unknown>;
  }
  throw new Error(`${args.join(' ')} ended without saying that it is ready`);
}

function residentKib(pid = 0): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
