import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOutputs } from '../../../src/bench/bench.ts';
import type { TraceEntry } from '../../../src/bench/trace/trace-log.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launch, launchReady, type Program } from '../bench/program.ts';

const POLL_MS = 20;

export type Service = Program & { url: string };

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The twins of pump and valves as one process, and the built services on them. The twins' trace is the witness. */
export class PumpRig {
  readonly folder: string;
  readonly #bench: Service;
  readonly #programs: Program[] = [];
  #seen = 0;

  static async open(): Promise<PumpRig> {
    const folder = temporaryFolder('pump-rig-');
    const args = ['--dir', join(folder, 'bench'), '--port', '0', '--only', 'pump,modbus-io'];
    return new PumpRig(folder, await launchReady('svc-bench', args));
  }

  private constructor(folder: string, bench: Service) {
    this.folder = folder;
    this.#bench = bench;
  }

  /** Where the pump's twin is. */
  get pumpPort(): string {
    return join(this.folder, 'bench', 'pump');
  }

  /** Variables of svc-pump. Holds may be so long that none of them ends a test. */
  get env(): Record<string, string> {
    const config = join(this.folder, 'pump.yaml');
    writeFileSync(config, 'limits: {pump: {max_hold_s: 3600}}\n');
    return {
      SVC_CONFIG_PATH: config,
      SVC_HARDWARE_MODE: 'real',
      SVC_STATE_DIR: join(this.folder, 'state'),
      SVC_PUMP_SERIAL_PORT: this.pumpPort,
    };
  }

  /** @param port any free one without it */
  async pump(env: Record<string, string> = {}, port = '0'): Promise<Service> {
    return this.#kept(await launchReady('svc-pump', ['--port', port], { ...this.env, ...env }));
  }

  /** A svc-pump that may end at once. */
  launch(args: string[], env: Record<string, string> = {}): Program {
    return this.#kept(launch('svc-pump', args, { ...this.env, ...env }));
  }

  /** A bridge that drives the valves, and the pump through the service at `url`. */
  async bridge(url: string): Promise<Service> {
    const config = join(this.folder, 'svc.yaml');
    const valves = JSON.stringify(join(this.folder, 'bench', 'modbus-io'));
    writeFileSync(
      config,
      `plugins:
  modbus-io: { connection_type: modbus-rtu, connection_params: { serial_port: ${valves} } }
  pump-motor: { connection_type: http, connection_params: { base_url: "${url}" } }
`,
    );
    const env = {
      SVC_CONFIG_PATH: config,
      SVC_HARDWARE_MODE: 'real',
      SVC_STATE_DIR: join(this.folder, 'state'),
    };
    return this.#kept(await launchReady('svc-bridge', ['--port', '0'], env));
  }

  async turn(knobs: Record<string, unknown>): Promise<void> {
    const response = await fetch(`${this.#bench.url}/bench/v1/pump/knobs`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(knobs),
    });
    if (!response.ok) throw new Error(`knobs of pump: ${await response.text()}`);
  }

  /** What the pump does in truth: its duty while it is enabled, else 0. */
  async duty(): Promise<number> {
    const { duty, enabled } = await this.#drive();
    return enabled ? duty : 0;
  }

  /** Resolves when the pump has duty 0 and is disabled. The test's own time-out bounds it. */
  async untilStopped(): Promise<void> {
    for (;;) {
      const { duty, enabled } = await this.#drive();
      if (duty === 0 && !enabled) return;
      await systemClock.sleep(POLL_MS);
    }
  }

  /** What the pump's twin saw since the last call: `duty 51`, `enable 1` as written, `drive 51 on` as moved. */
  seen(): string[] {
    const text = readFileSync(join(this.folder, 'bench', 'trace.ndjson'), 'utf8').trim();
    const entries = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as TraceEntry);
    const fresh = entries.filter(({ n }) => n > this.#seen);
    this.#seen = fresh.at(-1)?.n ?? this.#seen;
    return fresh.flatMap(seenText);
  }

  async close(): Promise<void> {
    await this.turn({ silent: false, unplugged: false });
    for (const program of this.#programs.reverse()) await end(program);
    await end(this.#bench);
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #drive(): Promise<BenchOutputs['pump']> {
    const response = await fetch(`${this.#bench.url}/bench/v1/outputs`);
    return ((await response.json()) as BenchOutputs).pump;
  }

  #kept<P extends Program>(program: P): P {
    this.#programs.push(program);
    return program;
  }
}

export async function onPumpRig(work: (rig: PumpRig) => Promise<void>): Promise<void> {
  const rig = await PumpRig.open();
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

/** One request, for example `ask(pump, 'POST /api/speed', { power_pct: 20 })`. */
export async function ask({ url }: { url: string }, line: string, body?: unknown): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Resolves when health says that all is well. */
export async function untilWell(pump: { url: string }): Promise<void> {
  while ((await ask(pump, 'GET /health?wait_ms=2500')).body.ok !== true) await systemClock.sleep(POLL_MS);
}

const REGISTERS: Readonly<Record<string, string>> = { '06': 'duty', '07': 'prescaler', '08': 'enable' };

function seenText({ device, kind, bytes, duty, enabled }: TraceEntry): string[] {
  if (device !== 'pump') return [];
  if (kind === 'drive') return [`drive ${duty} ${enabled ? 'on' : 'off'}`];
  const [, register, value] = (kind === 'in' && /^32 06 00 (..) 00 (..)/.exec(bytes ?? '')) || [];
  return register === undefined ? [] : [`${REGISTERS[register]} ${Number.parseInt(value ?? '', 16)}`];
}
