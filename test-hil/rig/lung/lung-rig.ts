import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEntry } from '../../../src/bench/trace/trace-log.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launch, launchReady, type Program } from '../bench/program.ts';

export type Body = Record<string, unknown>;
export type RunningProgram = Program & { url: string };

const POLL_MS = 20;

export interface Answer {
  status: number;
  type: string | null;
  body: Body;
}

/** A run that goes on for as long as any test looks at it: 1000 step/s, far out. */
export const LONG = { steps: 1_000_000, speed: 10_000_000, cycles: 1, pause: 0 };
/** A run that is over soon: about 0.4 s. */
export const SHORT = { steps: 10, speed: 10_000_000, cycles: 1, pause: 0 };

/** The twin of the Tic as a process, and svc-lung and bridges on it as processes. The twin's trace is the witness. */
export class LungRig {
  readonly folder: string;
  readonly #bench: RunningProgram;
  readonly #programs: Program[] = [];

  static async open(): Promise<LungRig> {
    const folder = temporaryFolder('lung-rig-');
    const args = ['--dir', join(folder, 'bench'), '--port', '0', '--only', 'tic'];
    return new LungRig(folder, await launchReady('svc-bench', args));
  }

  private constructor(folder: string, bench: RunningProgram) {
    this.folder = folder;
    this.#bench = bench;
  }

  get address(): string {
    return `bench:${join(this.folder, 'bench', 'tic.sock')}`;
  }

  get env(): Record<string, string> {
    return {
      SVC_CONFIG_PATH: '/dev/null',
      SVC_HARDWARE_MODE: 'real',
      SVC_LUNG_ADDRESS: this.address,
      SVC_STATE_DIR: this.stateDir,
    };
  }

  /** Of this rig alone: programs that share it belong together. */
  get stateDir(): string {
    return join(this.folder, 'state');
  }

  /** svc-lung on a free port. */
  async start(env: Record<string, string> = {}, port = 0): Promise<RunningProgram> {
    const args = ['--port', String(port)];
    const program = await launchReady('svc-lung', args, { ...this.env, ...env });
    this.#programs.push(program);
    return program;
  }

  /** svc-lung that may end at once. */
  launch(args: string[] = ['--port', '0'], env: Record<string, string> = {}): Program {
    const program = launch('svc-lung', args, { ...this.env, ...env });
    this.#programs.push(program);
    return program;
  }

  /** A bridge in real mode. @param plugin entry of `lung-motor` */
  async bridge(plugin: string): Promise<RunningProgram> {
    const yaml = join(this.folder, 'svc.yaml');
    writeFileSync(yaml, `plugins: {lung-motor: ${plugin}}\n`);
    const env = { SVC_CONFIG_PATH: yaml, SVC_HARDWARE_MODE: 'real', SVC_STATE_DIR: this.stateDir };
    const program = await launchReady('svc-bridge', ['--port', '0'], env);
    this.#programs.push(program);
    return program;
  }

  async turn(knobs: Body): Promise<void> {
    const { status, body } = await call(this.#bench.url, 'PATCH /bench/v1/tic/knobs', knobs);
    if (status !== 200) throw new Error(`knobs of tic: ${JSON.stringify(body)}`);
  }

  /** The motor in truth, whatever was reported. */
  async motor(): Promise<{ position: number; velocity: number; energized: boolean }> {
    const { body } = await call(this.#bench.url, 'GET /bench/v1/outputs');
    return body.lung as { position: number; velocity: number; energized: boolean };
  }

  async isSafe(): Promise<boolean> {
    const { velocity, energized } = await this.motor();
    return velocity === 0 && !energized;
  }

  /** Number of the newest entry of the trace. */
  mark(): number {
    return this.#trace().at(-1)?.n ?? 0;
  }

  /** Commands that the twin was sent after `mark`, by their number, reads and keep-alive left out. */
  commands(mark = 0): string[] {
    return this.#trace().flatMap(({ n, kind, bytes }) => {
      const match = n > mark && kind === 'in' ? /^40 (..)/.exec(bytes ?? '') : null;
      return match?.[1] === undefined || QUIET.has(match[1]) ? [] : [match[1]];
    });
  }

  /** Milliseconds from the last command of any kind to the moment when the shaft stood still by itself. */
  standstillAfterSilenceMs(): number {
    const entries = this.#trace();
    const still = entries.findLast(({ kind, velocity }) => kind === 'motion' && velocity === 0);
    if (!still) return Number.NaN;
    const heard = entries.findLast((entry) => entry.kind === 'in' && entry.n < still.n);
    return still.at_ms - (heard?.at_ms ?? Number.NaN);
  }

  #trace(): TraceEntry[] {
    const lines = readFileSync(join(this.folder, 'bench', 'trace.ndjson'), 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TraceEntry);
  }

  async close(): Promise<void> {
    for (const program of this.#programs.reverse()) await end(program);
    await end(this.#bench);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Reset command timeout, exit safe start: sent all the time while it moves. */
const QUIET = new Set(['8C', '83']);

export async function onLungRig(work: (rig: LungRig) => Promise<void>): Promise<void> {
  const rig = await LungRig.open();
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

/** Sends one request, for example `call(url, 'POST /api/lung', {...})`. */
export async function call(
  url: string,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Body,
  };
}

/** Resolves when `isTrue` does; the test's own time-out bounds it. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await systemClock.sleep(POLL_MS);
}
