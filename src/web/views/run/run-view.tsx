import { useState } from 'preact/hooks';
import { isActive, runView } from '../../run/current-run.ts';
import { station } from '../../run/station.ts';
import { Progress } from './progress.tsx';
import { Setup } from './setup.tsx';

/** The operator's view: what is tested next, the run as it happens, and its result until the next unit is entered. */
export function RunViewPage() {
  const run = runView.value;
  const isPutAway = run === null || station.value?.dismissed_run === run.run_id;
  // The answer to the start names a run that the stream may not have told yet.
  const [started, setStarted] = useState<string | null>(null);
  const isStarting = started !== null && started !== run?.run_id;
  if (run && !isStarting && (isActive.value || !isPutAway)) return <Progress run={run} />;
  return <Setup isStarting={isStarting} onStarted={setStarted} />;
}
