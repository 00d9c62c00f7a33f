import type { RunView } from '../../services/server/runs/run-view.ts';
import { Said } from './said.tsx';

/** What failed first in a run, or what ended it; nothing where nothing did. */
export function RunReason({ run }: { run: Pick<RunView, 'first_failed' | 'errors'> }) {
  const [fault] = run.errors;
  if (run.first_failed) return <Said text={run.first_failed.message} />;
  return fault ? <Said text={fault.message} code={fault.code} /> : null;
}
