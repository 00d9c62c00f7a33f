import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RIG_SERVICES } from '../../rig/profiles/rig-services.ts';
import { ECOSYSTEM, projectRoot } from './project-root.ts';
import { startError } from './start-error.ts';

/** Where the parts lie that a start needs. */
export interface Installation {
  root: string;
  /** Folder of the bundles. */
  dist: string;
  /** PM2's file. */
  ecosystem: string;
  /** PM2's command. It is run, never loaded: it is a program beside ours. */
  pm2: string;
  /** Root of the shipped scenarios. */
  scenarios: string;
}

const BUNDLES = ['svcctl', 'svc-bench', ...RIG_SERVICES].map((name) => `${name}.cjs`);

/** @throws CliError `not_installed`, naming what is missing */
export function installation(from: string = fileURLToPath(import.meta.url)): Installation {
  const root = projectRoot(from);
  if (root === undefined)
    throw startError('not_installed', `no ${ECOSYSTEM} above ${dirname(from)}: run npm start in the project`);
  const dist = join(root, 'dist');
  const missing = BUNDLES.filter((name) => !existsSync(join(dist, name)));
  if (missing.length > 0)
    throw startError('not_installed', `${dist} has no ${missing.join(', ')}: run npm run build`);
  return {
    root,
    dist,
    ecosystem: join(root, ECOSYSTEM),
    pm2: pm2Program(root),
    scenarios: join(root, 'scenarios'),
  };
}

function pm2Program(root: string): string {
  try {
    return createRequire(join(root, 'package.json')).resolve('pm2/bin/pm2');
  } catch (cause) {
    throw startError('not_installed', `PM2 is not installed below ${root}: run npm ci`, { cause });
  }
}
