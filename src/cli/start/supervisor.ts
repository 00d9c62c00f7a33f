import { connect } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import type { Installation } from './installation.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { startError } from './start-error.ts';

/** A process in PM2's list. */
export interface SupervisedApp {
  name: string;
  /** 0 when it does not run. */
  pid: number;
  /** `online`, `stopped`, `errored`, `launching`, `waiting restart` ... */
  state: string;
  /** Since the app was put into the list. */
  restarts: number;
  /** Wall clock, milliseconds; of the last start. */
  startedAt: number;
  memoryBytes: number;
  /** Of the last run that ended; undefined before. */
  exitCode: number | undefined;
}

export interface SupervisorOptions {
  installation: Pick<Installation, 'pm2' | 'root' | 'ecosystem'>;
  folder: RuntimeFolder;
  /** For PM2; the services inherit it. */
  env: Record<string, string>;
  clock: Clock;
}

/** PM2 answers within a second; on a busy Pi it may take longer to fork its daemon. */
const LIMIT_MS = 30_000;
const CONNECT_LIMIT_MS = 1000;

/** PM2 as a program beside ours: its commands, with a home of its own. */
export class Supervisor {
  readonly #options: SupervisorOptions;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Whether a daemon listens. Any command of PM2 would start one where there is none. */
  isRunning(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(join(this.#options.folder.pm2, 'rpc.sock'));
      const finish = (runs: boolean) => {
        cancel();
        socket.destroy();
        resolve(runs);
      };
      const cancel = this.#options.clock.after(CONNECT_LIMIT_MS, () => finish(false));
      socket.once('connect', () => finish(true));
      socket.once('error', () => finish(false));
    });
  }

  /** What PM2 looks after; empty where it does not run. @throws CliError `supervisor_failed` */
  async list(): Promise<SupervisedApp[]> {
    if (!(await this.isRunning())) return [];
    const output = await this.ask(['jlist']);
    // Warnings may stand in front of the one line of JSON.
    const line = output.split('\n').findLast((one) => one.startsWith('['));
    try {
      return (JSON.parse(line ?? '') as ListedApp[]).map(supervisedApp);
    } catch (cause) {
      const message = `pm2 jlist gave no list but ${JSON.stringify(output.slice(0, 200))}: end PM2 with pm2 kill and start it anew`;
      throw startError('supervisor_failed', message, { cause });
    }
  }

  /** Starts services of PM2's file, as it is now. @throws CliError `supervisor_failed` */
  async start(names: readonly string[]): Promise<void> {
    await this.ask(['start', this.#options.installation.ecosystem, '--only', names.join(',')]);
  }

  /** @returns what it said. @throws CliError `supervisor_failed` unless it did as told */
  async ask(command: readonly string[], limitMs = LIMIT_MS): Promise<string> {
    const { code, output, timedOut } = await this.run(command, limitMs);
    if (code === 0) return output;
    const how = timedOut ? `did not answer within ${limitMs / 1000} s` : `ended with ${code}`;
    throw startError(
      'supervisor_failed',
      `pm2 ${command.filter((word) => word !== this.#options.installation.ecosystem).join(' ')} ${how}:\n${indented(output)}`,
    );
  }

  run(command: readonly string[], limitMs = LIMIT_MS): Promise<ProgramEnd> {
    const { installation, env, clock } = this.#options;
    return runProgram([installation.pm2, ...command], { env, cwd: installation.root, limitMs, clock });
  }
}

/** As `pm2 jlist` has it, as far as it is used. */
interface ListedApp {
  name: string;
  pid?: number;
  monit?: { memory?: number };
  pm2_env: { status: string; restart_time?: number; pm_uptime?: number; exit_code?: number };
}

/** Of an app that waits to be started again PM2 keeps the pid of the process that ended. */
const WAITING = 'waiting restart';

function supervisedApp({ name, pid = 0, monit, pm2_env }: ListedApp): SupervisedApp {
  const waits = pm2_env.status === WAITING;
  return {
    name,
    pid: waits ? 0 : pid,
    // An exit code after which it is not started again takes the pid away, but PM2 still says that it waits.
    state: waits && pid === 0 ? 'stopped' : pm2_env.status,
    restarts: pm2_env.restart_time ?? 0,
    startedAt: pm2_env.pm_uptime ?? 0,
    memoryBytes: monit?.memory ?? 0,
    exitCode: pm2_env.exit_code,
  };
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
