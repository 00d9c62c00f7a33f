import { computed, signal } from '@preact/signals';
import type { RunView } from '../../services/server/runs/run-view.ts';
import { alive, onRunBatch } from '../live/state.ts';
import { type RunModel, withBatch } from './run-model.ts';

/** The run that has or had the rig, by its events. */
export const runModel = signal<RunModel | undefined>(undefined);

onRunBatch((batch) => {
  runModel.value = withBatch(runModel.value, batch);
});

/** The same run as the server describes it; null when there was none. */
export const runView = computed<RunView | null>(() => {
  const run = alive.value?.run;
  return run && 'scenario_id' in run ? run : null;
});

/** It goes on. */
export const isActive = computed(() => runView.value !== null && runView.value.ended_at === null);
