import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ThreadData } from './pool-thread.ts';

/**
 * Of the heap of one thread, MB. Pictures lie outside of it. Small room for what is new keeps four threads below what the
 * rig can spare; an operation that outgrows the other limit ends its thread and not the service.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** Starts a program as a thread of the pool. */
export function startThread(entry: URL, workerData: ThreadData): Worker {
  // What this process was started with, a compiler for instance, is not for its threads.
  const options = { workerData, execArgv: [], resourceLimits: HEAP_LIMITS };
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
  return new Worker(sourceLoader(entry), { ...options, eval: true });
}

/** In development the program is not built, and a thread has to be given the compiler by hand. */
function sourceLoader(entry: URL): string {
  const tsx = pathToFileURL(createRequire(entry).resolve('tsx/package.json'));
  const api = JSON.stringify(new URL('dist/esm/api/index.mjs', tsx).href);
  return `import(${api}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}); });`;
}
