import * as z from 'zod';
import { endOrTime } from '../../../lib/clock/bounded.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import { invalidField } from '../../../lib/http/http-error.ts';
import { booleanText, numberText } from '../../../lib/http/query-types.ts';
import { json } from '../../../lib/http/reply.ts';
import { type Route, type RouteContext, route } from '../../../lib/http/route.ts';
import { givenVariables, givenVariablesText } from '../given-variables.ts';
import type { Runs } from '../runs/runs.ts';
import { type FoundScenario, findScenario } from '../scenarios/find-scenarios.ts';
import type { ScenarioCatalog } from '../scenarios/scenario-catalog.ts';
import { type PlanRequest, planSchema, type ScenarioPlan } from '../scenarios/scenario-plan.ts';
import { api } from './paths.ts';
import { RUN } from './run-schema.ts';

const LONGEST_WAIT_S = 120;
/** The kit's own limit comes after the longest wait. */
const WAIT_DEADLINE_MS = (LONGEST_WAIT_S + 10) * 1000;

/** The first list of a large folder reads all of it. */
const LIST_DEADLINE_MS = 60_000;

const said = z.string().trim().min(1).max(200);

const body = z.strictObject({
  mode: z.enum(['execute', 'dry-run', 'validate'], 'must be execute, dry-run or validate').optional(),
  variables: givenVariables.default({}),
  scenario_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 hexadecimal digits in lower case')
    .optional(),
  simulated: z.boolean().default(false),
  without_guard: z.boolean().default(false),
  operator: said.optional(),
  unit_under_test: said.optional(),
  part: said.optional(),
  revision: said.optional(),
  batch: said.optional(),
  started_by: z
    .enum(['page', 'api', 'svcctl', 'schedule'], 'must be page, api, svcctl or schedule')
    .default('api'),
});
/** They change what the preflight of an execute run refuses. */
const EXECUTE_ONLY = ['simulated', 'without_guard'] as const;

const query = z.object({ wait: numberText({ min: 0, max: LONGEST_WAIT_S }).optional() });
const SCENARIO_PROBLEMS = ['device_unavailable', 'corrupt_response'] as const;
const params = z.object({ id: z.string() });

export interface ScenarioParts {
  runs: Runs;
  /** Folder of the scenarios. */
  folder: string;
  catalog: ScenarioCatalog;
  hardwareMode: 'mock' | 'real';
  clock: Clock;
  plan: (scenario: FoundScenario, wanted: PlanRequest) => Promise<ScenarioPlan>;
}

export function scenarioRoutes(parts: ScenarioParts): Route[] {
  const { runs, folder, catalog, hardwareMode, clock, plan } = parts;
  return [
    route({
      method: 'GET',
      path: api('/scenarios'),
      summary: 'The scenarios that can be run',
      problems: SCENARIO_PROBLEMS,
      answer: z.object({
        count: z.number(),
        scenarios: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            device_type: z.string().nullable(),
            version: z.string(),
            valid: z.boolean(),
            fault: z.string().nullable(),
          }),
        ),
      }),
      deadlineMs: LIST_DEADLINE_MS,
      handler: async ({ signal }) => {
        const scenarios = await catalog.list(signal);
        return { count: scenarios.length, scenarios };
      },
    }),
    route({
      method: 'GET',
      path: api('/scenarios/:id/plan'),
      summary:
        'What a scenario will do and check with these variables (a JSON object), by a rehearsal, and why the rig would refuse it now; nothing is actuated',
      params,
      query: z.object({
        simulated: booleanText().default(false),
        variables: givenVariablesText.default({}),
      }),
      answer: planSchema,
      problems: [...SCENARIO_PROBLEMS, 'unknown_scenario'],
      handler: ({ params: { id }, query }) => plan(findScenario(folder, id), query),
    }),
    route({
      method: 'POST',
      path: api('/scenarios/:id/run'),
      summary: 'Runs a scenario; answers when it has begun, with wait (seconds) when it has ended',
      actuating: true,
      params,
      query,
      body,
      deadlineMs: WAIT_DEADLINE_MS,
      answer: RUN,
      answerStatus: [200, 202],
      problems: [
        ...SCENARIO_PROBLEMS,
        'unknown_scenario',
        'run_active',
        'scenario_differs',
        'invalid_scenario',
      ],
      handler: async (context) => {
        const { wait = 0 } = context.query;
        const id = start(context);
        if (wait > 0) await endOrTime(runs.ended(id), clock, wait * 1000);
        const run = runs.view(id);
        return json(run, run.ended_at === null ? 202 : 200);
      },
    }),
  ];

  function start(
    context: RouteContext<z.output<typeof params>, z.output<typeof query>, z.output<typeof body>>,
  ): string {
    const { params: named, body, request, requestId } = context;
    const scenario = findScenario(folder, named.id);
    const mode = body.mode ?? (hardwareMode === 'real' ? 'execute' : 'dry-run');
    if (mode !== 'execute')
      for (const field of EXECUTE_ONLY)
        if (body[field])
          throw invalidField('invalid_parameter', {
            in: 'body',
            field,
            message: 'allows another bridge than a run needs by itself, which needs mode execute',
            value: 'true',
          });
    return runs.start({
      scenario,
      scenarioSha256: body.scenario_sha256 ?? null,
      mode,
      variables: body.variables,
      simulated: body.simulated,
      withoutGuard: body.without_guard,
      operator: body.operator ?? null,
      unitUnderTest: body.unit_under_test ?? null,
      part: body.part ?? null,
      revision: body.revision ?? null,
      batch: body.batch ?? null,
      // Every browser names the page that a POST comes from.
      startedBy: context.request.headers.origin === undefined ? body.started_by : 'page',
      requestedBy: { address: request.socket.remoteAddress ?? null, request_id: requestId },
    });
  }
}
