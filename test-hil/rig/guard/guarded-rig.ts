import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchDeviceName, BenchOutputs } from '../../../src/bench/bench.ts';
import type { TraceEntry } from '../../../src/bench/trace/trace-log.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { GuardReport } from '../../../src/rig/guard/guard-report.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launch, launchReady, type Program, root } from '../bench/program.ts';

const POLL_MS = 10;
/** CI may be ten times slower than the required bounds. */
const SAFE_LIMIT_MS = 30_000;

export type Service = Program & { url: string };

/** Twins, a bridge and a guard as processes on free ports, with a state folder of their own. PM2 is absent. */
export class GuardedRig {
  readonly folder: string;
  readonly stateDir: string;
  readonly env: Record<string, string>;
  readonly #bench: Service;
  readonly #programs: Program[] = [];

  /** @param config of svc.yaml; by default all devices are on the bridge's own ports */
  static async open(config?: (twins: string) => string): Promise<GuardedRig> {
    const folder = temporaryFolder('guard-');
    const twins = join(folder, 'bench');
    writeFileSync(join(folder, 'svc.yaml'), (config ?? directConfig)(twins));
    const bench = await launchReady('svc-bench', ['--dir', twins, '--port', '0']);
    return new GuardedRig(folder, bench);
  }

  private constructor(folder: string, bench: Service) {
    this.folder = folder;
    this.stateDir = join(folder, 'state');
    mkdirSync(this.stateDir);
    this.#bench = bench;
    this.env = {
      SVC_CONFIG_PATH: join(folder, 'svc.yaml'),
      SVC_HARDWARE_MODE: 'real',
      SVC_STATE_DIR: this.stateDir,
      RIG_RUNTIME_DIR: folder,
      SVC_GUARD_PORT: '0',
      // Each process of a test is one that the test has started.
      SVC_GUARD_PARTNER: '0',
    };
  }

  /** Writes svc.yaml anew, for the programs that start afterwards. */
  configure(config: string): void {
    writeFileSync(join(this.folder, 'svc.yaml'), config);
  }

  twin(name: string): string {
    return join(this.folder, 'bench', name);
  }

  async service(name: string, env: Record<string, string> = {}, args = ['--port', '0']): Promise<Service> {
    const program = await launchReady(name, args, { ...this.env, ...env });
    this.#programs.push(program);
    return program;
  }

  bridge(env: Record<string, string> = {}): Promise<Service> {
    return this.service('svc-bridge', env);
  }

  /** A bridge that has its devices, which the guard may have had in the place of the one before. */
  async settledBridge(running?: Service): Promise<Service> {
    const bridge = running ?? (await this.bridge());
    for (;;) {
      const health = (await (await fetch(`${bridge.url}/health`)).json()) as Record<string, unknown>;
      const { running } = (health.safe_state ?? {}) as { running?: boolean };
      if (health.healthy === true && running === false) return bridge;
      await systemClock.sleep(POLL_MS);
    }
  }

  async guard(env: Record<string, string> = {}): Promise<Program> {
    const guard = this.launch('svc-guard', [], env);
    await guard.until('"ready":true');
    return guard;
  }

  /** A guard that already watches the bridge. */
  async guardOf(bridge: Program): Promise<Program> {
    const guard = await this.guard();
    await guard.until(`watching svc-bridge (pid ${bridge.pid})`);
    return guard;
  }

  launch(name: string, args: readonly string[], env: Record<string, string> = {}): Program {
    const program = launch(name, args, { ...this.env, ...env });
    this.#programs.push(program);
    return program;
  }

  svcctl(args: readonly string[], env: Record<string, string> = {}): Program {
    return this.launch('svcctl', args, { SVC_SCENARIO_DIR: join(root, 'scenarios'), ...env });
  }

  /** Pump at 40 % and valves 1 and 3 open. */
  async actuate(bridge: Service): Promise<void> {
    for (const path of ['valve/valve-1?value=true', 'valve/valve-3?value=true', 'pump?power_pct=40']) {
      for (;;) {
        const response = await fetch(`${bridge.url}/api/v1/hardware/${path}`, { method: 'POST' });
        if (response.ok) break;
        const text = await response.text();
        // A device that a loaded machine had no time to answer for has come back, and is made safe first.
        if (!text.includes('safe_state_in_progress')) throw new Error(`${path}: ${text}`);
        await systemClock.sleep(POLL_MS);
      }
    }
  }

  async knobs(device: BenchDeviceName, patch: Record<string, unknown>): Promise<void> {
    const response = await fetch(`${this.#bench.url}/bench/v1/${device}/knobs`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(patch),
    });
    if (!response.ok) throw new Error(`knobs of ${device}: ${await response.text()}`);
  }

  /** All twins as they are after their power came back: outputs off, knobs at rest. */
  async cutPower(): Promise<void> {
    const response = await fetch(`${this.#bench.url}/bench/v1/reset`, { method: 'POST' });
    if (!response.ok) throw new Error(`reset of the bench: ${await response.text()}`);
  }

  /** An empty state folder, for the programs that start afterwards. */
  forget(): void {
    rmSync(this.stateDir, { recursive: true, force: true });
    mkdirSync(this.stateDir);
  }

  async outputs(): Promise<BenchOutputs> {
    return (await (await fetch(`${this.#bench.url}/bench/v1/outputs`)).json()) as BenchOutputs;
  }

  /** What is on: empty when nothing moves and no valve is open. */
  async outputsOn(): Promise<string[]> {
    const { coils, pump, lung } = await this.outputs();
    const on = coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : []));
    if (pump.fraction > 0) on.push(`pump ${pump.duty}`);
    if (lung.velocity !== 0) on.push('lung');
    return on;
  }

  /** Resolves when the twins' outputs satisfy `wanted`. The test's own time-out bounds it. */
  async untilOutputs(wanted: (on: string[]) => boolean): Promise<void> {
    while (!wanted(await this.outputsOn())) await systemClock.sleep(POLL_MS);
  }

  /** Milliseconds until the twins' outputs are all off. */
  async untilSafe(): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const on = await this.outputsOn();
      const tookMs = performance.now() - startedAt;
      if (on.length === 0) return tookMs;
      if (tookMs > SAFE_LIMIT_MS) throw new Error(`still on after ${SAFE_LIMIT_MS} ms: ${on.join(', ')}`);
      await systemClock.sleep(POLL_MS);
    }
  }

  trace(): TraceEntry[] {
    const text = readFileSync(join(this.folder, 'bench', 'trace.ndjson'), 'utf8').trim();
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as TraceEntry]));
  }

  /** Each move of an output, in order. */
  moves(): string[] {
    return this.trace().flatMap(({ kind, coil, on, duty, enabled, velocity, energized }) => {
      if (kind === 'coil') return [`coil ${coil} ${on ? 'on' : 'off'}`];
      if (kind === 'drive') return [`pump ${duty} ${enabled ? 'on' : 'off'}`];
      if (kind === 'motion') return [`lung ${velocity} ${energized ? 'on' : 'off'}`];
      return [];
    });
  }

  /** The report that the guard keeps. */
  report(): GuardReport {
    return JSON.parse(readFileSync(join(this.stateDir, 'guard-last.json'), 'utf8')) as GuardReport;
  }

  /** Ends everything that was started, in order, then the twins. */
  async close(): Promise<void> {
    for (const program of this.#programs.reverse()) await end(program, 'SIGKILL');
    await end(this.#bench);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A safe state as the guard's log tells it. The kept report may be that of a later one. */
export interface ToldSafeState {
  reason: string;
  killed: string[];
  /** For example `pump_zero done`. */
  steps: string[];
}

export function safeStatesOf(guard: Program): ToldSafeState[] {
  let steps: string[] = [];
  return guard
    .text()
    .split('\n')
    .flatMap((line): ToldSafeState[] => {
      if (!line.startsWith('{') || !line.endsWith('}')) return [];
      const { step, status, reason, killed } = JSON.parse(line) as Record<string, unknown>;
      if (typeof step === 'string') steps.push(`${step} ${String(status)}`);
      if (!Array.isArray(killed)) return [];
      const told = { reason: String(reason), killed: killed.map(String), steps };
      steps = [];
      return [told];
    });
}

/** @param twins folder of the twins' links and sockets */
export function directConfig(twins: string): string {
  const rtu = (name: string) =>
    `{ connection_type: modbus-rtu, connection_params: { serial_port: ${JSON.stringify(join(twins, name))} } }`;
  const tic = JSON.stringify(`bench:${join(twins, 'tic.sock')}`);
  return `plugins:
  modbus-io: ${rtu('modbus-io')}
  pump-motor: ${rtu('pump')}
  lung-motor: { connection_type: usb, connection_params: { address: ${tic} } }
`;
}

export async function onGuardedRig(
  work: (rig: GuardedRig) => Promise<void>,
  config?: (twins: string) => string,
): Promise<void> {
  const rig = await GuardedRig.open(config);
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}
