import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { eventStream } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { KnownHealth } from '../../../rig/service/known-health.ts';
import type { CurrentRun } from '../live/current-run.ts';
import { liveEvents, livePosition } from '../live/live-events.ts';
import type { AliveState, PageSettings } from '../live/live-schema.ts';
import { pageSettings } from '../live/live-schema.ts';
import type { BridgeStatus } from '../live/rig-status.ts';
import { SharedBatches } from '../live/shared-batches.ts';
import type { Runs } from '../runs/runs.ts';
import type { StationDesk } from '../station/station.ts';
import { api } from './paths.ts';

/** The first event `alive` of a page waits for a fresh state of the bridge: what is known may be old. */
const FIRST_WAIT_MS = 500;
/** The others report what is known rather than to come late. */
const BRIDGE_WAIT_MS = 50;

export interface LiveParts {
  runs: Runs;
  current: CurrentRun;
  station: StationDesk;
  bridge: KnownHealth<BridgeStatus>;
  settings: () => PageSettings;
  /** Name of the script of the page. */
  page: string | null;
  /** Why no run can be recorded: place, reason and remedy; undefined when runs can be. */
  recordProblem: () => string | undefined;
  clock: Clock;
}

export function liveRoutes(parts: LiveParts): Route[] {
  const { runs, current, station, bridge, settings, page, recordProblem, clock } = parts;
  const batches = new SharedBatches();
  const alive = async (isFirst: boolean, runFault: string | null): Promise<AliveState> => ({
    time: new Date(clock.now()).toISOString(),
    run: runOf(runs, current.id),
    run_fault: runFault,
    bridge: await bridge.get(isFirst ? FIRST_WAIT_MS : BRIDGE_WAIT_MS),
    record_fault: recordProblem() ?? null,
    page,
    station: station.state,
  });
  return [
    route({
      method: 'GET',
      path: api('/page'),
      summary: 'What the page needs of this rig before it opens its event stream',
      answer: pageSettings,
      handler: settings,
    }),
    route({
      method: 'GET',
      path: api('/live'),
      summary:
        'Server-sent events for a page: alive (state of server, bridge, lease and run) at once and every 500 ms, run with the events of the current run, thinned; Last-Event-ID or last_event_id resumes',
      query: z.object({ last_event_id: z.string().max(200).optional() }),
      headers: ['last-event-id'],
      answerType: 'text/event-stream',
      handler: ({ query, header, signal }) => {
        const from = livePosition(header('last-event-id') ?? query.last_event_id);
        const sources = {
          alive,
          currentRun: () => current.id,
          followed: (id: string) => runs.followed(id),
          batches,
        };
        return eventStream(liveEvents(sources, { from, clock, signal }));
      },
    }),
  ];
}

function runOf(runs: Runs, id: string | null): AliveState['run'] {
  if (id === null) return null;
  try {
    return runs.view(id);
  } catch (thrown) {
    // Its record was removed or damaged since.
    return { run_id: id, fault: messageOf(thrown) };
  }
}
