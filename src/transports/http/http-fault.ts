import { messageOf } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { TransportError } from '../transport-error.ts';

export type HttpReason = 'unreachable' | 'timeout' | 'status' | 'too_large' | 'redirect' | 'not_json';

const REMEDIES: Readonly<Record<HttpReason, string>> = {
  unreachable: 'check that the unit has power and network, and that the address is right',
  timeout: 'check the network, and that the unit is not overloaded',
  status: 'check the path, the token and the log of the unit',
  too_large: 'check that the address leads to the wanted unit',
  redirect: 'write the final address into the configuration; redirects are not followed',
  not_json: 'check that the address leads to the wanted unit',
};

/** `http_failed` with its reason. @param url shown in the message without what is secret in it */
export function httpFault(
  method: string,
  url: URL,
  reason: HttpReason,
  what: string,
  details: { status?: number; cause?: unknown } = {},
): TransportError {
  const shown = shownUrl(url);
  const message = `${method} ${shown} ${what}; ${REMEDIES[reason]}`;
  return new TransportError('http_failed', shown, message, { reason, what, ...details });
}

/** Why a server gave no usable answer, as half a sentence for a caller that names the server and the remedy itself. */
export function whyNoAnswer(thrown: unknown): string {
  if (!(thrown instanceof TransportError) || thrown.what === undefined) return messageOf(thrown);
  return thrown.reason === 'unreachable' ? reasonOf(thrown.cause) : `the request ${thrown.what}`;
}

function shownUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}
