import * as z from 'zod';
import { HttpError } from '../../../lib/http/http-error.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { latches, stopIdOf } from '../../../rig/safe-state/operator-stop.ts';
import { failedStepsText, type SafeStateReport } from '../../../rig/safe-state/report.ts';
import { safeStateSchema } from '../../../rig/safe-state/report-schema.ts';
import { operatorStopState } from '../answers.ts';
import type { Bridge } from '../bridge.ts';
import { clientOf, operatorStopView } from './operator-stop.ts';

const safeStateAnswer = safeStateSchema.extend({
  bench: z.boolean(),
  operator_stop: operatorStopState,
  /** Whether the lease that the request named was held; left out when it named none. */
  lease_held: z.boolean().optional(),
});

/**
 * The emergency stop. It needs no token from this machine, no lease, no power, and it
 * stays until a person clears it (SVC-049), unless the holder of the lease asks, or a program gives its reason
 * (`?reason=run_ended`, `run_recovered`, `preparation`). `?by=` names who; `?id=` is the same for one stop that several
 * processes are asked for.
 */
export function safeStateRoutes(bridge: Bridge): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/hardware/safe-state',
      summary: 'Makes the rig safe: lung halt, pump 0, lung de-energize, valves off, read-back',
      access: 'loopback',
      ignoresForm: true,
      deadlineMs: 7000,
      headers: ['x-lease-id'],
      // For the description: they are read whatever else the query holds.
      query: z.object({
        reason: z.string().optional(),
        by: z.string().optional(),
        id: z.string().optional(),
      }),
      answer: safeStateAnswer,
      problems: ['safe_state_incomplete'],
      handler: async ({ header, request }) => {
        const asked = new URLSearchParams(request.url?.split('?')[1]);
        const reason = asked.get('reason') || undefined;
        const lease = header('x-lease-id');
        const byHolder = lease !== undefined && bridge.leases.holds(lease);
        const by = asked.get('by') || clientOf(request.socket.remoteAddress);
        const report = await (latches(reason, byHolder)
          ? bridge.stopByOperator({ by, id: stopIdOf(asked.get('id')) }, reason ?? 'operator')
          : bridge.makeSafe(reason ?? 'lease_holder'));
        const members = {
          ...report,
          bench: bridge.rig.bench,
          operator_stop: operatorStopView(bridge),
          // A caller that names a lease depends on it: it may have ended before the request came.
          ...(lease === undefined ? {} : { lease_held: byHolder }),
        };
        if (!report.ok) throw incomplete(report, members);
        return members;
      },
    }),
  ];
}

/** The 503 that carries the whole report, so that a person sees which step is missing. */
export function incomplete(report: SafeStateReport, members: Record<string, unknown>): HttpError {
  const failed = report.steps.flatMap(({ ok, name, detail }) => (ok ? [] : [{ name, why: detail }]));
  return new HttpError(
    'safe_state_incomplete',
    `the safe state is incomplete: ${failedStepsText(failed)}. Disconnect the actuators' supply and check that they are off`,
    { members },
  );
}
