import type { FileAccess } from '../image/file-access.ts';
import { readSize } from '../image/read-image.ts';
import type { Job } from '../operations/job.ts';
import { WindowError } from '../window-error.ts';

const MB = 1024 * 1024;

/* What the service takes, as `npm run bench:window-memory` measures it on the machines that it is made for. */

/** The program itself with its event loop. */
export const PROGRAM_BYTES = 70 * MB;
/** A thread: its heap, its compiled code, and what it has not yet given back. */
export const THREAD_BYTES = 40 * MB;
/** Two recognizers with the data of their language, which stay in the thread that reads text. */
export const READER_BYTES = 120 * MB;

/**
 * Of each pixel of an image. Those that compare have the former image in memory too, those that
 * detect the connected areas, and a diagnosis what the reader of barcodes takes.
 */
const BYTES_PER_PIXEL: Readonly<Record<Job['kind'], number>> = {
  analyze: 9,
  compare: 9,
  refresh: 9,
  summary: 9,
  diagnose: 22,
  detect: 17,
  adopt: 17,
  store: 0,
};

/** Whether a job reads text. */
export function readsText(job: Job): boolean {
  if (job.kind !== 'detect' && job.kind !== 'adopt' && job.kind !== 'diagnose') return false;
  return job.request.ocr;
}

/** Memory that a job takes for its image, bytes; 0 when there is none that can be read: the job itself says so. */
export async function demandOf(access: FileAccess, job: Job): Promise<number> {
  if (job.kind === 'store' || job.request.image === undefined) return 0;
  try {
    const { width, height, fileBytes } = await readSize(access, job.request.image);
    return width * height * BYTES_PER_PIXEL[job.kind] + fileBytes;
  } catch (thrown) {
    if (thrown instanceof WindowError) return 0;
    throw thrown;
  }
}
