import { CodedError } from '../lib/errors/coded-error.ts';

export type SyncCode =
  /** The server gave no answer, or refused the request. */
  | 'server_failed'
  /** The answer is not one of a scenario collection. */
  | 'unexpected_answer'
  /** The rows cannot be read to their end. */
  | 'endless_rows'
  /** An id that no path of a URL can hold. */
  | 'id_not_addressable'
  | 'manifest_invalid'
  | 'folder_unreadable'
  | 'no_scenarios'
  | 'no_such_scenario'
  | 'archive_too_large';

/** An exchange that could not be carried out as a whole. Faults of single scenarios are in its report instead. */
export class SyncError extends CodedError {
  declare readonly code: SyncCode;

  constructor(code: SyncCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}
