import { ConfigError } from '../config/config-error.ts';

/** Least severe first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** `SVC_LOG_LEVEL`, by default `info`. @throws ConfigError (exit code 2) */
export function logLevelFrom(env: Readonly<Record<string, string | undefined>>): LogLevel {
  const value = env.SVC_LOG_LEVEL || 'info';
  const level = LOG_LEVELS.find((known) => known === value);
  if (level) return level;
  const message = `is no level; use ${LOG_LEVELS.join(', ')}`;
  throw new ConfigError('environment', [{ path: 'SVC_LOG_LEVEL', value: JSON.stringify(value), message }]);
}
