import type { Clock } from '../../lib/clock/clock.ts';
import { awaitReady, type Ready } from './await-ready.ts';
import type { Installation } from './installation.ts';
import { endOwnProcesses, ownProcesses, type Role } from './own-processes.ts';
import { runProgram } from './run-program.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { startError } from './start-error.ts';

export interface StackOptions {
  installation: Installation;
  folder: RuntimeFolder;
  /** For PM2; the services inherit it. */
  env: Record<string, string>;
  clock: Clock;
  signal: AbortSignal;
}

/** PM2 answers within a second; on a busy Pi it may take longer to fork its daemon. */
const PM2_LIMIT_MS = 30_000;
const READY_LIMIT_MS = 20_000;

/** The services of the rig under a PM2 of their own. */
export class Stack {
  readonly #options: StackOptions;

  constructor(options: StackOptions) {
    this.#options = options;
  }

  /** Starts one service of PM2's file and waits until it can be used. @throws CliError */
  async start(name: string): Promise<Ready> {
    const { installation, folder, env, clock, signal } = this.#options;
    signal.throwIfAborted();
    const { pm2, ecosystem, root } = installation;
    const command = [pm2, 'start', ecosystem, '--only', name] as const;
    const { code, output, timedOut } = await runProgram(command, {
      env,
      cwd: root,
      limitMs: PM2_LIMIT_MS,
      clock,
    });
    if (code !== 0) {
      const how = timedOut ? `did not answer within ${PM2_LIMIT_MS / 1000} s` : `ended with ${code}`;
      throw startError('supervisor_failed', `pm2 start ${name} ${how}:\n${indented(output)}`);
    }
    return awaitReady(name, folder, { limitMs: READY_LIMIT_MS, clock, signal });
  }

  /** Ends every process of this folder, PM2's daemon included, or those of some roles. @throws CliError when one is left */
  async end(roles?: readonly Role[]): Promise<void> {
    const { folder, clock } = this.#options;
    await endOwnProcesses(folder, clock, roles);
    const left = ownProcesses(folder, roles).map(({ role, pid }) => `${role} (pid ${pid})`);
    if (left.length > 0)
      throw startError('processes_left', `${left.join(', ')} cannot be ended: kill them by hand`);
  }
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
