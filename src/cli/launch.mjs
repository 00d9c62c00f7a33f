#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Every command of package.json's `bin` is a link to this file; it runs the program of `dist/` that has the link's name, in
// this process. Without a build it builds first, so that `npx svcctl` works right after `npm ci`.
const path = (fromRoot) => fileURLToPath(new URL(`../../${fromRoot}`, import.meta.url));
const name = basename(process.argv[1]);
const { bin } = JSON.parse(readFileSync(path('package.json'), 'utf8'));
if (!Object.hasOwn(bin, name)) {
  process.stderr.write(`launch.mjs runs by its links alone: npx ${Object.keys(bin).join(', npx ')}\n`);
  process.exit(2);
}
const bundle = path(`dist/${name}.cjs`);
if (!existsSync(bundle)) {
  const { status } = spawnSync(process.execPath, [path('build.mjs'), '--quiet'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
process.argv[1] = bundle;
createRequire(import.meta.url)(bundle);
