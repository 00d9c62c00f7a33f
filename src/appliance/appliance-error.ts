import { CodedError } from '../lib/errors/coded-error.ts';

export type ApplianceErrorCode = 'step_failed' | 'setting_not_applied' | 'update_refused' | 'update_failed';

/** What failed on the card, where, and what to do. */
export class ApplianceError extends CodedError {
  declare readonly code: ApplianceErrorCode;

  constructor(code: ApplianceErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}
