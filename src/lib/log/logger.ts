/** What a line says beside its sentence; names in snake_case, units in the name (`duration_ms`). */
export type LogFields = Readonly<Record<string, unknown>>;

/** Talk of a service, for people and for machines. It never throws and never waits for its reader. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Whether a line of this level is written at all, for those who write often; absent: every one may be. */
  isWritten?(level: 'debug' | 'info' | 'warn' | 'error'): boolean;
}
