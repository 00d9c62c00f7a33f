import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import type { Installation } from './installation.ts';
import { startError } from './start-error.ts';
import type { StopRequests } from './stop-requests.ts';

export interface ScenarioRun {
  scenario: string;
  firmwareUrl: string;
  events: string;
  report: string;
}

/** Teardown 60 s and safe state 5 s end by themselves; what is slower hangs. The lease then makes the rig safe. */
const ENDING_LIMIT_MS = 70_000;

/**
 * Runs a scenario in execute mode by `svcctl`, on this terminal. A wish to stop is handed on: the first one makes it
 * do its teardown, the second one goes to the safe state at once. @returns svcctl's exit code
 */
export function runScenario(
  { scenario, firmwareUrl, events, report }: ScenarioRun,
  {
    installation,
    env,
    cwd,
    stop,
    clock,
  }: {
    installation: Installation;
    env: Record<string, string>;
    cwd: string;
    stop: StopRequests;
    clock: Clock;
  },
): Promise<number> {
  const { dist, scenarios } = installation;
  const files = ['--events', events, '--report', report];
  const args = ['run', scenario, '--mode', 'execute', '--firmware-url', firmwareUrl, '--library', scenarios];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(dist, 'svcctl.cjs'), ...args, ...files], {
      env,
      cwd,
      stdio: 'inherit',
      // The terminal's Ctrl-C goes to us alone, so that it counts once.
      detached: true,
    });
    let cancel = () => {};
    const unlisten = stop.listen((signal) => {
      child.kill(signal);
      cancel();
      cancel = clock.after(ENDING_LIMIT_MS, () => child.kill('SIGKILL'));
    });
    const finish = () => {
      unlisten();
      cancel();
    };
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      finish();
      if (code !== null) resolve(code);
      else reject(startError('run_killed', `svcctl was ended by ${signal}; the lease makes the rig safe`));
    });
  });
}
