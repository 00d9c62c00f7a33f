import { hostname } from 'node:os';
import { systemClock } from '../lib/clock/clock.ts';
import { Registry } from '../rig/registry/registry.ts';
import type { InterpreterOptions } from './interpreter-options.ts';
import type { Loaded } from './load.ts';
import { rehearse } from './rehearse/rehearse.ts';
import { RunFault } from './rig/fault.ts';
import { HttpRig } from './rig/http/http-rig.ts';
import { Execution, type Stage } from './run/execution.ts';
import type { Result } from './run/result.ts';
import { StopSwitch } from './run/stop-switch.ts';

const DEFAULT_FIRMWARE_URL = 'http://127.0.0.1:8202';

/**
 * Runs what was loaded: on the rig in execute mode, else without one. A scenario with errors is not run. Never rejects.
 * @param stop for callers that stop the run by other ways than the signals of the options
 */
export async function performRun(
  loaded: Loaded,
  filename: string,
  options: InterpreterOptions,
  stop = new StopSwitch(options.signal, options.hardSignal),
): Promise<Result> {
  const { mode = 'dry-run', registry = new Registry(), clock = systemClock } = options;
  const parts = { options, mode, registry, loaded, filename, stop };
  try {
    if (mode !== 'execute') return await rehearse(parts, options.sensors ?? {}, clock);
    return await new Execution({ ...parts, stage: rigStage(options, registry) }).run();
  } finally {
    stop.end();
  }
}

/** The rig behind the firmware bridge. */
function rigStage(options: InterpreterOptions, registry: Registry): Stage {
  const { clock = systemClock, serverUrl, lungUrl, token, fetch } = options;
  const names = Object.keys(options.sensors ?? {});
  return {
    clock,
    rig: (observer) =>
      new HttpRig({
        firmwareUrl: trimSlash(options.firmwareUrl ?? DEFAULT_FIRMWARE_URL),
        ...(serverUrl === undefined ? {} : { serverUrl: trimSlash(serverUrl) }),
        ...(lungUrl === undefined ? {} : { lungUrl: trimSlash(lungUrl) }),
        ...(token === undefined ? {} : { token }),
        registry,
        clock,
        ...(fetch === undefined ? {} : { fetch }),
        owner: options.owner ?? `svc-run-${process.pid}@${hostname()}`,
        simulated: options.simulated === true,
        requireReal: options.requireReal === true,
        requireMock: options.requireMock === true,
        withoutGuard: options.withoutGuard === true,
        mirror: options.mirror === true,
        observer,
      }),
    refusal:
      names.length === 0
        ? undefined
        : new RunFault(
            'SCN409',
            `sensor values (${names.join(', ')}) are for dry-run; in execute mode the rig is read`,
          ),
  };
}

const trimSlash = (url: string): string => url.replace(/\/+$/, '');
