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

/** Characters of a message or of a text in its fields; a device may say anything. */
const LONGEST = 4000;
const REDACTED = '[redacted]';
/** Where an Authorization header could stand when headers are logged. */
const REDACTED_PATHS = ['authorization', '*.authorization', '*.*.authorization'];

/** Lines of JSON: level, time (ISO 8601 UTC), service, pid, the fields, msg. In this thread, without transports. */
export function createLogger(options: LoggerOptions): Logger {
  const { service, pid, level, clock, stream } = options;
  const now = () => new Date(clock.now()).toISOString();
  const plain = (options.secrets ?? []).filter((secret) => secret !== '');
  const secrets = plain.map(asInJson);
  // Of a secret that is cut no part may be left.
  const short = (text: string): string =>
    text.length <= LONGEST
      ? text
      : `${plain.reduce(hide, text).slice(0, LONGEST)}... (${text.length} characters)`;
  const sink = boundedSink(stream, (dropped) => {
    const msg = 'log lines were dropped: the reader of stderr is too slow';
    return `${JSON.stringify({ level: 'warn', time: now(), service, pid, dropped, msg })}\n`;
  });
  const lines = pino(
    {
      level,
      base: { service, pid },
      timestamp: () => `,"time":"${now()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => shortened(fields, short) as Record<string, unknown>,
      },
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

/** A field may hold itself: what lies deeper is left as it is. */
const DEEPEST = 4;

/** Its texts made short, also those of objects and lists in it. */
function shortened(value: unknown, short: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return short(value);
  if (depth === DEEPEST) return value;
  if (Array.isArray(value)) return value.map((one) => shortened(one, short, depth + 1));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, shortened(one, short, depth + 1)]),
  );
}

function hide(text: string, secret: string): string {
  return text.replaceAll(secret, REDACTED);
}

/** A secret as it stands inside a JSON string. */
function asInJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1);
}
