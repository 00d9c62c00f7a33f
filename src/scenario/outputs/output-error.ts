import { CodedError } from '../../lib/errors/coded-error.ts';

/** A result could not be put down: `output_failed`. */
export class OutputError extends CodedError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('output_failed', message, options);
  }
}
