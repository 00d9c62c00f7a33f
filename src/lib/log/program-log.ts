import process from 'node:process';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../errors/coded-error.ts';
import type { LogStream } from './bounded-sink.ts';
import { createLogger } from './create-logger.ts';
import { logLevelFrom } from './log-level.ts';
import type { Logger } from './logger.ts';
import { stackOf } from './stack-of.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The log of this process: on standard error, level by `SVC_LOG_LEVEL`, without the token of `SVC_API_TOKEN`.
 * A reader of stdout or stderr that went away does not end the process. @throws ConfigError
 */
export function programLog(service: string, env: Environment, clock: Clock): Logger {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return createLogger({
    service,
    pid: process.pid,
    level: logLevelFrom(env),
    clock,
    stream: standardError,
    secrets: [env.SVC_API_TOKEN ?? ''],
  });
}

interface Handle {
  _handle?: { setBlocking?(isBlocking: boolean): unknown };
}

/**
 * Standard error, which never waits for its reader. Whether a pipe makes its writers wait belongs to the pipe: a program that is
 * started with the same one, as the partner of the guard is, makes this one wait too, until that is taken back.
 */
const standardError: LogStream = {
  get writableLength() {
    return process.stderr.writableLength;
  },
  write: (text) => {
    if (!process.stderr.isTTY) (process.stderr as Handle)._handle?.setBlocking?.(false);
    return process.stderr.write(text);
  },
};

export type UncaughtKind = 'uncaught_exception' | 'unhandled_rejection';

/** Logs an uncaught error with its stack, and then lets `end` bring the process to its end. */
export function onUncaught(logger: Logger, end: (kind: UncaughtKind) => void): void {
  const tell = (kind: UncaughtKind) => (thrown: unknown) => {
    logger.error(`${kind}: ${messageOf(thrown)}`, stackOf(thrown));
    end(kind);
  };
  process.on('uncaughtException', tell('uncaught_exception'));
  process.on('unhandledRejection', tell('unhandled_rejection'));
}
