import { CodedError } from '../errors/coded-error.ts';

/** One fault of the configuration: where, what stands there, and what to write instead. */
export interface ConfigFault {
  /** Path in the file, for example `lines.bus.port`, or the name of a variable. */
  path: string;
  /** The value as text; null when there is none. */
  value: string | null;
  message: string;
}

/** The configuration cannot be used; all faults at once. Exit code 2. */
export class ConfigError extends CodedError {
  readonly faults: readonly ConfigFault[];
  /** File, or `environment`. */
  readonly source: string;

  constructor(source: string, faults: readonly ConfigFault[], cause?: unknown) {
    super('config_error', `${source}: ${faults.map(faultText).join('; ')}`, { cause });
    this.source = source;
    this.faults = faults;
  }
}

export function faultText({ path, value, message }: ConfigFault): string {
  return `${path}${value === null ? '' : ` = ${value}`}: ${message}`;
}
