import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../bench/program.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built program to its end; `bundle` may be a copy elsewhere. */
export function runWindow(
  args: readonly string[],
  {
    env = {},
    bundle = join(root, 'dist', 'svc-window.cjs'),
  }: { env?: Record<string, string>; bundle?: string } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [bundle, ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}

/** The bundle and what lies beside it, where no package is installed: as on a machine that leaves the components out. */
export async function withoutPackages(work: (bundle: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-window-bare-'));
  try {
    for (const name of readdirSync(join(root, 'dist'), { withFileTypes: true }))
      if (name.isFile() && /^(svc-window\.cjs|.*\.wasm)$/.test(name.name))
        copyFileSync(join(root, 'dist', name.name), join(folder, name.name));
    await work(join(folder, 'svc-window.cjs'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
