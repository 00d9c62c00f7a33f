import { type IncomingMessage, request } from 'node:http';
import type { Clock } from '../../lib/clock/clock.ts';

export interface Answer {
  status: number;
  text: string;
}

export interface PostOptions {
  headers: Readonly<Record<string, string>>;
  clock: Clock;
  /** For the whole answer, in milliseconds. */
  limitMs: number;
}

/**
 * A request without a body, on a connection of its own. Not by `fetch`: to load that takes as long as the bridge takes to
 * close the valves. A redirect is an answer like any other and is not followed. @throws Error when there is no whole
 * answer in time
 */
export async function post(url: string, { headers, clock, limitMs }: PostOptions): Promise<Answer> {
  // A bridge is asked over plain HTTP, as a rule; only the other kind has to wait until it is loaded.
  const open = new URL(url).protocol === 'https:' ? (await import('node:https')).request : request;
  let cancel = (): void => {};
  const answered = new Promise<Answer>((resolve, reject) => {
    const read = (answer: IncomingMessage): void => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    };
    const asked = open(url, { method: 'POST', agent: false, headers }, read).on('error', reject);
    cancel = clock.after(limitMs, () => {
      reject(new Error(`no answer within ${limitMs / 1000} s`));
      asked.destroy();
    });
    asked.end();
  });
  return answered.finally(() => cancel());
}
