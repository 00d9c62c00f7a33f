import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { HttpError, invalidField } from '../../lib/http/http-error.ts';
import { type Route, route } from '../../lib/http/route.ts';
import { MAX_IMAGE_BYTES } from '../../window/image/limits.ts';

/** Images that the page keeps at a time; the oldest goes first. */
const MOST_UPLOADS = 16;
const ID = /^[0-9a-f-]{36}$/;

const part = z.object({
  /** Bytes that have come before. */
  offset: z.int().min(0).max(MAX_IMAGE_BYTES),
  data: z.base64().max(65_536),
});

/** The folder of images that people drop on the page, which knows no paths. Made anew at each start. */
export async function uploadFolder(stateDir: string): Promise<string> {
  const folder = join(stateDir, 'uploads');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** An image comes in parts: the limit of a body is that of every service. */
export function uploadRoutes(folder: string): Route[] {
  const pathOf = (id: string) => join(folder, `${id}.img`);
  return [
    route({
      method: 'POST',
      path: '/v1/window/uploads',
      summary: 'Begin to send an image of the page',
      answer: z.object({ ok: z.literal(true), id: z.string(), path: z.string(), program: z.string() }),
      handler: async () => {
        await makeRoom(folder);
        const id = randomUUID();
        await (await open(pathOf(id), 'wx', 0o600)).close();
        return { ok: true, id, path: pathOf(id), program: join(folder, `${id}.vql.json`) };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/window/uploads/:id',
      summary: 'The next part of an image',
      params: z.object({ id: z.string().regex(ID) }),
      body: part,
      answer: z.object({ ok: z.literal(true), size: z.int() }),
      problems: ['not_found'],
      handler: async ({ params, body }) => {
        const bytes = Buffer.from(body.data, 'base64');
        const file = await open(pathOf(params.id), 'r+').catch(() => {
          throw new HttpError('not_found', `no upload ${params.id}; begin a new one`);
        });
        try {
          const { size } = await file.stat();
          if (size !== body.offset)
            throw invalidField('invalid_parameter', {
              in: 'body',
              field: 'offset',
              message: `must be ${size}, which have come before`,
              value: String(body.offset),
            });
          if (size + bytes.length > MAX_IMAGE_BYTES)
            throw new HttpError('payload_too_large', `an image has ${MAX_IMAGE_BYTES} bytes at most`);
          await file.write(bytes, 0, bytes.length, size);
          return { ok: true, size: size + bytes.length };
        } finally {
          await file.close();
        }
      },
    }),
  ];
}

async function makeRoom(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.img'));
  const files = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  files.sort((a, b) => a.at - b.at);
  for (const { name } of files.slice(0, Math.max(0, files.length - MOST_UPLOADS + 1))) {
    await rm(join(folder, name), { force: true });
    await rm(join(folder, name.replace(/\.img$/, '.vql.json')), { force: true });
  }
}
