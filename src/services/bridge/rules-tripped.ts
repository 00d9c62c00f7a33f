import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import type { RefusalMembers } from './refusal.ts';
import { translate } from './translate.ts';

/** A safe-state command was done or not, and what an interlock wanted off with it is not confirmed to be off. */
export function tripFailed(reason: unknown, command: string, tripped: readonly string[]): unknown {
  if (!(reason instanceof CodedError)) return reason;
  const members: RefusalMembers = {
    rule: 'interlock',
    remedy:
      'the safe state is running; check its steps. If it fails, disconnect the supply of the actuators and check that they are off',
  };
  const message = `${command} breaks the interlock ${tripped.join(', ')}, and what it switches off is not confirmed: ${messageOf(reason)}`;
  return new HttpError(reason.code, message, { members: { ...members, tripped }, cause: reason });
}

/** The failure of a safe-state command, with the interlocks that acted all the same. */
export function withTripped(reason: unknown, tripped: readonly string[]): unknown {
  if (tripped.length === 0) return reason;
  const told = translate(reason);
  if (!(told instanceof HttpError)) return reason;
  const { code, message, headers, errors } = told;
  return new HttpError(code, message, {
    members: { ...told.members, tripped },
    headers,
    ...(errors ? { errors } : {}),
    cause: reason,
  });
}
