import process from 'node:process';
import { CommanderError } from 'commander';
import { parseCommandLine } from './command-line.ts';
import { runCommand } from './run-command.ts';

const EXIT_USAGE = 2;

/** Does one operation, prints its document and sets the exit code. */
export async function command(args: string[]): Promise<void> {
  let order: ReturnType<typeof parseCommandLine>;
  try {
    order = parseCommandLine(args);
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    process.exitCode = EXIT_USAGE;
    return;
  }
  if (!order) return;
  const { exitCode, document, message } = await runCommand(order);
  if (document) process.stdout.write(`${JSON.stringify(document)}\n`);
  if (message !== undefined) process.stderr.write(`svc-window: ${message}\n`);
  process.exitCode = exitCode;
}
