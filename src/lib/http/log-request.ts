import { messageOf } from '../errors/coded-error.ts';
import { stackOf } from '../log/stack-of.ts';
import type { DispatchEnvironment } from './dispatch.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/**
 * Reads that went well at `debug` (others ask every second), commands at `info`, one line for each; refusals at `info` and
 * failures at `warn`, one line a second for each reason. The route is the template: a path can carry a lease id.
 */
export function logRequest(
  { logger, refusals }: Pick<DispatchEnvironment, 'logger' | 'refusals'>,
  { method, route, requestId }: Exchange,
  status: number,
  reply: Reply,
  durationMs: number,
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
    ...problemFields(reply.body),
  };
  const message = `${method} ${label} ${status}`;
  if (level !== 'debug' && status >= 400 && refusals)
    refusals.log(`${status} ${String(fields.code ?? 'without code')}`, level, message, fields);
  else logger[level](message, fields);
}

/** A defect with its stack: the client gets a generic text and the request id, under which it is found here. */
export function logDefect(
  { refusals, log, service }: DispatchEnvironment,
  { method, route, requestId }: Exchange,
  thrown: unknown,
): void {
  const label = route?.paths[0] ?? 'none';
  const { stack } = stackOf(thrown);
  if (!refusals) log(`${service}: ${method} ${label} [${requestId}] ${stack ?? messageOf(thrown)}`);
  else
    refusals.log(`defect of ${label}`, 'error', `defect: ${messageOf(thrown)}`, {
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
