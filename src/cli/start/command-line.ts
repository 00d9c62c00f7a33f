import { Command, CommanderError } from 'commander';
import { ConfigError } from '../../lib/config/config-error.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { version } from '../../lib/version.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { usageSentence } from '../svcctl/usage-sentence.ts';
import type { StartIo } from './start.ts';
import { type StartOptions, start } from './start.ts';

/** Runs one invocation of `svc-start`. @returns the exit code */
export async function svcStart(args: readonly string[], io: StartIo): Promise<number> {
  const command = startCommand(io);
  try {
    command.parse([...args], { from: 'user' });
    return await start(command.opts<StartOptions>(), io);
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    io.stderr.write(`svc-start: ${messageOf(thrown)}\n`);
    if (thrown instanceof ConfigError) return EXIT.usage;
    return thrown instanceof CliError ? thrown.exitCode : EXIT.error;
  }
}

function startCommand(io: StartIo): Command {
  const command = new Command('svc-start');
  return command
    .description(
      'Starts the bench (twins of the devices) and the services under PM2, runs a scenario on them and keeps them up.',
    )
    .option('--once', 'end after the run, with its exit code')
    .option('--scenario <file>', 'scenario to run (default: scenarios/valve-smoke.oql)')
    .option('--config <file>', 'svc.yaml to run with; it is never removed (default: a generated one)')
    .option('--port <number>', 'port of the bridge on 127.0.0.1, 0 for any free one', port('--port'), 8202)
    .option(
      '--bench-port <number>',
      'control port of the bench, 0 for any free one',
      port('--bench-port'),
      8290,
    )
    .version(version)
    .addHelpText('after', '\nRIG_RUNTIME_DIR names the folder it works in (default: .rig).')
    .allowExcessArguments(false)
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: () => {} })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : usageSentence(error, command);
    });
}

function port(option: string): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value <= 65_535) return value;
    throw usageError(`${option} "${text}" is not a port: give a whole number from 0 to 65535`);
  };
}
