import { CodedError } from '../lib/errors/coded-error.ts';

/** Every code with which an operation on images or programs ends. */
export type WindowErrorCode =
  | 'missing_field'
  | 'invalid_parameter'
  | 'path_refused'
  | 'image_not_found'
  | 'image_unreadable'
  | 'blank_image'
  | 'program_not_found'
  | 'program_invalid'
  | 'program_unwritable'
  | 'program_changed'
  | 'no_fingerprint'
  | 'component_missing'
  | 'busy'
  | 'analysis_timeout';

/** An operation was refused or has failed; `members` go into its document beside the sentence. */
export class WindowError extends CodedError {
  declare readonly code: WindowErrorCode;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: WindowErrorCode,
    message: string,
    { cause, ...members }: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, message, { cause });
    this.members = members;
  }
}
