import { Command, CommanderError } from 'commander';
import { systemClock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import { loadConfig } from '../../lib/config/load-config.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { bindOptions } from '../../lib/http/bind-options.ts';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { ListenError } from '../../lib/http/http-service.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { onUncaught, programLog } from '../../lib/log/program-log.ts';
import { version } from '../../lib/version.ts';
import { buildRig } from './build-rig.ts';
import { openRig, type RunningBridge, SERVICE, startBridge } from './start-bridge.ts';

const EXIT_UNSAFE = 1;
const EXIT_USAGE = 2;
const EXIT_IN_USE = 75;

function command(): Command {
  return new Command(SERVICE)
    .description('Firmware bridge: owns valves, pump and sensors; leases and the safe state')
    .option('--host <host>', 'address to bind; SVC_BRIDGE_HOST (default: 127.0.0.1)')
    .option('--port <port>', 'port to bind, 0 takes any; SVC_BRIDGE_PORT (default: 8202)')
    .version(version)
    .allowExcessArguments(false)
    .configureOutput({
      outputError: (text, write) => write(oneLine(text.replace(/^error: /, `${SERVICE}: `))),
    })
    .exitOverride();
}

async function main(): Promise<void> {
  const program = command();
  program.parse();
  const flags = program.opts<{ host?: string; port?: string }>();
  const { env } = process;
  const bind = bindOptions({ flags, env, prefix: 'SVC_BRIDGE', defaultPort: 8202 });
  const { config } = loadConfig({ env, cwd: process.cwd() });
  const logger = programLog(SERVICE, env, systemClock);
  const log = (line: string) => logger.info(line);
  const running = await startBridge({ config, bind, env, clock: systemClock, log, logger, buildRig });
  endWithSafeState(running, logger);
  await openRig(running);
  const ready = {
    ready: true,
    url: running.url,
    pid: process.pid,
    mode: config.hardwareMode,
    bench: running.bridge.rig.bench,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** Whatever ends this process in an orderly way ends it with the rig safe (services specification, section 11). */
function endWithSafeState(running: RunningBridge, logger: Logger): void {
  const end = (reason: string, failed: boolean) => {
    running.shutDown(reason).then(
      (report) => process.exit(report.ok && !failed ? 0 : EXIT_UNSAFE),
      () => process.exit(EXIT_UNSAFE),
    );
  };
  process.on('SIGTERM', () => end('SIGTERM', false));
  process.on('SIGINT', () => end('SIGINT', false));
  onUncaught(logger, (kind) => end(kind, true));
}

function refuse(thrown: unknown): never {
  if (thrown instanceof CommanderError) process.exit(thrown.exitCode === 0 ? 0 : EXIT_USAGE);
  process.stderr.write(oneLine(`${SERVICE}: ${messageOf(thrown)}`));
  if (thrown instanceof ListenError && thrown.code === 'port_in_use') process.exit(EXIT_IN_USE);
  const usage =
    thrown instanceof StartRefusedError || thrown instanceof ConfigError || thrown instanceof ListenError;
  process.exit(usage ? EXIT_USAGE : EXIT_UNSAFE);
}

function oneLine(text: string): string {
  return `${text.trim().replace(/\s*\n\s*/g, ' ')}\n`;
}

main().catch(refuse);
