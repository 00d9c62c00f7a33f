import { adoptOperation } from './adopt.ts';
import { analyzeOperation } from './analyze.ts';
import { compareOperation } from './compare.ts';
import type { WindowContext } from './context.ts';
import { detectOperation } from './detect.ts';
import { examine, storeDiagnosis } from './diagnose.ts';
import { refreshOperation } from './refresh.ts';
import type { Operation, WindowRequest } from './request.ts';
import { summaryOperation } from './summary.ts';

/** One piece of work on files and images; plain data, so that a thread can do it. */
export type Job =
  | { kind: Operation; request: WindowRequest }
  | { kind: 'store'; file: string; programHash: string | null; findings: Record<string, unknown> };

/** Does a job to its end. `diagnose` gives an `Examination`, everything else its document. @throws WindowError */
export function doJob(context: WindowContext, job: Job): Promise<object> {
  switch (job.kind) {
    case 'detect':
      return detectOperation(context, job.request);
    case 'compare':
      return compareOperation(context, job.request);
    case 'refresh':
      return refreshOperation(context, job.request);
    case 'diagnose':
      return examine(context, job.request);
    case 'analyze':
      return analyzeOperation(context, job.request);
    case 'adopt':
      return adoptOperation(context, job.request);
    case 'summary':
      return summaryOperation(context, job.request);
    case 'store':
      return storeDiagnosis(context, job);
  }
}
