import type { Clock } from '../../lib/clock/clock.ts';
import { awaitReady, type Ready } from './await-ready.ts';
import type { Installation } from './installation.ts';
import { endOwnProcesses, ownProcesses } from './own-processes.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { startError } from './start-error.ts';
import { Supervisor } from './supervisor.ts';

export interface StackOptions {
  installation: Installation;
  folder: RuntimeFolder;
  /** For PM2; the services inherit it. */
  env: Record<string, string>;
  clock: Clock;
  signal: AbortSignal;
}

const READY_LIMIT_MS = 20_000;

/** The services of the rig under a PM2 of their own. */
export class Stack {
  readonly #options: StackOptions;
  readonly #supervisor: Supervisor;

  constructor(options: StackOptions) {
    this.#options = options;
    this.#supervisor = new Supervisor(options);
  }

  /** Starts services of PM2's file and waits until all can be used. @throws CliError */
  async start(names: readonly string[]): Promise<Ready[]> {
    const { folder, clock, signal } = this.#options;
    signal.throwIfAborted();
    await this.#supervisor.start(names);
    const wait = { limitMs: READY_LIMIT_MS, clock, signal };
    return Promise.all(names.map((name) => awaitReady(name, folder, wait)));
  }

  /**
   * Ends every process of this folder. PM2 does it, first who has runs, then the bridge; what it leaves, or what an earlier PM2 left, is
   * ended after it. @param bridgeEnded is called while the twins are still there
   * @throws CliError when a process is left
   */
  async end(bridgeEnded: () => Promise<void> = async () => {}): Promise<void> {
    const { folder, clock } = this.#options;
    await endOwnProcesses(folder, clock, ['svcctl']);
    await this.#ask('delete', 'svc-server');
    await this.#ask('delete', 'svc-bridge');
    await bridgeEnded();
    // The devices are still there while their services end; the guard goes last.
    await this.#ask('delete', '/^svc-(lung|pump|sensors)$/');
    await this.#ask('delete', 'svc-guard');
    await this.#ask('kill');
    await endOwnProcesses(folder, clock);
    const left = ownProcesses(folder).map(({ role, pid }) => `${role} (pid ${pid})`);
    if (left.length > 0)
      throw startError('processes_left', `${left.join(', ')} cannot be ended: kill them by hand`);
  }

  /** Asks PM2's daemon where there is one: its command would start a new one. What it answers is seen at the processes. */
  async #ask(...command: string[]): Promise<void> {
    if (ownProcesses(this.#options.folder, ['pm2']).length > 0) await this.#supervisor.run(command);
  }
}
