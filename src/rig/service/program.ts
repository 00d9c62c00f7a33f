import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import type { ConfigStamp } from '../../lib/config/config-stamp.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { type BindOptions, bindOptions } from '../../lib/http/bind-options.ts';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { ListenError } from '../../lib/http/http-service.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { logFilesOf } from '../../lib/log/log-files.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { onUncaught, programLog } from '../../lib/log/program-log.ts';
import { version } from '../../lib/version.ts';
import { loadRigConfig } from '../configuration/load-rig-config.ts';
import { configStamp } from '../configuration/sections.ts';
import type { Config } from '../configuration/types.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_HELD = 75;

/** What a service is started with. */
export interface ProgramContext {
  env: Readonly<Record<string, string | undefined>>;
  config: Config;
  /** For `/health`; undefined in a process that has read no file. */
  configuration?: ConfigStamp;
  bind: BindOptions;
  clock: Clock;
  logger: Logger;
}

/** A service that listens. */
export interface RunningProgram {
  url: string;
  port: number;
  /** What comes after it listens and before it is ready; an end from outside may come meanwhile. */
  open?(): Promise<void>;
  /** Members of the ready line beside `ready`, `service`, `url`, `port` and `pid`. */
  ready?(): Record<string, unknown>;
  /** Ends in order; a second call joins the first. @returns whether what it moves was left safe */
  shutDown(reason: string): Promise<{ ok: boolean }>;
}

/** One of the services of the rig, as a program. */
export interface ServiceProgram {
  /** For example `svc-pump`. */
  service: string;
  /** One line for `--help`. */
  description: string;
  /** Of its `_HOST` and `_PORT`, for example `SVC_PUMP`. */
  prefix: string;
  defaultPort: number;
  /** Milliseconds that an end from outside may take; what is not closed then the kernel closes. */
  endLimitMs: number;
  /** @throws StartRefusedError, ConfigError, ListenError, LockHeldError; nothing is held then */
  start(context: ProgramContext): Promise<RunningProgram>;
}

/**
 * Runs a service as the program of this process, to its end. Exit codes: 0 ended in order and safe, 1 not so, 2 wrong
 * usage or configuration (one line on stderr), 75 port or device held by another program.
 */
export function runProgram(program: ServiceProgram): void {
  main(program).catch((thrown: unknown) => refuse(program.service, thrown));
}

async function main(program: ServiceProgram): Promise<void> {
  const { service, prefix, defaultPort } = program;
  const { env } = process;
  const command = commandOf(program);
  command.parse();
  const flags = command.opts<{ host?: string; port?: string }>();
  const bind = bindOptions({ flags, env, prefix, defaultPort });
  const loaded = loadRigConfig({ env, cwd: process.cwd() });
  const { config } = loaded;
  const configuration = configStamp(loaded, service, systemClock.now());
  const logger = programLog(service, env, systemClock);
  logFilesOf(env, config.logMaxMb, systemClock).start();
  const running = await program.start({ env, config, configuration, bind, clock: systemClock, logger });
  endInOrder(program, running, logger);
  await running.open?.();
  const { url, port } = running;
  const ready = { ready: true, service, url, port, pid: process.pid, ...running.ready?.() };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

function commandOf({ service, description, prefix, defaultPort }: ServiceProgram): Command {
  return new Command(service)
    .description(description)
    .option('--host <host>', `address to bind; ${prefix}_HOST (default: 127.0.0.1)`)
    .option('--port <port>', `port to bind, 0 takes any; ${prefix}_PORT (default: ${defaultPort})`)
    .version(version)
    .allowExcessArguments(false)
    .configureOutput({
      outputError: (text, write) => write(oneLine(text.replace(/^error: /, `${service}: `))),
    })
    .exitOverride();
}

/** Whatever ends this process in an orderly way ends it with the rig safe. */
function endInOrder({ endLimitMs }: ServiceProgram, running: RunningProgram, logger: Logger): void {
  let isEnding = false;
  const end = (reason: string, failed: boolean) => {
    if (isEnding) return;
    isEnding = true;
    systemClock.after(endLimitMs, () => {
      logger.error('the end took too long; the kernel closes what is open');
      process.exit(EXIT_FAILED);
    });
    running.shutDown(reason).then(
      ({ ok }) => process.exit(ok && !failed ? 0 : EXIT_FAILED),
      (thrown: unknown) => {
        logger.error(`the end was not orderly: ${messageOf(thrown)}`);
        process.exit(EXIT_FAILED);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM', false));
  process.on('SIGINT', () => end('SIGINT', false));
  onUncaught(logger, (kind) => end(kind, true));
}

function refuse(service: string, thrown: unknown): never {
  if (thrown instanceof CommanderError) process.exit(thrown.exitCode === 0 ? 0 : EXIT_USAGE);
  process.stderr.write(oneLine(`${service}: ${messageOf(thrown)}`));
  const isHeld =
    thrown instanceof LockHeldError || (thrown instanceof ListenError && thrown.code === 'port_in_use');
  if (isHeld) process.exit(EXIT_HELD);
  const isUsage =
    thrown instanceof StartRefusedError || thrown instanceof ConfigError || thrown instanceof ListenError;
  process.exit(isUsage ? EXIT_USAGE : EXIT_FAILED);
}

function oneLine(text: string): string {
  return `${text.trim().replace(/\s*\n\s*/g, ' ')}\n`;
}
