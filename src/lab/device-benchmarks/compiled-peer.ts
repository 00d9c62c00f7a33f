import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

const SOURCES = 'test-hil/peers';
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

/**
 * A program of test-hil/peers; compiled only when its source has changed. To be called in the project's folder.
 *
 * @param libraries names for the linker
 * @returns path of the executable
 */
export function compiledPeer(program: string, libraries: readonly string[] = []): string {
  const source = path.resolve(SOURCES, `${program}.c`);
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
  const binary = path.resolve(CACHE, `${program}-${hash}`);
  if (existsSync(binary)) return binary;
  mkdirSync(path.dirname(binary), { recursive: true });
  const fresh = `${binary}.${process.pid}`;
  const links = libraries.map((name) => `-l${name}`);
  execFileSync('cc', ['-O2', '-Wall', '-Wextra', '-Werror', '-o', fresh, source, ...links]);
  renameSync(fresh, binary);
  return binary;
}
