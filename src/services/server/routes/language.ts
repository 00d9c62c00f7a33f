import * as z from 'zod';
import { type Route, route } from '../../../lib/http/route.ts';
import { registryEntriesOf } from '../../../rig/registry/registry-of.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import { allTexts } from '../scenarios/all-texts.ts';
import { api } from './paths.ts';

/** Plain data of the rig that the language service of the page takes as it is. */
const facts = z.record(z.string(), z.unknown());

/** What an editor needs to judge a scenario as this rig does. */
export function languageRoutes(folder: string, rig: () => ConfiguredRig): Route[] {
  return [
    route({
      method: 'GET',
      path: api('/language'),
      summary: 'Names, limits and interlocks of the rig, and every file that a scenario may include',
      answer: z.object({
        folder: z.string(),
        registry: facts,
        limits: facts,
        interlocks: z.array(facts),
        files: z.array(z.object({ file: z.string(), base64: z.string() })),
      }),
      problems: ['device_unavailable'],
      handler: () => {
        const { config } = rig();
        return {
          folder,
          registry: { ...registryEntriesOf(config) },
          limits: { ...config.limits },
          interlocks: config.interlocks.map((one) => ({ ...one })),
          files: allTexts(folder),
        };
      },
    }),
  ];
}
