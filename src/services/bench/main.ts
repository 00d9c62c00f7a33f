import { join } from 'node:path';
import process from 'node:process';
import { Bench } from '../../bench/bench.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { version } from '../../lib/version.ts';
import { BenchControl } from './control.ts';
import { type BenchCommandOptions, benchCommand } from './options.ts';

/** Runs until SIGTERM or SIGINT; then links and sockets are gone. */
async function main(): Promise<void> {
  const command = benchCommand(version).exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : 2));
  const options = command.parse().opts<BenchCommandOptions>();
  const bench = new Bench({
    folder: options.dir,
    seed: options.seed,
    lineRate: options.lineRate === true,
    tracePath: options.trace ?? join(options.dir, 'trace.ndjson'),
  });
  const control = new BenchControl(bench);
  // The port first: it tells a second bench to leave the links of the first alone.
  const port = await control.listen(options.port);
  await bench.open();

  const stop = async () => {
    await control.close();
    await bench.close();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());

  const ready = {
    ready: true,
    pid: process.pid,
    url: `http://127.0.0.1:${port}`,
    dir: options.dir,
    devices: bench.addresses,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

main().catch((fault: unknown) => {
  process.stderr.write(`svc-bench: ${messageOf(fault)}\n`);
  process.exit(1);
});
