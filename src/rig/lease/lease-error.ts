import { CodedError } from '../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../lib/quantity.ts';

/** A refused lease or an actuation that its lease does not cover. */
export class LeaseError extends CodedError {
  /** Owner of the lease that stands in the way; null when there is none. */
  readonly owner: string | null;
  readonly expiresInMs: Milliseconds | null;
  /** Machine-readable reason why the lease ended, beside the message. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: 'lease_held' | 'lease_required' | 'lease_lost' | 'lease_gone',
    message: string,
    holder?: LeaseHolder,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, message);
    this.owner = holder?.owner ?? null;
    this.expiresInMs = holder?.expiresInMs ?? null;
    this.members = members;
  }
}

export interface LeaseHolder {
  owner: string;
  expiresInMs: Milliseconds;
}
