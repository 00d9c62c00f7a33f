import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './command.ts';
import { nodeRelease } from './node-release.ts';
import { cpuOf, hostTarget, type Target } from './target.ts';

const I2C_ADDON = 'i2c-bus/build/Release/i2c.node';
const CROSS = 'aarch64-linux-gnu';

/**
 * The packages of package-lock.json for the target, without those of development, and i2c-bus compiled for the pinned Node. Kept
 * in `cache` until lock file or Node change.
 * @param node folder of `nodeFor` with the headers
 * @returns the folder `node_modules`
 * @throws Error naming the missing compiler
 */
export async function productionModules(
  root: string,
  target: Target,
  node: string,
  cache: string,
): Promise<string> {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const key = createHash('sha256').update(lock).update(nodeRelease.version).digest('hex').slice(0, 12);
  const folder = join(cache, `modules-${target}-${key}`);
  const modules = join(folder, 'node_modules');
  const done = join(folder, 'complete');
  if (existsSync(done)) return modules;
  const compiler = await compilerFor(target);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, file), join(folder, file));
  const machine = ['--os=linux', `--cpu=${cpuOf(target)}`, '--libc=glibc'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  await output('npm', ['ci', '--omit=dev', ...quiet, ...machine], { cwd: folder });
  const env = {
    ...compiler,
    npm_config_arch: cpuOf(target),
    npm_config_target_arch: cpuOf(target),
    npm_config_nodedir: node,
    npm_config_target: nodeRelease.version,
  };
  await output('npm', ['rebuild', 'i2c-bus', '--ignore-scripts=false', '--silent'], { cwd: folder, env });
  if (!existsSync(join(modules, I2C_ADDON))) throw new Error(`i2c-bus left no ${I2C_ADDON}`);
  writeFileSync(done, '');
  return modules;
}

async function compilerFor(target: Target): Promise<Record<string, string>> {
  const prefix = target === hostTarget ? '' : `${CROSS}-`;
  const tools = [`${prefix}g++`, 'make', 'python3'];
  const missing: string[] = [];
  for (const tool of tools) {
    const found = await output('sh', ['-c', `command -v ${tool} || true`]);
    if (found.trim() === '') missing.push(tool);
  }
  if (missing.length > 0) {
    const packages = prefix === '' ? 'g++ make python3' : `g++-${CROSS} make python3`;
    throw new Error(`i2c-bus cannot be compiled, ${missing.join(', ')} missing: apt-get install ${packages}`);
  }
  return prefix === '' ? {} : { CC: `${prefix}gcc`, CXX: `${prefix}g++`, LINK: `${prefix}g++` };
}
