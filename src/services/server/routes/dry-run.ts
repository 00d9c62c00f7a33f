import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { performRun } from '../../../scenario/perform-run.ts';
import { loadChecked } from '../../../scenario/safety/load-checked.ts';
import { fileLoader } from '../../../scenario/syntax/file-loader.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import { findScenarios } from '../scenarios/find-scenarios.ts';
import { api } from './paths.ts';

/** Events that are sent; the lines have all of it. */
const MOST_EVENTS = 2000;
const DEADLINE_MS = 30_000;

/** A dry-run of a text that is being edited: nothing is sent, time is virtual, and no record is made. */
export function dryRunRoutes(folder: string, rig: () => ConfiguredRig, clock: Clock): Route[] {
  return [
    route({
      method: 'POST',
      path: api('/scenarios/:id/dry-run'),
      summary: 'Runs a text without hardware and without a record; files are included relative to the id',
      params: z.object({ id: z.string() }),
      body: z.strictObject({ text: z.string(), goal: z.string().optional() }),
      deadlineMs: DEADLINE_MS,
      answer: z.object({
        outcome: z.string(),
        ok: z.boolean(),
        lines: z.array(z.string()),
        events: z.array(z.record(z.string(), z.unknown())),
        events_total: z.number(),
      }),
      problems: ['device_unavailable'],
      handler: async ({ params: { id }, body: { text, goal }, signal }) => {
        const file = findScenarios(folder).find((one) => one.id === id)?.path ?? join(folder, `${id}.oql`);
        const { config, registry, interlocks } = rig();
        const loaded = loadChecked(text, file, {
          loader: fileLoader({ libraryRoot: folder, topDir: dirname(file) }),
          safety: { registry, limits: config.limits, interlocks },
          // As every dry-run: it reports what is unsafe and goes on.
          warnsOf: () => true,
          ...(goal === undefined ? {} : { goals: [goal] }),
        });
        const lines: string[] = [];
        const events: RunEvent[] = [];
        let total = 0;
        const { outcome, ok } = await performRun(loaded, file, {
          clock,
          registry,
          signal,
          out: (line) => lines.push(line),
          onEvent: (event) => {
            if (total++ < MOST_EVENTS) events.push(event);
          },
        });
        return { outcome, ok, lines, events: events.map((one) => ({ ...one })), events_total: total };
      },
    }),
  ];
}
