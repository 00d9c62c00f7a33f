import process from 'node:process';
import { CommanderError } from 'commander';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { runProgram } from '../../lib/service/program.ts';
import { isPoolThread, runThread } from '../../window/worker/thread.ts';
import { parseCommandLine } from './command-line.ts';
import { runCommand } from './run-command.ts';
import { windowService } from './window-service.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** `svc-window serve` is a service like the others; every other word is one operation and its document. */
function main(): void {
  if (isPoolThread()) runThread();
  else if (process.argv[2] === 'serve') {
    process.argv.splice(2, 1);
    runProgram(windowService(new URL(import.meta.url)));
  } else
    command(process.argv.slice(2)).catch((thrown: unknown) => {
      process.stderr.write(`svc-window: ${messageOf(thrown)}\n`);
      process.exitCode = EXIT_FAILED;
    });
}

async function command(args: string[]): Promise<void> {
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

main();
