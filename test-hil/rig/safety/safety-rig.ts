import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BenchDeviceName, BenchOutputs } from '../../../src/bench/bench.ts';
import { benchConfig, writeBenchConfig } from '../../../src/cli/start/bench-config.ts';
import { createParts } from '../../../src/cli/start/folder-content.ts';
import { installation } from '../../../src/cli/start/installation.ts';
import { endOwnProcesses, ownProcesses } from '../../../src/cli/start/own-processes.ts';
import { type RigPorts, rigPorts } from '../../../src/cli/start/rig-ports.ts';
import { type RuntimeFolder, runtimeFolder } from '../../../src/cli/start/runtime-folder.ts';
import { supervisorEnvironment } from '../../../src/cli/start/service-environment.ts';
import { Supervisor } from '../../../src/cli/start/supervisor.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import { readProc } from '../../../src/lib/proc.ts';
import { RIG_SERVICES, type RigService } from '../../../src/rig/profiles/rig-services.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launch, launchReady, type Program, root } from '../bench/program.ts';
import { TwinTrace } from './twin-trace.ts';

const POLL_MS = 20;
const UP_LIMIT_MS = 30_000;

const PROOF = `GOAL:
  SET NAME 'Moves again'
  SET valve-nc open
  ASSERT_VALVE valve-nc on
  SET pump 20 %
  GET AI01
  SET pump 0 %
  SET valve-nc close
`;
const LUNG_PROOF = `  SET LUNG_STEPS 100
  SET LUNG_PAUSE 0 s
  SET lung '1 cycles'
  SET lung stop
`;

type Variables = Readonly<Record<string, string>>;

export interface SafetyRigOptions {
  /** All of them (default), or the bridge alone with the pump on a port of its own. */
  services?: readonly RigService[];
  /** Of svc-bench, beside folder and port. */
  benchArgs?: readonly string[];
  /** Further variables of PM2, which the services inherit. */
  env?: Variables | ((folder: RuntimeFolder) => Variables);
  /** Done before anything of the rig is started. */
  prepare?: (folder: RuntimeFolder) => void;
}

export interface RigProcess {
  pid: number;
  parent: number;
  name: RigService;
}

/** A rig in a folder of its own: twins, PM2 and the services of PM2's file as they are shipped. */
export class SafetyRig {
  readonly folder: RuntimeFolder;
  readonly services: readonly RigService[];
  readonly bridgeUrl: string;
  readonly serverUrl: string;
  readonly benchUrl: string;
  readonly trace: TwinTrace;
  readonly #bench: Program;
  readonly #supervisor: Supervisor;
  readonly #runs = new Set<Program>();
  /** Of requests to services with a token. */
  readonly #headers: Record<string, string>;

  /** @throws Error when it is not up, with the last lines of its services */
  static async open(options: SafetyRigOptions = {}): Promise<SafetyRig> {
    const path = temporaryFolder('safety-');
    const benchArgs = ['--dir', join(path, 'bench'), '--port', '0', ...(options.benchArgs ?? [])];
    const bench = await launchReady('svc-bench', benchArgs);
    let rig: SafetyRig | undefined;
    try {
      rig = new SafetyRig(path, options, bench, await rigPorts(0));
      options.prepare?.(rig.folder);
      await rig.start();
      await rig.untilUp(UP_LIMIT_MS);
      return rig;
    } catch (cause) {
      await (rig ? rig.close() : end(bench));
      rmSync(path, { recursive: true, force: true });
      throw cause;
    }
  }

  private constructor(
    path: string,
    { services = RIG_SERVICES, env: given = {} }: SafetyRigOptions,
    bench: Program & { url: string },
    ports: RigPorts,
  ) {
    this.services = services;
    this.folder = runtimeFolder(root, path, root);
    const env = typeof given === 'function' ? given(this.folder) : given;
    this.#headers = env.SVC_API_TOKEN ? { authorization: `Bearer ${env.SVC_API_TOKEN}` } : {};
    this.#bench = bench;
    this.benchUrl = bench.url;
    this.bridgeUrl = `http://127.0.0.1:${ports['svc-bridge']}`;
    this.serverUrl = `http://127.0.0.1:${ports['svc-server']}`;
    const hasLung = services.includes('svc-lung');
    this.trace = new TwinTrace(join(this.folder.bench, 'trace.ndjson'), { lung: hasLung });
    createParts(this.folder);
    writeBenchConfig(this.folder, { ports, benchPort: Number(new URL(bench.url).port) });
    // The bench runs beside PM2 here: what strikes PM2 does not touch the witness.
    const settings = readFileSync(this.folder.settings, 'utf8');
    writeFileSync(this.folder.settings, settings.replace(/^RIG_BENCH_PORT=.*\n/m, ''));
    if (!hasLung) writeFileSync(this.folder.config, benchConfig(this.folder.bench));
    this.#supervisor = new Supervisor({
      installation: installation(join(root, 'src')),
      folder: this.folder,
      env: { ...supervisorEnvironment(process.env, this.folder), ...env },
      clock: systemClock,
    });
  }

  /** PM2 and what belongs under it; services that run stay as they are. */
  start(): Promise<void> {
    return this.#supervisor.start(this.services);
  }

  /** What a person would ask PM2: `stop svc-bridge`. */
  pm2(...args: string[]): Promise<unknown> {
    return this.#supervisor.ask(args);
  }

  /** `svcctl`, told of this rig. It gets no signal that the rig's own processes get. */
  svcctl(...args: string[]): Program {
    return this.#svcctl(args, {});
  }

  /** Clears an operator's stop; a bridge that is away, or still at it, is asked again. @throws Error after the limit */
  async clearStop(limitMs = UP_LIMIT_MS): Promise<void> {
    const until = systemClock.monotonic() + limitMs;
    for (;;) {
      const url = `${this.bridgeUrl}/api/v1/hardware/operator-stop/clear`;
      const answer = await fetch(url, { method: 'POST' }).then(
        async (response) => (response.ok ? undefined : await response.text()),
        messageOf,
      );
      if (answer === undefined) return;
      if (systemClock.monotonic() > until)
        throw new Error(`the stop is not cleared: ${answer}${this.lastWords()}`);
      await systemClock.sleep(POLL_MS);
    }
  }

  /** `svcctl stop`, told that the bridge of this rig listens at another address. */
  stopBy(bridgeUrl: string): Program {
    const told = { ...this.#settings(), SVC_FIRMWARE_URL: bridgeUrl };
    // What the rig's own settings name is its own bridge, for which its guard may act.
    const path = join(this.folder.path, 'elsewhere');
    mkdirSync(path, { recursive: true });
    const lines = Object.entries(told).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(path, basename(this.folder.settings)), lines.join(''));
    return this.#svcctl(['stop', '--json'], { ...told, RIG_RUNTIME_DIR: path });
  }

  #svcctl(args: string[], env: Readonly<Record<string, string>>): Program {
    const program = launch('svcctl', args, {
      ...this.#settings(),
      RIG_RUNTIME_DIR: this.folder.path,
      SVC_SCENARIO_DIR: join(root, 'scenarios'),
      ...env,
    });
    this.#runs.add(program);
    const gone = () => this.#runs.delete(program);
    program.ended.then(gone, gone);
    return program;
  }

  /** Living ones of the services. */
  processes(): RigProcess[] {
    return ownProcesses(this.folder, this.services).map(({ pid, role }) => {
      const parent = Number(/^PPid:\s+(\d+)$/m.exec(readProc(`/proc/${pid}/status`))?.[1]);
      return { pid, parent, name: role as RigService };
    });
  }

  /** What has to compute in time, the twins too. */
  computing(): { pid: number; name: string }[] {
    return [...this.processes(), { pid: this.#bench.pid, name: 'svc-bench' }];
  }

  /** Pids of PM2's daemon: one, or none. */
  daemons(): number[] {
    return ownProcesses(this.folder, ['pm2']).map(({ pid }) => pid);
  }

  /** Pid of one service. @throws Error when it does not run */
  pidOf(name: RigService): number {
    const found = this.processes().find((process) => process.name === name);
    if (!found) throw new Error(`${name} does not run${this.lastWords()}`);
    return found.pid;
  }

  knobs(device: BenchDeviceName, patch: Record<string, unknown>): Promise<void> {
    return this.#post(`/bench/v1/${device}/knobs`, 'PATCH', patch);
  }

  /** Spoils the next answers of a twin, one fault for each. */
  async faults(device: BenchDeviceName, faults: readonly Record<string, unknown>[]): Promise<void> {
    await this.#post(`/bench/v1/${device}/faults`, 'POST', { faults });
  }

  /** All twins as they are after their power came back: outputs off, knobs at rest. */
  cutPower(): Promise<void> {
    return this.#post('/bench/v1/reset', 'POST', {});
  }

  /** Coils that are on, and the pump, as the twins have them: empty when the rig is safe. */
  async outputsOn(): Promise<string[]> {
    const response = await fetch(`${this.benchUrl}/bench/v1/outputs`);
    const { coils, pump } = (await response.json()) as BenchOutputs;
    const on = coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : []));
    return pump.fraction > 0 ? [...on, `pump ${pump.duty}`] : on;
  }

  /** A short run that moves whatever the rig has. */
  prove(): Program {
    const file = join(this.folder.path, 'proof.oql');
    writeFileSync(file, this.services.includes('svc-lung') ? PROOF + LUNG_PROOF : PROOF);
    return this.svcctl('run', file, '--mode', 'execute', '--firmware-url', this.bridgeUrl);
  }

  /** Why the rig is not as it should be; undefined when all services are up under PM2 and all devices answer. */
  async whyNotUp(): Promise<string | undefined> {
    const daemons = this.daemons();
    if (daemons.length !== 1) return `${daemons.length} PM2 daemons`;
    const processes = this.processes();
    for (const name of this.services) {
      const found = processes.filter((process) => process.name === name);
      if (found.length !== 1) return `${found.length} processes of ${name}`;
      if (found[0]?.parent !== daemons[0]) return `${name} is not PM2's child`;
    }
    try {
      const response = await fetch(`${this.bridgeUrl}/api/v1/hardware/health`, {
        signal: AbortSignal.timeout(4000),
        headers: this.#headers,
      });
      const { components } = (await response.json()) as { components: Record<string, { status: string }> };
      const bad = Object.entries(components).filter(([, { status }]) => status !== 'ok');
      return bad.length === 0 ? undefined : `components: ${JSON.stringify(bad)}`;
    } catch (cause) {
      return `the bridge does not answer: ${messageOf(cause)}`;
    }
  }

  /** @returns milliseconds it took. @throws Error with the reason after the limit */
  async untilUp(limitMs: number): Promise<number> {
    const startedAt = systemClock.monotonic();
    for (;;) {
      const why = await this.whyNotUp();
      const tookMs = systemClock.monotonic() - startedAt;
      if (why === undefined) return tookMs;
      if (tookMs > limitMs)
        throw new Error(`the rig is not up after ${limitMs} ms: ${why}${this.lastWords()}`);
      await systemClock.sleep(POLL_MS);
    }
  }

  /** Until the guard that PM2 looks after has a partner that stands by. @throws Error after the limit */
  async untilPartner(): Promise<void> {
    const until = systemClock.monotonic() + UP_LIMIT_MS;
    for (;;) {
      const log = readFileSync(join(this.folder.logs, 'svc-guard.err.log'), 'utf8').split('\n');
      const [partner] = ownProcesses(this.folder, ['svc-guard-partner']);
      const standsBy = (line: string) =>
        line.includes(`"pid":${partner?.pid},`) && line.includes('takes over when it ends');
      if (partner && log.some(standsBy)) return;
      if (systemClock.monotonic() > until) throw new Error(`the guard has no partner${this.lastWords()}`);
      await systemClock.sleep(POLL_MS);
    }
  }

  /** Until no one has a lease. @throws Error after the limit */
  async untilFree(limitMs: number): Promise<void> {
    const until = systemClock.monotonic() + limitMs;
    for (;;) {
      const answer = await fetch(`${this.bridgeUrl}/api/v1/lease`);
      const { held, owner } = (await answer.json()) as { held: boolean; owner: string | null };
      if (!held) return;
      if (systemClock.monotonic() > until)
        throw new Error(`the lease of ${owner} has not ended within ${limitMs} ms`);
      await systemClock.sleep(POLL_MS);
    }
  }

  /** What systemd does when PM2, the main process of its unit, has died: the rest of its control group is ended. */
  endControlGroup(): Promise<void> {
    return endOwnProcesses(this.folder, systemClock, [...this.services, 'svc-guard-partner']);
  }

  /** Last lines of the services, as the end of a message. */
  lastWords(): string {
    const lines = this.services.flatMap((name) => {
      const path = join(this.folder.logs, `${name}.err.log`);
      return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').slice(-6) : [];
    });
    return lines.length === 0 ? '' : `\n${lines.join('\n')}`;
  }

  async #post(path: string, method: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(this.benchUrl + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  }

  /** What the services get from PM2's file: svcctl meets the same rig. */
  #settings(): Record<string, string> {
    const lines = readFileSync(this.folder.settings, 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map(pair));
  }

  /** @param how SIGKILL: at once, also what is frozen */
  async close(how: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    for (const run of this.#runs) await end(run, how);
    // PM2 and the guards start others as long as they are there.
    const left = () => (how === 'SIGKILL' ? ownProcesses(this.folder) : []);
    for (let found = left(); found.length > 0; found = left()) {
      for (const { pid } of found) killNow(pid);
      await systemClock.sleep(POLL_MS);
    }
    await endOwnProcesses(this.folder, systemClock);
    await end(this.#bench);
    this.trace.close();
    rmSync(this.folder.path, { recursive: true, force: true });
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function pair(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}
