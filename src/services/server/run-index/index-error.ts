import { CodedError } from '../../../lib/errors/coded-error.ts';

export type IndexErrorCode = 'index_locked' | 'index_damaged' | 'index_unavailable' | 'index_building';

/**
 * Why the index cannot answer: `index_locked` (another process holds the file), `index_damaged` (it has to be made again),
 * `index_unavailable` (it cannot be opened or written, or its thread does not respond), `index_building` (not all records
 * are in it yet).
 */
export class IndexError extends CodedError {
  declare readonly code: IndexErrorCode;

  constructor(code: IndexErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}
