import * as z from 'zod';
import type { Bench } from '../../../bench/bench.ts';
import { kindOf } from '../../../bench/clock/bench-clock.ts';
import { type Route, route } from '../../../lib/http/route.ts';

const answer = z.object({
  ok: z.literal(true),
  clock: z.enum(['real', 'stepped']),
  elapsed_ms: z.number(),
  now: z.iso.datetime(),
});

/** The time of twins and plant. */
export function clockRoutes(bench: Bench): Route[] {
  const state = () => ({
    ok: true,
    clock: kindOf(bench.clock),
    elapsed_ms: Math.round(bench.elapsedMs * 1000) / 1000,
    now: new Date(bench.clock.now()).toISOString(),
  });
  return [
    route({
      method: 'GET',
      path: '/bench/v1/clock',
      summary: 'Time of twins and plant, and whether it goes on by itself',
      answer,
      handler: state,
    }),
    route({
      method: 'POST',
      path: '/bench/v1/clock',
      summary: 'Moves time on; answers when all that fell due has happened',
      actuating: true,
      body: z.strictObject({ advance_ms: z.number() }),
      deadlineMs: 60_000,
      answer,
      problems: ['device_unavailable'],
      handler: async ({ body }) => {
        await bench.advance(body.advance_ms);
        return state();
      },
    }),
  ];
}
