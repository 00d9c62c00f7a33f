import process from 'node:process';
import { reasonOf } from '../../lib/errors/reason.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { findConfigFile } from '../../rig/configuration/read-file.ts';
import { recordRunningRig } from '../../rig/configuration/running-rig.ts';
import { runProgram } from '../../rig/service/program.ts';
import { buildRig } from './build-rig.ts';
import { openRig, SERVICE, startBridge } from './start-bridge.ts';

/** The safe state is bounded by 5 s; the supervisor waits 10 s. */
const END_LIMIT_MS = 9000;

runProgram({
  service: SERVICE,
  description: 'Firmware bridge: valves, pump, lung and sensors; leases and the safe state',
  prefix: 'SVC_BRIDGE',
  defaultPort: 8202,
  endLimitMs: END_LIMIT_MS,
  start: async ({ logger, ...context }) => {
    const log = (line: string) => logger.info(line);
    const running = await startBridge({ ...context, log, logger, buildRig });
    const { env } = context;
    const mode = context.config.hardwareMode;
    if (mode === 'real') {
      const started = {
        env,
        mode,
        config: findConfigFile(env, process.cwd()),
        stateDir: stateDirOf(env),
        url: running.url,
      };
      // Without it a stop from elsewhere has to be given the variables of this rig.
      recordRunningRig({ writer: SERVICE, ...started }).catch((fault: unknown) =>
        logger.warn(`what this rig was started with cannot be recorded: ${reasonOf(fault)}`),
      );
    }
    return {
      url: running.url,
      port: running.port,
      open: () => openRig(running),
      ready: () => ({ mode: context.config.hardwareMode, bench: running.bridge.rig.bench }),
      shutDown: (reason) => running.shutDown(reason),
    };
  },
});
