import { pino } from 'pino';
import type { Clock } from '../clock/clock.ts';
import { boundedSink, type LogStream } from './bounded-sink.ts';
import type { LogLevel } from './log-level.ts';
import type { Logger } from './logger.ts';

export interface LoggerOptions {
  service: string;
  pid: number;
  level: LogLevel;
  clock: Clock;
  /** `process.stderr`: standard output belongs to results. */
  stream: LogStream;
  /** Texts that no line may contain, for example the bearer token. */
  secrets?: readonly string[];
}

/** Characters of a message or of a field; a device may say anything. */
const LONGEST = 4000;
const REDACTED = '[redacted]';
/** Where an Authorization header could stand when headers are logged. */
const REDACTED_PATHS = ['authorization', '*.authorization', '*.*.authorization'];

/** Lines of JSON: level, time (ISO 8601 UTC), service, pid, the fields, msg. In this thread, without transports. */
export function createLogger(options: LoggerOptions): Logger {
  const { service, pid, level, clock, stream } = options;
  const now = () => new Date(clock.now()).toISOString();
  const secrets = (options.secrets ?? []).filter((secret) => secret !== '').map(asInJson);
  const sink = boundedSink(stream, (dropped) => {
    const msg = 'log lines were dropped: the reader of stderr is too slow';
    return `${JSON.stringify({ level: 'warn', time: now(), service, pid, dropped, msg })}\n`;
  });
  const lines = pino(
    {
      level,
      base: { service, pid },
      timestamp: () => `,"time":"${now()}"`,
      formatters: { level: (label) => ({ level: label }), log: shortened },
      redact: { paths: REDACTED_PATHS, censor: REDACTED },
    },
    { write: (line: string) => sink.write(secrets.reduce((text, secret) => hide(text, secret), line)) },
  );
  return {
    debug: (message, fields = {}) => lines.debug(fields, short(message)),
    info: (message, fields = {}) => lines.info(fields, short(message)),
    warn: (message, fields = {}) => lines.warn(fields, short(message)),
    error: (message, fields = {}) => lines.error(fields, short(message)),
    isWritten: (asked) => lines.isLevelEnabled(asked),
  };
}

const short = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}... (${text.length} characters)`;

const shortened = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? short(value) : value]),
  );

function hide(text: string, secret: string): string {
  return text.replaceAll(secret, REDACTED);
}

/** A secret as it stands inside a JSON string. */
function asInJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1);
}
