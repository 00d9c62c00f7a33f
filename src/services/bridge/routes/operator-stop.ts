import * as z from 'zod';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { HttpError } from '../../../lib/http/http-error.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { OperatorStop } from '../../../rig/safe-state/operator-stop-record.ts';
import { operatorStop, operatorStopState } from '../answers.ts';
import type { Bridge } from '../bridge.ts';
import { anotherStop, duringSafeState } from '../refusal.ts';

/** SVC-049: only a person clears an operator's stop. */
export function operatorStopRoutes(bridge: Bridge): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/hardware/operator-stop/clear',
      summary: "Clears an operator's stop; refused for the holder of a lease",
      actuating: true,
      // With the id that was seen, no stop is cleared that came after it.
      query: z.object({ by: z.string().max(200).optional(), id: z.string().max(200).optional() }),
      headers: ['x-lease-id'],
      answer: z.object({
        ok: z.literal(true),
        cleared: operatorStop.nullable(),
        operator_stop: operatorStopState,
      }),
      problems: ['operator_stop', 'safe_state_in_progress'],
      handler: async ({ query, header, request }) => {
        if (header('x-lease-id') !== undefined)
          throw new HttpError(
            'invalid_request',
            'a person clears the stop, not a run: send this request without X-Lease-Id',
          );
        if (bridge.safeState.running) throw duringSafeState('operator');
        bridge.refuseUninformed();
        const stop = bridge.operatorStop.current;
        if (stop && query.id !== undefined && query.id !== stop.id) throw anotherStop(stop);
        const cleared = await clear(bridge, query.by ?? clientOf(request.socket.remoteAddress));
        return { ok: true, cleared: cleared ?? null, operator_stop: operatorStopView(bridge) };
      },
    }),
  ];
}

async function clear({ operatorStop }: Bridge, by: string): Promise<OperatorStop | undefined> {
  try {
    return await operatorStop.clear(by);
  } catch (fault) {
    const message = `the stop stays in force, its record cannot be removed: ${reasonOf(fault)}; make the state folder (SVC_STATE_DIR) writable for the bridge, then clear again`;
    throw new HttpError('operator_stop', message, { cause: fault });
  }
}

/** Who asked, where nobody gave a name. */
export const clientOf = (remoteAddress: string | undefined): string =>
  `HTTP client at ${remoteAddress ?? 'unknown'}`;

/** As health and reports show it; null while none is in force. */
export function operatorStopView({
  operatorStop,
}: Pick<Bridge, 'operatorStop'>): (OperatorStop & { persisted: boolean }) | null {
  const stop = operatorStop.current;
  return stop ? { ...stop, persisted: operatorStop.isPersisted } : null;
}
