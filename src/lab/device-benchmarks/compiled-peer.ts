import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

const CACHE = 'node_modules/.cache/svc-rig/peers';

/** Why programs in C cannot be compiled here, with the remedy; undefined when they can. */
export function compilerMissing(): string | undefined {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'no C compiler; install the Debian package gcc';
  }
}

/** A program of test-hil/peers. @param libraries names for the linker @returns path of the executable */
export const compiledPeer = (program: string, libraries: readonly string[] = []): string =>
  compiled(
    `test-hil/peers/${program}.c`,
    libraries.map((name) => `-l${name}`),
  );

/** Compiles only when the source has changed. To be called in the project's folder. @returns path of the result */
export function compiled(file: string, options: readonly string[] = []): string {
  const source = path.resolve(file);
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
  const binary = path.resolve(CACHE, `${path.basename(file, '.c')}-${hash}`);
  if (existsSync(binary)) return binary;
  mkdirSync(path.dirname(binary), { recursive: true });
  const fresh = `${binary}.${process.pid}`;
  execFileSync('cc', ['-O2', '-Wall', '-Wextra', '-Werror', '-o', fresh, source, ...options]);
  renameSync(fresh, binary);
  return binary;
}
