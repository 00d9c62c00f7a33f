import { messageOf } from '../errors/coded-error.ts';
import type { Logger } from '../log/logger.ts';
import { stackOf } from '../log/stack-of.ts';
import type { DispatchEnvironment } from './dispatch.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/**
 * One line for each request: reads that went well at `debug` (others ask every second), commands and refusals at
 * `info`, failures at `warn`. The route is the template: a path can carry a lease id.
 */
export function logRequest(
  logger: Logger | undefined,
  { method, route, requestId }: Exchange,
  status: number,
  reply: Reply,
  durationMs: number,
): void {
  const level = status >= 500 ? 'warn' : status >= 400 || method !== 'GET' ? 'info' : 'debug';
  if (!logger || logger.isWritten?.(level) === false) return;
  const label = route?.paths[0] ?? 'none';
  logger[level](`${method} ${label} ${status}`, {
    request_id: requestId,
    method,
    route: label,
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    ...problemFields(reply.body),
  });
}

/** A defect with its stack: the client gets a generic text and the request id, under which it is found here. */
export function logDefect(
  { logger, log, service }: DispatchEnvironment,
  { method, route, requestId }: Exchange,
  thrown: unknown,
): void {
  const label = route?.paths[0] ?? 'none';
  const { stack } = stackOf(thrown);
  if (!logger) log(`${service}: ${method} ${label} [${requestId}] ${stack ?? messageOf(thrown)}`);
  else
    logger.error(`defect: ${messageOf(thrown)}`, {
      request_id: requestId,
      method,
      route: label,
      ...stackOf(thrown),
    });
}

function problemFields(body: unknown): { code?: unknown; detail?: unknown } {
  if (typeof body !== 'object' || body === null || !('code' in body && 'detail' in body)) return {};
  return { code: body.code, detail: body.detail };
}
