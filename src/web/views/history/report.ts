import type { RunEvent } from '../../../scenario/events/event.ts';
import type { Measurement } from '../../../scenario/records/measurements.ts';
import { thinBatch } from '../../../services/server/live/thin-batch.ts';
import type { RunView } from '../../../services/server/runs/run-view.ts';
import { type RunModel, withBatch } from '../../run/run-model.ts';

/** A record as `GET /api/runs/{id}/report?format=json` tells it. */
export type Report = RunView & {
  duration_ms: number;
  events: RunEvent[];
  measurements: Measurement[];
  identity: { calibrations?: { sensor: string; id: string; due_at: string | null }[] };
};

/** Events of a part of the record: thinned as the live view thins them. */
const PART = 2000;

export const reportPath = (runId: string, format = 'json'): string =>
  `/api/runs/${encodeURIComponent(runId)}/report?format=${format}`;

/** Compares a record with its seal. */
export const verifyPath = (runId: string): string => `/api/runs/${encodeURIComponent(runId)}/verify`;

/** What the live view would show of it at its end. */
export function modelOf({ run_id, events }: Report): RunModel {
  let model: RunModel | undefined;
  for (let from = 0; from < events.length || from === 0; from += PART) {
    const part = events.slice(from, from + PART);
    const first = part[0]?.seq ?? 0;
    const last = part.at(-1)?.seq ?? 0;
    model = withBatch(model, { run_id, first, last, is_end: false, ...thinBatch(part) });
  }
  return model ?? withBatch(undefined, { run_id, first: 0, last: 0, is_end: true, events: [], traces: {} });
}
