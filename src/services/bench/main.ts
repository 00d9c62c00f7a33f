import { join } from 'node:path';
import process from 'node:process';
import { Bench } from '../../bench/bench.ts';
import { benchClock, kindOf } from '../../bench/clock/bench-clock.ts';
import { TCP_PORTS, type TcpPortOption } from '../../bench/devices/index.ts';
import { readPlantFile } from '../../bench/plant/plant-file.ts';
import { USBIP_PORT } from '../../bench/usbip/usbip-server.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { logFilesOf } from '../../lib/log/log-files.ts';
import { onUncaught, programLog } from '../../lib/log/program-log.ts';
import { version } from '../../lib/version.ts';
import { BenchControl, SERVICE } from './control.ts';
import { type BenchCommandOptions, benchCommand } from './options.ts';

/** It reads no svc.yaml: the default of `logs.max_mb`. */
const LOG_MAX_MB = 20;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Runs until SIGTERM or SIGINT; then links and sockets are gone. */
async function main(): Promise<void> {
  const command = benchCommand(version).exitOverride((end) =>
    process.exit(end.exitCode === 0 ? 0 : EXIT_USAGE),
  );
  const options = command.parse().opts<BenchCommandOptions>();
  const ports = Object.keys(TCP_PORTS) as TcpPortOption[];
  const bench = new Bench({
    ...Object.fromEntries(ports.map((port) => [port, options[port]])),
    folder: options.dir,
    seed: options.seed,
    clock: benchClock(options.clock),
    lineRate: options.lineRate === true,
    usbLatencyMs: options.usbLatency,
    tracePath: options.trace ?? join(options.dir, 'trace.ndjson'),
    traceMaxMb: options.traceMaxMb,
    ...(options.plant === undefined ? {} : { plant: readPlantFile(options.plant) }),
    ...(options.usbip === undefined
      ? {}
      : { usbipPort: options.usbip === true ? USBIP_PORT : options.usbip }),
    ...(options.usbredir === undefined ? {} : { usbredirFolder: options.usbredir }),
    ...(options.only ? { only: options.only } : {}),
    ...(options.with ? { with: options.with } : {}),
  });
  const logger = programLog(SERVICE, process.env, systemClock);
  logFilesOf(process.env, LOG_MAX_MB, systemClock).start();
  const log = (line: string) => logger.info(line);
  const control = new BenchControl({ bench, clock: systemClock, log, logger });
  // Links and sockets stay behind, as after a kill: what is broken is not asked to tidy up.
  onUncaught(logger, () => process.exit(EXIT_FAILED));
  // The port first: it tells a second bench to leave the links of the first alone.
  const { url } = await control.listen(options.port);
  await bench.open();

  const stop = async () => {
    await control.end();
    await bench.close();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());

  const ready = {
    ready: true,
    pid: process.pid,
    url,
    dir: options.dir,
    clock: kindOf(bench.clock),
    devices: bench.addresses,
    ...(bench.usbipPort === undefined ? {} : { usbip: `127.0.0.1:${bench.usbipPort}` }),
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

main().catch((fault: unknown) => {
  process.stderr.write(`${SERVICE}: ${messageOf(fault)}\n`);
  process.exit(fault instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED);
});
