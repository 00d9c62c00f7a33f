import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import * as z from 'zod';
import { HttpError } from '../../../lib/http/http-error.ts';
import { bytes } from '../../../lib/http/reply.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { api } from './paths.ts';

/** Pictures that carry no script. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};
const MAX_BYTES = 8 * 1024 * 1024;

/** Pictures that a PROMPT or TASK names, from the folder `media` beside the scenarios. */
export function mediaRoutes(scenarioDir: string): Route[] {
  const folder = join(scenarioDir, 'media');
  return [
    route({
      method: 'GET',
      path: api('/media/:name'),
      summary: 'A picture of the folder media of the scenarios',
      params: z.object({ name: z.string().max(300) }),
      answerType: [...new Set(Object.values(TYPES))],
      problems: ['not_found', 'invalid_parameter', 'payload_too_large'],
      handler: async ({ params: { name } }) => {
        const type = TYPES[extname(name).toLowerCase()];
        if (type === undefined)
          throw new HttpError(
            'invalid_parameter',
            `${name} is no picture: ${Object.keys(TYPES).join(', ')} are`,
          );
        const content = await pictureIn(folder, name);
        if (content.byteLength > MAX_BYTES)
          throw new HttpError('payload_too_large', `${name} has more than 8 MiB: make it smaller`);
        return bytes(content, type);
      },
    }),
  ];
}

/** No name and no link leads out of the folder. */
async function pictureIn(folder: string, name: string): Promise<Uint8Array> {
  const missing = (cause?: unknown) =>
    new HttpError('not_found', `${name} is not in the folder media of the scenarios`, { cause });
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, name));
    if (!path.startsWith(root + sep)) throw missing();
    return await readFile(path);
  } catch (cause) {
    throw cause instanceof HttpError ? cause : missing(cause);
  }
}
