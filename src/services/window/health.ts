import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
import { isInstalled, packageFolder } from '../../window/image/optional-package.ts';
import { INSTALL_SHARP } from '../../window/image/sharp.ts';
import type { ThreadPool } from '../../window/worker/pool.ts';

const answer = z.object({
  ok: z.literal(true),
  status: z.literal('ok'),
  service: z.string(),
  version: z.string(),
  pid: z.int(),
  started_at: z.string(),
  components: z.object({
    detection: z.object({
      installed: z.boolean(),
      formats: z.array(z.string()),
      install: z.string().optional(),
    }),
    ocr: z.object({ installed: z.boolean(), languages: z.array(z.string()) }),
    llm: z.object({ configured: z.boolean(), model: z.string().nullable() }),
  }),
  confined: z.boolean(),
  threads: z.object({ size: z.int(), threads: z.int(), busy: z.int(), waiting: z.int() }),
  insecure: z.literal(true).optional(),
});

export interface HealthFacts {
  identity: { service: string; version: string; pid: number; started_at: string };
  pool: ThreadPool;
  model: string | undefined;
  confined: boolean;
}

/** Answers from memory: it stays quick while images are looked at. */
export function healthRoute({ identity, pool, model, confined }: HealthFacts): Route {
  const detection = isInstalled('sharp');
  const languages = (['eng', 'pol'] as const).filter(
    (name) => packageFolder(`@tesseract.js-data/${name}`) !== undefined,
  );
  const components = {
    detection: {
      installed: detection,
      formats: detection ? ['png', 'jpeg', 'webp'] : ['png'],
      ...(detection ? {} : { install: INSTALL_SHARP }),
    },
    ocr: { installed: isInstalled('tesseract.js') && languages.length > 0, languages },
    llm: { configured: model !== undefined, model: model ?? null },
  };
  return route({
    method: 'GET',
    path: '/health',
    summary: 'That the service runs, and which components are there',
    access: 'open',
    answer,
    handler: () => ({
      ok: true as const,
      status: 'ok' as const,
      ...identity,
      components,
      confined,
      threads: pool.state(),
    }),
  });
}
