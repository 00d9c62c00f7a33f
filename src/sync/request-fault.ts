import { whyNoAnswer } from '../transports/http/http-fault.ts';
import { TransportError } from '../transports/transport-error.ts';
import { isObject } from './row.ts';

/** Why a request did not do what it was sent for. */
export interface RequestFault {
  readonly reason: string;
  readonly status?: number;
  /** The server is not there or does not respond: the next request will probably end the same way. */
  readonly noAnswer?: true;
  /** The request may have taken effect all the same. */
  readonly uncertain?: true;
}

/** The reason, and what to do when the request may have taken effect. */
export const reasonOfFault = ({ reason, uncertain }: RequestFault): string =>
  uncertain ? `${reason}; it may or may not have been stored: do it again` : reason;

/** Faults of a connection that was never made. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What a request of `exchangeJson` that rejected comes down to. @throws what is not a fault of the exchange */
export function faultOf(thrown: unknown): RequestFault {
  if (!(thrown instanceof TransportError) || thrown.code !== 'http_failed') throw thrown;
  const { status, reason } = thrown;
  if (status !== undefined && status >= 400) return { reason: `the server answered ${status}`, status };
  if (reason === 'not_json')
    return {
      reason: `the server answered ${status}, but not with JSON; check that the address is that of the scenario API`,
      ...(status === undefined ? {} : { status }),
      uncertain: true,
    };
  const isNoAnswer = reason === 'unreachable' || reason === 'timeout';
  return {
    reason: whyNoAnswer(thrown),
    ...(status === undefined ? {} : { status }),
    ...(isNoAnswer ? { noAnswer: true } : {}),
    ...(isNoAnswer && NOT_CONNECTED.has(codeOf(thrown.cause)) ? {} : { uncertain: true }),
  };
}

/** What an answer with a status of 400 or more, or one that denies success, says. Undefined for success. */
export function refusalOf(status: number, value: unknown): RequestFault | undefined {
  const denied = isObject(value) && (value.success === false || value.ok === false);
  if (status < 400 && !denied) return undefined;
  const why = isObject(value) ? [value.detail, value.error, value.message].find(isText) : undefined;
  return { reason: `the server answered ${status}${why === undefined ? '' : `: ${why.trim()}`}`, status };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function codeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0]);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
