import { CodedError } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import { LeaseError } from '../../rig/lease/lease-error.ts';
import { refusalMembers } from './refusal.ts';

/** Puts what an error knows beside its sentence into the problem body: owner, holder, device, rule and remedy. */
export function translate(thrown: unknown): unknown {
  const members = membersOf(thrown);
  if (!members || !(thrown instanceof CodedError)) return thrown;
  const refusal = refusalMembers(thrown.code);
  return new HttpError(thrown.code, thrown.message, { members: { ...members, ...refusal }, cause: thrown });
}

function membersOf(thrown: unknown): Record<string, unknown> | undefined {
  if (thrown instanceof LeaseError) {
    const { owner, expiresInMs, members } = thrown;
    return owner === null ? { ...members } : { owner, expires_in_ms: expiresInMs, ...members };
  }
  if (thrown instanceof LockHeldError) return { key: thrown.key, holder: thrown.holder };
  if (thrown instanceof RigError) return { device: thrown.device, ...thrown.members };
  return undefined;
}
