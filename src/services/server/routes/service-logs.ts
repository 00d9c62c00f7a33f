import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { HttpError } from '../../../lib/http/http-error.ts';
import { numberText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { ADC_SERVICES } from '../../../rig/profiles/profile.ts';
import { RIG_SERVICES } from '../../../rig/profiles/rig-services.ts';
import { api } from './paths.ts';

const LOGGED = [...RIG_SERVICES, ...ADC_SERVICES, 'svc-window', 'svc-bench'] as const;

/** Of the end of a file, what is read at most. */
const TAIL_BYTES = 512 * 1024;

const logSchema = z.object({
  file: z.string(),
  /** Oldest first, as the service wrote them. */
  lines: z.array(z.string()),
  /** Earlier lines are in the file. */
  is_cut: z.boolean(),
});
export type ServiceLog = z.output<typeof logSchema>;

/** @param logFiles RIG_LOG_FILES: the files of this process, beside which PM2 keeps those of the others */
export function serviceLogRoutes(logFiles: string | undefined): Route[] {
  return [
    route({
      method: 'GET',
      path: api('/services/:name/log'),
      summary: 'The last lines of the log of a service',
      params: z.object({ name: z.enum(LOGGED) }),
      query: z.object({ lines: numberText({ min: 1, max: 2000, integer: true }).default(300) }),
      answer: logSchema,
      problems: ['not_found', 'device_unavailable'],
      handler: async ({ params: { name }, query: { lines } }) => {
        const [own] = logFiles?.split(':') ?? [];
        if (!own)
          throw new HttpError(
            'device_unavailable',
            'svc-server was not started by PM2, which keeps the log files: read its terminal, or journalctl',
            { members: { device: 'svc-server' } },
          );
        return tail(join(dirname(own), `${name}.err.log`), lines);
      },
    }),
  ];
}

async function tail(file: string, count: number): Promise<ServiceLog> {
  const handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT'
        ? `${file} does not exist: the service has not run under PM2; of a service of systemd the journal has the log (journalctl)`
        : `${file} cannot be read: ${cause.message}`;
    throw new HttpError(cause.code === 'ENOENT' ? 'not_found' : 'device_unavailable', why, { cause });
  });
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(size - start),
      position: start,
      length: size - start,
    });
    const all = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
    // The first one of a cut part is not whole.
    if (start > 0) all.shift();
    const lines = all.filter((line) => line !== '');
    return { file, lines: lines.slice(-count), is_cut: start > 0 || lines.length > count };
  } finally {
    await handle.close();
  }
}
