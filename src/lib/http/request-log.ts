import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../errors/coded-error.ts';
import type { LogFields, Logger } from '../log/logger.ts';
import { stackOf } from '../log/stack-of.ts';
import type { DispatchEnvironment, Exchange } from './dispatch.ts';
import type { Reply } from './reply.ts';

/**
 * Reads that went well at `debug` (others ask every second), commands at `info`, one line for each; refusals at `info` and
 * failures at `warn`, one line a second for each reason, and for each part of an answer that failed. The route is the template: a path can carry a lease id.
 */
export function logRequest(
  { logger, refusals }: Pick<DispatchEnvironment, 'logger' | 'refusals'>,
  { method, route, requestId }: Exchange,
  status: number,
  reply: Reply,
  durationMs: number,
  part?: string,
): void {
  const level = status >= 500 ? 'warn' : status >= 400 || method !== 'GET' ? 'info' : 'debug';
  if (!logger || logger.isWritten?.(level) === false) return;
  const label = route?.paths[0] ?? 'none';
  const fields = {
    request_id: requestId,
    method,
    route: label,
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    ...(part === undefined ? {} : { part }),
    ...problemFields(reply.body),
  };
  const message = `${method} ${label} ${status}`;
  // What failed is one of few parts; what a client asks for wrongly may have any name.
  const of = part !== undefined && status >= 500 ? ` of ${part}` : '';
  if (level !== 'debug' && status >= 400 && refusals)
    refusals.log(`${status} ${String(fields.code ?? 'without code')}${of}`, level, message, fields);
  else logger[level](message, fields);
}

/** A defect with its stack: the client gets a generic text and the request id, under which it is found here. */
export function logDefect(
  { refusals, log, service }: DispatchEnvironment,
  { method, route, requestId }: Exchange,
  thrown: unknown,
  part?: string,
): void {
  const label = `${route?.paths[0] ?? 'none'}${part === undefined ? '' : ` of ${part}`}`;
  const { stack } = stackOf(thrown);
  if (!refusals) log(`${service}: ${method} ${label} [${requestId}] ${stack ?? messageOf(thrown)}`);
  else
    refusals.log(`defect of ${label}`, 'error', `defect: ${messageOf(thrown)}`, {
      request_id: requestId,
      method,
      route: route?.paths[0] ?? 'none',
      ...(part === undefined ? {} : { part }),
      ...stackOf(thrown),
    });
}

function problemFields(body: unknown): { code?: unknown; detail?: unknown } {
  if (typeof body !== 'object' || body === null || !('code' in body && 'detail' in body)) return {};
  return { code: body.code, detail: body.detail };
}

const SUMMARY_MS = 1000;

type Level = 'info' | 'warn' | 'error';

interface Counted {
  level: Level;
  /** Beside the one that was logged by itself. */
  more: number;
  /** Of the last one. */
  fields: LogFields;
  cancel: () => void;
}

/**
 * Logs requests that were not answered well: the first one of a reason as it is, those that follow within a second as one
 * line with their number. A client that is refused a thousand times a second must not fill the disk.
 */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  /** By reason. */
  readonly #counted = new Map<string, Counted>();
  #isClosed = false;

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** @param reason code of the problem and its status; few of them */
  log(reason: string, level: Level, message: string, fields: LogFields): void {
    const counted = this.#counted.get(reason);
    if (counted) {
      counted.more += 1;
      counted.fields = fields;
      return;
    }
    this.#logger[level](message, fields);
    this.#count(reason, level, fields);
  }

  #count(reason: string, level: Level, fields: LogFields): void {
    if (this.#isClosed) return;
    const cancel = this.#clock.after(SUMMARY_MS, () => this.#summarize(reason));
    this.#counted.set(reason, { level, more: 0, fields, cancel });
  }

  /** Tells what is counted, and counts no more: nothing of it keeps the process alive. */
  close(): void {
    this.#isClosed = true;
    for (const [reason, { cancel }] of this.#counted) {
      cancel();
      this.#summarize(reason);
    }
  }

  #summarize(reason: string): void {
    const counted = this.#counted.get(reason);
    this.#counted.delete(reason);
    if (!counted || counted.more === 0) return;
    const { level, more, fields } = counted;
    this.#logger[level](`${more} more within 1 s: ${reason}`, { count: more, last: fields });
    // While it goes on, nothing but summaries is logged.
    this.#count(reason, level, fields);
  }
}
