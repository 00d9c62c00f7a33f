import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { decodePng } from '../../window/image/png/decode.ts';
import { boostJob } from './boost.ts';
import { examplesOf } from './examples.ts';
import type { Jobs } from './threads.ts';

type Job = { [K in keyof Jobs]: { kind: K; input: Jobs[K]['input'] } }[keyof Jobs];

async function answer(job: Job): Promise<Jobs[keyof Jobs]['output']> {
  if (job.kind === 'boost') return boostJob(job.input);
  const png = readFileSync(job.input.image);
  const digest = createHash('sha256').update(png).update(JSON.stringify(job.input.items)).digest('hex');
  return { examples: examplesOf(await decodePng(png), job.input), digest };
}

parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await answer(job)));
