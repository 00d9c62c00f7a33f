import { systemClock } from '../../lib/clock/clock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { RunningProgram } from '../../rig/service/program.ts';
import { startWindowService } from '../../services/window/window-service.ts';

export type Document = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Document;
  /** As it came. */
  text: string;
  headers: Headers;
}

export interface TestWindow extends RunningProgram {
  post(path: string, body: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The service on a free port of this process, with its threads from the sources. */
export async function startWindow(env: Record<string, string>, host = '127.0.0.1'): Promise<TestWindow> {
  const running = await startWindowService(new URL('../../services/window/main.ts', import.meta.url), {
    env,
    bind: { host, port: 0 },
    clock: systemClock,
    logger: silent,
  });
  const answer = async (response: Response): Promise<Answer> => {
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      body: isJson ? (JSON.parse(text) as Document) : {},
      text,
      headers: response.headers,
    };
  };
  return {
    ...running,
    get: async (path) => answer(await fetch(running.url + path)),
    post: async (path, body) =>
      answer(
        await fetch(running.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
  };
}
