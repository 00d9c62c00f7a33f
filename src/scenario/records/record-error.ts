import { CodedError } from '../../lib/errors/coded-error.ts';

/**
 * What is wrong with the records: `record_unwritable` (a run cannot be recorded, so it is not begun), `record_damaged`
 * (the evidence of a run is not what was written), `run_not_finished` (there is no ending to report), `key_unusable` (the
 * file with the rig's key holds none).
 */
export class RecordError extends CodedError {
  /** The message without the run that was not begun, for who asks before one. */
  readonly problem: string;

  constructor(
    code: 'record_unwritable' | 'record_damaged' | 'run_not_finished' | 'key_unusable',
    message: string,
    options: { cause?: unknown; problem?: string } = {},
  ) {
    super(code, message, options);
    this.problem = options.problem ?? message;
  }
}
