import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './command.ts';

const TOOLS = ['/usr/bin/apt-get', '/usr/bin/apt-cache', '/usr/bin/dpkg'];

/** @throws Error on a machine that has no Debian packages for this guest */
export function demandDebian(): void {
  const missing = TOOLS.filter((tool) => !existsSync(tool));
  if (process.platform === 'linux' && process.arch === 'x64' && missing.length === 0) return;
  const why = missing.length > 0 ? `${missing.join(', ')} missing` : `${process.platform} ${process.arch}`;
  throw new Error(
    `the guest is made of Debian packages for x86-64, and this machine cannot get them: ${why}`,
  );
}

/** The package a meta package stands for now, for example `linux-image-6.1.0-56-amd64`. */
export async function dependencyOf(metaPackage: string, pattern: RegExp): Promise<string> {
  const found = (await aptSays('apt-cache', ['depends', metaPackage])).match(pattern)?.[0];
  if (found === undefined) throw new Error(`${metaPackage} depends on nothing like ${pattern}`);
  return found;
}

/** Packages that an installation would add to this machine, with versions, for `apt-get download`. */
export async function notInstalled(packages: readonly string[]): Promise<string[]> {
  const plan = await aptSays('apt-get', ['-s', '--no-install-recommends', 'install', ...packages]);
  return [...plan.matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+)/gm)].map(
    ([, name, version]) => `${name}=${version}`,
  );
}

/** Downloads packages and unpacks them below `root`. Nothing is installed, and nobody need be root. */
export async function unpack(packages: readonly string[], root: string, downloads: string): Promise<void> {
  mkdirSync(downloads, { recursive: true });
  mkdirSync(root, { recursive: true });
  await aptSays('apt-get', ['download', '-q', ...packages], downloads);
  const archives = readdirSync(downloads).filter((name) => name.endsWith('.deb'));
  for (const archive of archives) await output('dpkg', ['-x', join(downloads, archive), root]);
}

async function aptSays(program: string, args: readonly string[], cwd?: string): Promise<string> {
  try {
    return await output(program, args, cwd === undefined ? {} : { cwd });
  } catch (cause) {
    const remedy = 'run `apt-get update` as root, and check that this machine reaches its Debian mirror';
    throw new Error(`Debian packages cannot be had; ${remedy}. ${(cause as Error).message}`, { cause });
  }
}
