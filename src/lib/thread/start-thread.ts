import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** Given to the thread as `workerData`. */
  workerData: unknown;
  /** Of its own heap, MB; a thread that outgrows it ends, and its process does not. */
  resourceLimits: ResourceLimits;
}

/** Starts a program, built or as its source, as a thread of this process. */
export function startThread(entry: URL, options: ThreadOptions): Worker {
  // What this process was started with, a compiler for instance, is not for its threads.
  const given = { ...options, execArgv: [] };
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, given);
  return new Worker(sourceLoader(entry), { ...given, eval: true });
}

/** In development the program is not built, and a thread has to be given the compiler by hand. */
function sourceLoader(entry: URL): string {
  const tsx = pathToFileURL(createRequire(entry).resolve('tsx/package.json'));
  const api = JSON.stringify(new URL('dist/esm/api/index.mjs', tsx).href);
  return `import(${api}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}); });`;
}
