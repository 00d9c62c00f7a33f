import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * Folders of packages and of all that they depend on, as Node would find them, relative to `modules`. An optional dependency that is
 * not installed is left out.
 * @param modules a folder `node_modules`; @throws Error naming a dependency that is missing
 */
export function packageClosure(modules: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string, from: string, isOptional: boolean) => {
    const folder = resolveFrom(modules, from, name);
    if (folder === undefined) {
      if (isOptional) return;
      throw new Error(`${name}, which ${relative(modules, from) || 'the rig'} needs, is not in ${modules}`);
    }
    if (found.has(folder)) return;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = manifest(folder);
    for (const one of Object.keys(dependencies)) visit(one, folder, one in optionalDependencies);
    for (const one of Object.keys(optionalDependencies)) visit(one, folder, true);
  };
  for (const name of names) visit(name, modules, false);
  return [...found].map((folder) => relative(modules, folder)).sort();
}

function resolveFrom(modules: string, from: string, name: string): string | undefined {
  for (let folder = from; folder.startsWith(modules); folder = dirname(folder)) {
    const candidate = folder === modules ? join(modules, name) : join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
