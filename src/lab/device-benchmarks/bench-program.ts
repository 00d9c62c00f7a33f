import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';

export interface BenchProgram {
  /** Address of a twin, as `svc-bench` tells it. @throws RangeError when it has none of that name */
  address(name: string): string;
  /** Ends it; its links and sockets are gone afterwards. */
  end(): Promise<void>;
}

/**
 * `svc-bench` as a process of its own, so that twins and drivers do not share an event loop. It runs from the built
 * bundle, in a folder of its own.
 *
 * @throws Error when it ends before it can be used, with what it said
 */
export async function startBench(options: readonly string[]): Promise<BenchProgram> {
  const folder = temporaryFolder('bench-adc-');
  const bundle = resolve('dist/svc-bench.cjs');
  const child = spawn(process.execPath, [bundle, '--dir', folder, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { devices } = JSON.parse(await firstLine(child)) as { devices: Record<string, string> };
    const address = (name: string): string => {
      const found = devices[name];
      if (found === undefined)
        throw new RangeError(`svc-bench has no ${name}, only ${Object.keys(devices).join(', ')}`);
      return found;
    };
    return { address, end };
  } catch (fault) {
    await end();
    throw fault;
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`svc-bench ended with code ${code}: ${said.trim()}`)));
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
