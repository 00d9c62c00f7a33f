import { computed, signal } from '@preact/signals';
import { systemClock } from '../../lib/clock/clock.ts';
import type { RunBatch } from '../../services/server/live/live-schema.ts';
import type { RunView } from '../../services/server/runs/run-view.ts';
import { alive, onRunBatch } from '../live/state.ts';
import { DrawingPace } from './drawing-pace.ts';
import { joinedBatches, type RunModel, withBatch } from './run-model.ts';

/** The run that has or had the rig, by its events. */
export const runModel = signal<RunModel | undefined>(undefined);

/** Arrived and not drawn. */
let waiting: RunBatch[] = [];

const pace = new DrawingPace(
  systemClock,
  () => {
    const batches = waiting;
    waiting = [];
    runModel.value = batches.reduce<RunModel | undefined>(withBatch, runModel.value);
  },
  // The first frame draws, the second one comes when that is on the screen.
  (done) => requestAnimationFrame(() => requestAnimationFrame(done)),
);

onRunBatch((batch) => {
  waiting = joinedBatches(waiting, batch);
  pace.ask();
});

/** The same run as the server describes it; null when there was none. */
export const runView = computed<RunView | null>(() => {
  const run = alive.value?.run;
  return run && 'scenario_id' in run ? run : null;
});

/** It goes on. */
export const isActive = computed(() => runView.value !== null && runView.value.ended_at === null);
