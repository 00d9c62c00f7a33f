import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';

/** Something that is needed is in use by somebody else (sysexits `EX_TEMPFAIL`, as the services use it). */
const EXIT_IN_USE = 75;

/** The rig could not be brought up: exit code 3. */
export const startError = (code: string, message: string, options?: { cause?: unknown }): CliError =>
  new CliError(code, message, EXIT.error, options);

/** Exit code 75. */
export const inUseError = (code: string, message: string): CliError =>
  new CliError(code, message, EXIT_IN_USE);

/** Exit code 130. */
export const abortedError = (signal: string): CliError =>
  new CliError('aborted', `stopped by ${signal}`, EXIT.aborted);
