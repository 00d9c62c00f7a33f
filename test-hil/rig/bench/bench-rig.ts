import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BenchDeviceName, BenchOutputs } from '../../../src/bench/bench.ts';
import type { TraceEntry } from '../../../src/bench/trace/trace-log.ts';
import { benchConfig } from '../../../src/cli/start/bench-config.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launch, launchReady, type Program, root } from './program.ts';

const POLL_MS = 20;
/** For runs on a bridge that no guard watches. */
export const WITHOUT_GUARD = '--without-guard';

export interface BenchRigOptions {
  /** Added to `svc.yaml`. */
  config?: string;
  /** Optional devices of the bench that are plugged in. */
  with?: readonly BenchDeviceName[];
  /** `svc.yaml` in place of that of the whole bench. @param twins folder of the twins' links and sockets */
  svcYaml?: (twins: string) => string;
  /** Turned before the bridge opens the devices. */
  knobs?: Partial<Record<BenchDeviceName, Record<string, unknown>>>;
  /** Of the bridge. */
  env?: Record<string, string>;
}

/** Bench and bridge as processes on free ports, in a folder of their own. The twins' trace is the witness. */
export class BenchRig {
  readonly folder: string;
  readonly config: string;
  readonly #bench: Program & { url: string };
  readonly #programs: Program[];
  bridge: Program & { url: string };

  static async open(options: BenchRigOptions = {}): Promise<BenchRig> {
    const { config = '', svcYaml = benchConfig, knobs = {}, env = {} } = options;
    const folder = temporaryFolder('rig-');
    const twins = join(folder, 'bench');
    const yaml = join(folder, 'svc.yaml');
    writeFileSync(yaml, svcYaml(twins) + config);
    const plugged = options.with ? ['--with', options.with.join(',')] : [];
    const bench = await launchReady('svc-bench', ['--dir', twins, '--port', '0', ...plugged]);
    for (const [device, patch] of Object.entries(knobs)) await turn(bench.url, device, patch);
    const bridge = await startBridge(yaml, env);
    return new BenchRig(folder, yaml, bench, bridge);
  }

  private constructor(
    folder: string,
    config: string,
    bench: Program & { url: string },
    bridge: Program & { url: string },
  ) {
    this.folder = folder;
    this.config = config;
    this.#bench = bench;
    this.bridge = bridge;
    this.#programs = [bridge];
  }

  knobs(device: BenchDeviceName, patch: Record<string, unknown>): Promise<void> {
    return turn(this.#bench.url, device, patch);
  }

  get benchUrl(): string {
    return this.#bench.url;
  }

  /** All twins as they are after their power came back: outputs off, knobs at rest. */
  async cutPower(): Promise<void> {
    const response = await fetch(`${this.#bench.url}/bench/v1/reset`, { method: 'POST' });
    if (!response.ok) throw new Error(`reset of the bench: ${await response.text()}`);
  }

  /** Another bridge on the same devices. */
  async secondBridge(): Promise<Program & { url: string }> {
    const bridge = await startBridge(this.config, {});
    this.#programs.push(bridge);
    return bridge;
  }

  /** `svcctl`, told of this rig. No guard watches its bridge. */
  svcctl(args: readonly string[]): Program {
    const unguarded = args[0] === 'cmd' || args.includes('execute') ? [WITHOUT_GUARD] : [];
    const program = launch('svcctl', [...args, ...unguarded, '--firmware-url', this.bridge.url], {
      SVC_CONFIG_PATH: this.config,
      SVC_STATE_DIR: this.folder,
      SVC_SCENARIO_DIR: join(root, 'scenarios'),
    });
    this.#programs.push(program);
    return program;
  }

  /** Writes a scenario into the rig's folder and executes it. */
  execute(text: string, args: readonly string[] = []): Program {
    const file = join(this.folder, `scenario-${this.#programs.length}.oql`);
    writeFileSync(file, text);
    return this.svcctl(['run', file, '--mode', 'execute', ...args]);
  }

  /** What the twins saw, read from the file that outlives them. */
  trace(): TraceEntry[] {
    const lines = readFileSync(join(this.folder, 'bench', 'trace.ndjson'), 'utf8')
      .trim()
      .split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TraceEntry);
  }

  /** Each move of an output, in order: `coil 0 on`, `pump 51`, `pump off`. */
  moves(): string[] {
    return this.trace().flatMap(moveText);
  }

  /** The outputs as the twins have them, whatever they answered. */
  async outputs(): Promise<BenchOutputs> {
    return (await getJson(`${this.#bench.url}/bench/v1/outputs`)) as BenchOutputs;
  }

  /** Coils that are on, and the pump: empty when the rig is safe. */
  async outputsOn(): Promise<string[]> {
    const { coils, pump } = await this.outputs();
    const on = coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : []));
    return pump.fraction > 0 ? [...on, `pump ${pump.duty}`] : on;
  }

  /** Resolves when the twins' outputs satisfy `wanted`. The test's own time-out bounds it. */
  async untilOutputs(wanted: (on: string[]) => boolean): Promise<void> {
    while (!wanted(await this.outputsOn())) await systemClock.sleep(POLL_MS);
  }

  get(path: string): Promise<unknown> {
    return getJson(this.bridge.url + path);
  }

  /** Ends runs and bridges, then the bench; the folder is gone afterwards. */
  async close(): Promise<void> {
    for (const program of this.#programs.reverse()) await end(program);
    await end(this.#bench);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function startBridge(config: string, env: Record<string, string>) {
  return launchReady('svc-bridge', ['--port', '0'], {
    SVC_CONFIG_PATH: config,
    SVC_HARDWARE_MODE: 'real',
    SVC_STATE_DIR: dirname(config),
    ...env,
  });
}

async function turn(url: string, device: string, patch: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${url}/bench/v1/${device}/knobs`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(patch),
  });
  if (!response.ok) throw new Error(`knobs of ${device}: ${await response.text()}`);
}

export async function getJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

function moveText({ kind, coil, on, duty, enabled }: TraceEntry): string[] {
  if (kind === 'coil') return [`coil ${coil} ${on ? 'on' : 'off'}`];
  if (kind === 'drive') return [enabled ? `pump ${duty}` : 'pump off'];
  return [];
}
