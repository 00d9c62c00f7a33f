import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { invalidField } from '../../../lib/http/http-error.ts';
import { numberText } from '../../../lib/http/query-types.ts';
import { eventStream, json } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { KnownHealth } from '../../../rig/service/known-health.ts';
import { FILES } from '../../../scenario/records/run-file.ts';
import type { Verification } from '../../../scenario/records/verify-record.ts';
import type { Told } from '../firmware.ts';
import { REPORT_FORMATS, reportOf } from '../report.ts';
import { type SealOf, SORTS } from '../run-index/queries/list-runs.ts';
import { followEvents } from '../runs/follow-events.ts';
import type { RunHistory } from '../runs/run-history.ts';
import type { Runs } from '../runs/runs.ts';
import { api } from './paths.ts';
import { runFilterOf, runFilterQuery } from './run-filter-query.ts';
import { RUN, RUN_LIST, RUN_REPORT, RUN_SCENARIO, RUN_VERIFICATION } from './run-schema.ts';

const params = z.object({ id: z.string() });
const promptParams = z.object({ id: z.string(), n: numberText({ min: 1, integer: true }) });
const RECORD_PROBLEMS = ['device_unavailable', 'corrupt_response'] as const;
const RUN_PROBLEMS = ['unknown_run', ...RECORD_PROBLEMS] as const;
const MOST_LISTED = 1000;
/** An event `alive` reports what is known rather than to come late. */
const BRIDGE_WAIT_MS = 50;
/** A long run has a long report. */
const REPORT_DEADLINE_MS = 60_000;

/** @param bridge what is known of the bridge */
export function runRoutes(runs: Runs, history: RunHistory, bridge: KnownHealth<Told>, clock: Clock): Route[] {
  const alive = async (id: string) => {
    const told = await bridge.get(BRIDGE_WAIT_MS);
    const { mode = null, safe_state = null } = 'said' in told ? told.said : {};
    return {
      time: new Date(clock.now()).toISOString(),
      run: { run_id: id, status: runs.view(id).status },
      bridge: { reachable: 'said' in told, mode, safe_state },
    };
  };
  return [
    route({
      method: 'GET',
      path: api('/runs'),
      summary:
        'Runs, newest first unless sort says otherwise; next is the value of before for the rest of the list',
      query: z.object({
        ...runFilterQuery,
        limit: numberText({ min: 1, max: MOST_LISTED, integer: true }).default(50),
        before: z.string().max(100).optional(),
        sort: z.enum(SORTS, `must be one of ${SORTS.join(', ')}`).default('newest'),
      }),
      answer: RUN_LIST,
      problems: RECORD_PROBLEMS,
      handler: async ({ query }) => {
        const { limit, before, sort } = query;
        const live = runs.liveStatuses();
        const list = await history.list({ filter: runFilterOf(query), sort, limit, before, live });
        const listed = list.runs.flatMap((run) => ('file' in run ? [runs.viewOf(run.file, run.seal)] : []));
        const damaged = list.runs.flatMap((run) => ('damaged' in run ? [run.damaged] : []));
        const { next, source, note } = list;
        return { count: listed.length, runs: listed, damaged, next, source, note };
      },
    }),
    route({
      method: 'GET',
      path: api('/runs/:id'),
      summary: 'One run',
      params,
      answer: RUN,
      problems: RUN_PROBLEMS,
      handler: async ({ params: { id } }) => {
        const view = runs.view(id);
        return { ...view, seal: view.seal ?? (await history.seal(id))?.seal ?? null };
      },
    }),
    route({
      method: 'GET',
      path: api('/runs/:id/events'),
      summary:
        'The events of a run as server-sent events, to run.end, and alive every 500 ms; Last-Event-ID or last_event_id resumes',
      params,
      query: z.object({ last_event_id: z.string().optional() }),
      headers: ['last-event-id'],
      answerType: 'text/event-stream',
      answerStatus: [200, 204],
      problems: RUN_PROBLEMS,
      handler: ({ params: { id }, query, header, signal }) => {
        const followed = runs.followed(id);
        const last = lastEventId(header('last-event-id')) ?? lastEventId(query.last_event_id, 'query');
        // A browser asks again when a stream ends; this tells it that there is no more.
        if (last !== undefined && last === followed.lastSeq) return json(null, 204);
        return eventStream(followEvents(followed, last ?? -1, { clock, signal, alive: () => alive(id) }));
      },
    }),
    route({
      method: 'GET',
      path: api('/runs/:id/scenario'),
      summary: 'The text of the scenario as it was run, compared with the hash in the record',
      params,
      answer: RUN_SCENARIO,
      problems: RUN_PROBLEMS,
      handler: ({ params: { id } }) => {
        const { file, text } = runs.scenarioText(id);
        const { scenario } = file.identity;
        return { run_id: id, scenario_id: scenario.id, sha256: scenario.sha256, text };
      },
    }),
    route({
      method: 'POST',
      path: api('/runs/:id/abort'),
      summary: 'Aborts a run: teardown and safe state follow',
      params,
      actuating: true,
      answer: z.object({ run_id: z.string(), status: z.literal('aborting') }),
      answerStatus: [202],
      problems: [...RUN_PROBLEMS, 'run_finished'],
      handler: ({ params: { id } }) => {
        runs.abort(id);
        return { run_id: id, status: 'aborting' };
      },
    }),
    route({
      method: 'POST',
      path: api('/runs/:id/prompts/:n'),
      summary: 'Answers the prompt that a run waits at: yes or no, a choice or its number, or a value',
      params: promptParams,
      body: z.strictObject({ answer: z.union([z.string().max(10_000), z.number(), z.boolean()]) }),
      actuating: true,
      answer: z.object({ run_id: z.string(), prompt: z.int(), answer: z.string() }),
      problems: [...RUN_PROBLEMS, 'unknown_prompt', 'prompt_closed', 'run_finished'],
      handler: ({ params: { id, n }, body: { answer } }) => ({
        run_id: id,
        prompt: n,
        answer: runs.answer(id, n, typeof answer === 'boolean' ? (answer ? 'yes' : 'no') : String(answer)),
      }),
    }),
    route({
      method: 'GET',
      path: api('/runs/:id/verify'),
      summary: 'Compares a record with its seal: events, files, signature',
      params,
      deadlineMs: REPORT_DEADLINE_MS,
      answer: RUN_VERIFICATION,
      problems: RUN_PROBLEMS,
      handler: async ({ params: { id } }) => {
        const found = await runs.verify(id);
        return found.status === 'open' && !runs.isLive(id) ? reopened(found, await history.seal(id)) : found;
      },
    }),
    route({
      method: 'GET',
      path: api('/runs/:id/report'),
      summary: 'The report of a run that has ended, as a file',
      params,
      query: z.object({
        format: z.enum(REPORT_FORMATS, `must be one of ${REPORT_FORMATS.join(', ')}`).default('json'),
      }),
      deadlineMs: REPORT_DEADLINE_MS,
      answer: RUN_REPORT,
      answerType: ['application/json', 'text/html', 'application/xml', 'text/csv'],
      problems: [...RUN_PROBLEMS, 'run_not_finished'],
      handler: async ({ params: { id }, query }) => reportOf(query.format, await runs.record(id)),
    }),
  ];
}

/** An ending that was removed can be known to the index only. */
function reopened(found: Verification, known: SealOf | null): Verification {
  if (known?.seal !== 'unsealed' && known?.seal !== 'tampered') return found;
  const fault = { file: FILES.seal, line: null, reason: known.reason ?? 'it is missing' };
  return { ...found, status: known.seal, faults: [fault] };
}

/** @throws HttpError 422 */
function lastEventId(text: string | undefined, place: 'header' | 'query' = 'header'): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidField('invalid_parameter', {
    in: place,
    field: place === 'header' ? 'Last-Event-ID' : 'last_event_id',
    message: 'must be the id of an event: 0, 1, 2 and so on',
    value: text,
  });
}
