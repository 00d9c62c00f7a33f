import { CodedError } from '../../lib/errors/coded-error.ts';

/** A refused lease or an actuation that its lease does not cover (services specification, section 10.4). */
export class LeaseError extends CodedError {
  /** Owner of the lease that stands in the way; null when there is none. */
  readonly owner: string | null;
  readonly expiresInMs: number | null;

  constructor(
    code: 'lease_held' | 'lease_required' | 'lease_lost' | 'lease_gone',
    message: string,
    holder?: LeaseHolder,
  ) {
    super(code, message);
    this.owner = holder?.owner ?? null;
    this.expiresInMs = holder?.expiresInMs ?? null;
  }
}

export interface LeaseHolder {
  owner: string;
  expiresInMs: number;
}
