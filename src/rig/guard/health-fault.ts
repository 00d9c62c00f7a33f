import { messageOf } from '../../lib/errors/coded-error.ts';
import { TransportError } from '../../transports/index.ts';

/** Why GET /health gave no good answer. */
export interface HealthFault {
  message: string;
  /**
   * It gave no answer in time, closed the connection or answered 503: so does a service that many clients ask. It says
   * nothing about one whose heartbeat comes.
   */
  mayBeBusy: boolean;
}

export function healthFault(thrown: unknown): HealthFault {
  const isTransport = thrown instanceof TransportError;
  return { message: messageOf(thrown), mayBeBusy: isTransport && isBusy(thrown) };
}

function isBusy({ reason, cause, status }: TransportError): boolean {
  if (reason === 'timeout' || status === 503) return true;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return reason === 'unreachable' && code !== 'ECONNREFUSED';
}

/** Milliseconds since the last heartbeat within which a service counts as alive: five beats. */
export const HEARTBEAT_LIMIT_MS = 500;
