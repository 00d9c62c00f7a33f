import { CodedError } from '../../lib/errors/coded-error.ts';
import { EXIT } from './exit-code.ts';

/** A command that cannot be done as asked. The message is one sentence: place, value and remedy. */
export class CliError extends CodedError {
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode: number = EXIT.usage, options?: { cause?: unknown }) {
    super(code, message, options);
    this.exitCode = exitCode;
  }
}

/** Wrong invocation: exit code 2. */
export const usageError = (message: string): CliError => new CliError('usage', message);
