import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Runs a program of `dist/` in this process, building it first when there is no build yet, so that `npx svcctl` works
 * right after `npm ci`.
 * @param {string} name program name, for example `svcctl`
 */
export function launch(name) {
  const bundle = fileURLToPath(new URL(`../../../dist/${name}.cjs`, import.meta.url));
  if (!existsSync(bundle)) {
    const script = fileURLToPath(new URL('../../../build.mjs', import.meta.url));
    const { status } = spawnSync(process.execPath, [script, '--quiet'], { stdio: ['ignore', 2, 2] });
    if (status !== 0) process.exit(status ?? 1);
  }
  process.argv[1] = bundle;
  createRequire(import.meta.url)(bundle);
}
