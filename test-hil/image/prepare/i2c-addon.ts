import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from './command.ts';

const PACKAGE = fileURLToPath(new URL('../../../node_modules/i2c-bus/', import.meta.url));
const TOOLS = ['g++', 'make', 'python3'];

/**
 * Compiles the add-on of i2c-bus for this machine's Node, in a copy: this project's own node_modules stays as it is.
 *
 * @param modules folder of packages that is to have it
 * @throws Error with the remedy when something it needs is missing
 */
export async function compileI2cBus(modules: string): Promise<void> {
  if (!existsSync(PACKAGE)) throw new Error('i2c-bus is not installed; run `npm ci` without --omit=optional');
  const missing = TOOLS.filter((tool) => !inPath(tool));
  if (missing.length > 0)
    throw new Error(
      `i2c-bus cannot be compiled: ${missing.join(', ')} missing; run \`apt-get install g++ make python3\` as root`,
    );
  const copy = join(modules, 'i2c-bus');
  for (const part of ['package.json', 'binding.gyp', 'src'])
    cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
  // Headers that came with Node spare node-gyp a download.
  const prefix = join(dirname(process.execPath), '..');
  const env = existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {};
  await output('npm', ['run', '--silent', 'install'], { cwd: copy, env });
}

const inPath = (tool: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, tool)));
