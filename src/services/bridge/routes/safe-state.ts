import { HttpError } from '../../../lib/http/http-error.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { failedStepsText, type SafeStateReport } from '../../../rig/safe-state/report.ts';
import type { Bridge } from '../bridge.ts';

/** Services specification, section 11: the emergency stop. It needs no token from this machine, no lease, no power. */
export function safeStateRoutes(bridge: Bridge): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/hardware/safe-state',
      summary: 'Makes the rig safe: lung halt, pump 0, lung de-energize, valves off, read-back',
      access: 'loopback',
      ignoresForm: true,
      deadlineMs: 7000,
      handler: async () => {
        const report = await bridge.makeSafe('operator');
        if (!report.ok) throw incomplete(report, { ...report, bench: bridge.rig.bench });
        return { ...report, bench: bridge.rig.bench };
      },
    }),
  ];
}

/** The 503 that carries the whole report, so that a person sees which step is missing. */
export function incomplete(report: SafeStateReport, members: Record<string, unknown>): HttpError {
  const failed = report.steps.flatMap(({ ok, name, detail }) => (ok ? [] : [{ name, why: detail }]));
  return new HttpError(
    'safe_state_incomplete',
    `the safe state is incomplete: ${failedStepsText(failed)}. Cut the supply of the actuators and check by eye`,
    { members },
  );
}
