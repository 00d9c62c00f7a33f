import * as z from 'zod';
import type { RunView } from '../runs/run-view.ts';
import type { StationState } from '../station/station.ts';
import type { BridgeStatus } from './rig-status.ts';
import type { Batch } from './thin-batch.ts';

/** What a page has to know of a rig that does not change while the server runs. */
export const pageSettings = z.object({
  /** For people: of the machine. */
  rig: z.string(),
  version: z.string(),
  /** Of this service. */
  mode: z.enum(['mock', 'real']),
  /** Where the guard takes stops, on the same host. */
  guard_port: z.int(),
  /** Its devices may be twins, whose settings the page then offers. */
  has_bench: z.boolean(),
});
export type PageSettings = z.output<typeof pageSettings>;

/** Data of the event `alive`. */
export interface AliveState {
  /** Of the server, ISO. */
  time: string;
  run: RunView | { run_id: string; fault: string } | null;
  bridge: BridgeStatus;
  /** Why events of the run are missing; null when none is. */
  run_fault: string | null;
  /** Why no run can be recorded; null when runs can be. */
  record_fault: string | null;
  /** Name of the script of the page as it is served now; null: this server has no page. */
  page: string | null;
  /** What is entered for the next run. */
  station: StationState;
}

/** Data of the event `run`: events `first` to `last` of the run, thinned. */
export interface RunBatch extends Batch {
  run_id: string;
  first: number;
  last: number;
  /** No more will come. */
  is_end: boolean;
}
