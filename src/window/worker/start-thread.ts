import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ThreadData } from './thread.ts';

/** Starts a program as a thread of the pool. */
export function startThread(entry: URL, workerData: ThreadData): Worker {
  // What this process was started with, a compiler for instance, is not for its threads.
  const options = { workerData, execArgv: [] };
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
  return new Worker(sourceLoader(entry), { ...options, eval: true });
}

/** In development the program is not built, and a thread has to be given the compiler by hand. */
function sourceLoader(entry: URL): string {
  const tsx = pathToFileURL(createRequire(entry).resolve('tsx/package.json'));
  const api = JSON.stringify(new URL('dist/esm/api/index.mjs', tsx).href);
  return `import(${api}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}); });`;
}
