import process from 'node:process';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { isPoolThread } from '../../window/worker/pool-thread.ts';

const EXIT_FAILED = 1;

/**
 * `svc-window serve` is a service like the others; every other word is one operation and its document. Each loads its own
 * part of the program only: a thread without the HTTP kit and its schemas takes half the memory.
 */
async function main(): Promise<void> {
  if (isPoolThread()) {
    const { runThread } = await import('../../window/worker/thread.ts');
    runThread();
  } else if (process.argv[2] === 'serve') {
    process.argv.splice(2, 1);
    const { serve } = await import('./serve.ts');
    serve(new URL(import.meta.url));
  } else {
    const { command } = await import('./command.ts');
    await command(process.argv.slice(2));
  }
}

main().catch((thrown: unknown) => {
  process.stderr.write(`svc-window: ${messageOf(thrown)}\n`);
  process.exitCode = EXIT_FAILED;
});
