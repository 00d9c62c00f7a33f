import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread/start-thread.ts';
import type { ThreadData } from './pool-thread.ts';

/**
 * Of the heap of one thread, MB. Pictures lie outside of it. Small room for what is new keeps four threads below what the
 * rig can spare; an operation that outgrows the other limit ends its thread and not the service.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** Starts a program as a thread of the pool. */
export const startPoolThread = (entry: URL, workerData: ThreadData): Worker =>
  startThread(entry, { workerData, resourceLimits: HEAP_LIMITS });
