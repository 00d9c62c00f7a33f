import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { systemClock } from '../../../lib/clock/clock.ts';
import { ConfigError } from '../../../lib/config/config-error.ts';
import { loadConfig } from '../../../lib/config/load-config.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { bindOptions } from '../../../lib/http/bind-options.ts';
import { StartRefusedError } from '../../../lib/http/exposure.ts';
import { ListenError } from '../../../lib/http/http-service.ts';
import { LockHeldError } from '../../../lib/lock/lock.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { onUncaught, programLog } from '../../../lib/log/program-log.ts';
import { version } from '../../../lib/version.ts';
import { type AdcServiceDefinition, type RunningAdcService, startAdcService } from './adc-service.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_HELD = 75;

/** Ended from outside, a service is gone within 2 s. */
const SHUT_DOWN_LIMIT_MS = 1800;

/** Runs an ADC service as the program of this process, to its end. */
export function runAdcProgram(definition: AdcServiceDefinition): void {
  main(definition).catch((thrown: unknown) => refuse(definition.service, thrown));
}

function command({ service, description, prefix, defaultPort }: AdcServiceDefinition): Command {
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

async function main(definition: AdcServiceDefinition): Promise<void> {
  const { service, prefix, defaultPort } = definition;
  const { env } = process;
  const program = command(definition);
  program.parse();
  const flags = program.opts<{ host?: string; port?: string }>();
  const bind = bindOptions({ flags, env, prefix, defaultPort });
  // Nothing of it is an ADC service's own, but a rig with a broken file shall not start in parts.
  loadConfig({ env, cwd: process.cwd() });
  const logger = programLog(service, env, systemClock);
  const running = await startAdcService({ definition, env, bind, clock: systemClock, logger });
  endInOrder(running, logger);
  const { url, port } = running;
  process.stdout.write(`${JSON.stringify({ ready: true, service, url, port, pid: process.pid })}\n`);
}

function endInOrder(running: RunningAdcService, logger: Logger): void {
  let isEnding = false;
  const end = (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    systemClock.after(SHUT_DOWN_LIMIT_MS, () => {
      logger.error('the devices did not close in time; the kernel closes them now');
      process.exit(EXIT_FAILED);
    });
    running.shutDown().then(
      () => process.exit(exitCode),
      (thrown: unknown) => {
        logger.error(`the end was not orderly: ${messageOf(thrown)}`);
        process.exit(EXIT_FAILED);
      },
    );
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => end(0));
  onUncaught(logger, () => end(EXIT_FAILED));
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
