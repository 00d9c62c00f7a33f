import * as z from 'zod';
import type { Bench } from '../../../bench/bench.ts';
import { kindOf } from '../../../bench/clock/bench-clock.ts';
import { type Route, route } from '../../../lib/http/route.ts';

/** Liveness. A device that is pulled out is what somebody wanted, and no fault of the bench. */
export function healthRoutes(
  bench: Bench,
  identity: { service: string; version: string; pid: number },
): Route[] {
  return [
    route({
      method: 'GET',
      path: '/health',
      summary: 'Liveness of the bench and what is plugged in',
      access: 'open',
      answer: z.object({
        ok: z.literal(true),
        status: z.literal('ok'),
        service: z.string(),
        version: z.string(),
        pid: z.int(),
        bench: z.literal(true),
        clock: z.enum(['real', 'stepped']),
        plugged: z.array(z.string()),
      }),
      handler: () => ({
        ok: true,
        status: 'ok',
        ...identity,
        bench: true,
        clock: kindOf(bench.clock),
        plugged: bench.devices().flatMap(({ device, path }) => (path === null ? [] : [device])),
      }),
    }),
  ];
}
