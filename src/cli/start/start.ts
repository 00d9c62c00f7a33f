import { existsSync } from 'node:fs';
import { join, parse, relative, resolve } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { version } from '../../lib/version.ts';
import { RIG_PORTS } from '../../rig/profiles/rig-services.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { type Io, processIo } from '../io/io.ts';
import type { Listening } from './await-ready.ts';
import { writeBenchConfig } from './bench-config.ts';
import { claimFolder, createParts, removeFolder } from './folder-content.ts';
import { isUneditedConfig } from './generated-config.ts';
import { whatNext } from './hints.ts';
import { type Installation, installation } from './installation.ts';
import { onlyStart } from './only-one.ts';
import { ownProcesses } from './own-processes.ts';
import { Phases } from './phases.ts';
import { requireFreePort } from './port-holder.ts';
import { configuredPorts, freePort, type RigPorts, rigPorts } from './rig-ports.ts';
import { runOnServer } from './run-on-server.ts';
import { runScenario, type ScenarioRun } from './run-scenario.ts';
import { type RuntimeFolder, runtimeFolder } from './runtime-folder.ts';
import { serviceEnvironment, supervisorEnvironment } from './service-environment.ts';
import { Stack } from './stack.ts';
import { startError } from './start-error.ts';
import { StopRequests } from './stop-requests.ts';
import { outputsOn } from './twins.ts';

/** What a start uses of the world. It never reads: the terminal's input belongs to the run. */
export type StartIo = Omit<Io, 'stdin' | 'fetch'>;

export interface StartOptions {
  once?: true;
  scenario?: string;
  /** `svc.yaml` to run with in place of the folder's own. */
  config?: string;
  port: number;
  benchPort: number;
}

/**
 * Brings up bench, bridge and API server, runs a scenario on them and keeps them up until a signal. Whatever happens, nothing is
 * left afterwards but the records of the runs and a configuration that a person wrote or edited.
 * @returns the run's exit code, or 3 when an output of the twins was left on; @throws CliError, ConfigError
 */
export async function start(options: StartOptions, io: StartIo): Promise<number> {
  const installed = installation();
  const scenario = scenarioFile(options.scenario, installed, io.cwd);
  const ownFolder = runtimeFolder(installed.root, io.env.RIG_RUNTIME_DIR, io.cwd);
  const config = configFile(options.config, ownFolder, io.cwd);
  const folder = { ...ownFolder, config: config ?? ownFolder.ownConfig };
  const configured = config === undefined ? undefined : configuredPorts(config);
  claimFolder(folder);
  const unlock = await onlyStart(folder, io.clock);
  const stop = new StopRequests(io.clock);
  try {
    return await new Start(options, scenario, installed, folder, configured, stop, io).run();
  } finally {
    stop.release();
    await unlock();
  }
}

function scenarioFile(named: string | undefined, { scenarios }: Installation, cwd: string): string {
  const path = named === undefined ? join(scenarios, 'valve-smoke.oql') : resolve(cwd, named);
  if (existsSync(path)) return path;
  throw usageError(`--scenario "${named ?? path}": no such file; ${scenarios} has those that are shipped`);
}

/** The configuration that a person wrote or edited; undefined where one is to be generated. */
function configFile(
  named: string | undefined,
  { ownConfig }: RuntimeFolder,
  cwd: string,
): string | undefined {
  if (named === undefined)
    return existsSync(ownConfig) && !isUneditedConfig(ownConfig) ? ownConfig : undefined;
  const path = resolve(cwd, named);
  if (existsSync(path)) return path;
  throw usageError(`--config "${named}": no such file; without the option npm start generates one`);
}

class Start {
  readonly #phases: Phases;
  readonly #stack: Stack;
  #bench: Listening | undefined;

  constructor(
    readonly options: StartOptions,
    readonly scenario: string,
    readonly installed: Installation,
    readonly folder: RuntimeFolder,
    /** Ports that a configuration which a person wrote or edited expects; undefined where it is generated. */
    readonly configured: Partial<RigPorts> | undefined,
    readonly stop: StopRequests,
    readonly io: StartIo,
  ) {
    const { clock, env, stderr } = io;
    this.#phases = new Phases(stderr, clock, env);
    this.#stack = new Stack({
      installation: installed,
      folder,
      env: supervisorEnvironment(env, folder),
      clock,
      signal: stop.signal,
    });
  }

  async run(): Promise<number> {
    this.#phases.say(`svc-rig ${version}: real drivers on twins of the devices, under PM2`);
    let exitCode: number;
    try {
      exitCode = await this.#runAndStay();
    } catch (thrown) {
      this.#phases.say(`svc-start: ${messageOf(thrown)}`);
      exitCode = thrown instanceof CliError ? thrown.exitCode : EXIT.error;
    }
    return (await this.#end()) ? exitCode : Math.max(exitCode, EXIT.error);
  }

  async #runAndStay(): Promise<number> {
    await this.#clearUp();
    await this.#requirePorts();
    createParts(this.folder);
    const { port } = this.options;
    const ports = await rigPorts(port, this.configured);
    // Fixed for the life of the rig: svc-server finds the twins at it.
    const benchPort = this.options.benchPort || (await freePort());
    const isConfigKept = this.configured !== undefined;
    if (isConfigKept) this.#phases.say(`configuration: ${this.folder.config}`);
    writeBenchConfig(this.folder, { ports, benchPort, isConfigKept });
    this.#bench = await this.#service('svc-bench', 'twins, control port');
    // What the bridge moves through them is there before it makes the rig safe for the first time.
    await this.#services(['svc-lung', 'svc-pump', 'svc-sensors'], 'lung, pump and sensors');
    const bridge = await this.#service('svc-bridge', 'mode real on the bench,');
    await this.#services(['svc-guard'], 'watches the bridge');
    await this.#services(['svc-server'], 'runs scenarios by HTTP');
    const serverUrl = `http://127.0.0.1:${ports['svc-server']}`;
    const exitCode = await this.#runScenario(bridge, serverUrl);
    if (this.options.once || this.stop.signal.aborted) return exitCode;
    const { folder, io } = this;
    this.#phases.say(whatNext({ bench: this.#bench, bridge, serverUrl, folder, cwd: io.cwd }));
    await this.stop.first();
    this.#phases.say();
    return exitCode;
  }

  /** What a start left that was killed. */
  async #clearUp(): Promise<void> {
    const { folder } = this;
    if (!existsSync(folder.pm2) && ownProcesses(folder).length === 0) return;
    await this.#phases.run('clearing up', async () => {
      await this.#stack.end();
      this.#removeFolder();
      return ['what an earlier start left that was killed', undefined];
    });
  }

  async #requirePorts(): Promise<void> {
    const { port, benchPort } = this.options;
    if (port !== 0) await requireFreePort(port, 'the bridge', '--port');
    const configured = this.configured ?? {};
    for (const [name, own] of Object.entries(configured))
      await requireFreePort(own, name, `its base_url in ${this.folder.config}`);
    if (port === RIG_PORTS['svc-bridge'][0])
      for (const [name, [own]] of Object.entries(RIG_PORTS))
        if (!Object.hasOwn(configured, name)) await requireFreePort(own, name, '--port');
    if (benchPort !== 0) await requireFreePort(benchPort, 'the bench', '--bench-port');
  }

  /** One that people talk to. */
  #service(name: string, words: string): Promise<Listening> {
    return this.#phases.run(name, async () => {
      const [ready] = await this.#stack.start([name]);
      const { url, pid } = ready ?? {};
      if (url === undefined || pid === undefined)
        throw startError('service_not_ready', `${name} did not report its address; see its log`);
      return [`${words} ${url} (pid ${pid})`, { url, pid }];
    });
  }

  /** Those that only the bridge talks to. */
  async #services(names: readonly string[], words: string): Promise<void> {
    await this.#phases.run(names.length === 1 ? String(names[0]) : 'devices', async () => {
      const pids = (await this.#stack.start(names)).map(({ pid }) => pid);
      return [`${words} (pid ${pids.join(', ')})`, undefined];
    });
  }

  async #runScenario({ url }: Listening, serverUrl: string): Promise<number> {
    const { io, folder, scenario, stop } = this;
    stop.signal.throwIfAborted();
    const time = new Date(io.clock.now()).toISOString().replaceAll(':', '-');
    const record = join(folder.runs, `${time}-${parse(scenario).name}`);
    const run = { scenario, firmwareUrl: url, events: `${record}.ndjson`, report: `${record}.html` };
    const shown = (path: string) => relative(io.cwd, path) || path;
    const env = serviceEnvironment(io.env, folder);
    const isDemonstration = this.options.scenario === undefined;
    const where = isDemonstration ? `, also on the page ${serverUrl}/` : '';
    this.#phases.say(`\n${shown(scenario)}, execute mode${where}:\n`);
    const startedAt = io.clock.monotonic();
    const { exitCode, files } = isDemonstration
      ? await this.#runOnServer(run, serverUrl, env)
      : {
          exitCode: await runScenario(run, {
            installation: this.installed,
            env,
            cwd: io.cwd,
            stop,
            clock: io.clock,
          }),
          files: [run.events, run.report],
        };
    const seconds = ((io.clock.monotonic() - startedAt) / 1000).toFixed(1);
    this.#phases.say(`\nexit code ${exitCode} after ${seconds} s`);
    for (const file of files) if (existsSync(file)) this.#phases.say(`  ${shown(file)}`);
    return exitCode;
  }

  async #runOnServer(run: ScenarioRun, serverUrl: string, env: Record<string, string>) {
    const io = { ...processIo(), ...this.io, env };
    const { exitCode, id } = await runOnServer(run, { serverUrl, stop: this.stop, io });
    return { exitCode, files: [join(this.folder.runs, id), run.report] };
  }

  #removeFolder(): void {
    const { config } = this.options;
    removeFolder(this.folder, config && resolve(this.io.cwd, config));
  }

  /** @returns whether it ended well: outputs off, nothing left */
  async #end(): Promise<boolean> {
    if (!existsSync(this.folder.pm2)) {
      this.#removeFolder();
      return true;
    }
    const unlisten = this.stop.listen(() => this.#phases.say('stopping already; this is bounded'));
    try {
      return await this.#phases.run('stopped', async () => {
        let on: string | undefined;
        await this.#stack.end(async () => {
          on = this.#bench && (await outputsOn(this.#bench.url, this.io));
        });
        this.#removeFolder();
        if (on) return [`but the twins had ${on} on when the bridge had ended`, false];
        return [on === undefined ? 'nothing runs any more' : 'all outputs of the twins were off', true];
      });
    } catch (thrown) {
      this.#phases.say(`svc-start: ${messageOf(thrown)}`);
      return false;
    } finally {
      unlisten();
    }
  }
}
