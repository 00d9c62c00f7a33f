import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { RunEvent } from '../../../src/scenario/events/event.ts';
import { BenchRig, type BenchRigOptions } from '../bench/bench-rig.ts';
import { end, launch, launchReady, type Program } from '../bench/program.ts';

const POLL_MS = 20;

export type Service = Program & { url: string };
export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** Pump and valve on for a minute; the teardown opens a second valve, so that the twins report whether it ran. */
export const HOLDING = `SCENARIO: Hold
GOAL:
  SET NAME 'Hold'
  SET valve-nc open
  SET pump 20 %
  WAIT 60s

CONFIG teardown:
  SET valve-sc open
  WAIT 200ms
  SET valve-sc close
  SET pump 0 %
  SET valve-nc close
`;

export const QUICK =
  "SCENARIO: Quick\nDEVICE_TYPE: Mask\nGOAL:\n  SET NAME 'One reading'\n  CHECK AI01 >= 0 V\n";

/** Many events and no real time in a dry-run. */
export const MANY = `GOAL:
  SET NAME 'Many'
  REPEAT 200:
    REPEAT 100:
      WAIT 1ms
    REPEAT STOP
  REPEAT STOP
  CHECK AI01 >= 0 V
`;

/** Bench, bridge and API server as processes; scenarios and records in a folder of their own. */
export class ServerRig {
  readonly bench: BenchRig;
  readonly #programs: Program[] = [];
  server: Service;
  #isMock = false;

  static async open(
    scenarios: Readonly<Record<string, string>>,
    options: BenchRigOptions = {},
  ): Promise<ServerRig> {
    const bench = await BenchRig.open(options);
    const folder = join(bench.folder, 'scenarios');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(scenarios)) writeFileSync(join(folder, `${name}.oql`), text);
    try {
      return new ServerRig(bench, await launchReady('svc-server', ['--port', '0'], environment(bench)));
    } catch (thrown) {
      await bench.close();
      throw thrown;
    }
  }

  private constructor(bench: BenchRig, server: Service) {
    this.bench = bench;
    this.server = server;
    this.#programs.push(server);
  }

  get runsFolder(): string {
    return join(this.bench.folder, 'state', 'runs');
  }

  /** The server anew, on the same records. */
  async restart(env: Readonly<Record<string, string>> = {}, args = ['--port', '0']): Promise<void> {
    this.#isMock = env.SVC_HARDWARE_MODE === 'mock';
    this.server = await launchReady('svc-server', args, { ...environment(this.bench), ...env });
    this.#programs.push(this.server);
  }

  /** A server that may end at once. */
  launch(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    const program = launch('svc-server', args, { ...environment(this.bench), ...env });
    this.#programs.push(program);
    return program;
  }

  ask(line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return ask(this.server, line, this.#isMock ? body : unguarded(line, body), headers);
  }

  /** Begins a run. @returns its id */
  async begin(scenario: string, body: Json = {}): Promise<string> {
    const answer = await this.ask(`POST /api/scenarios/${scenario}/run`, body);
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
    return String(answer.body.run_id);
  }

  async run(id: string): Promise<Json> {
    return (await this.ask(`GET /api/runs/${id}`)).body;
  }

  async untilEnded(id: string): Promise<Json> {
    for (;;) {
      const run = await this.run(id);
      if (run.ended_at !== null) return run;
      await systemClock.sleep(POLL_MS);
    }
  }

  /** Until pump and valve of {@link HOLDING} are on. */
  untilHolding(): Promise<void> {
    return this.bench.untilOutputs((on) => on.includes('coil 0') && on.includes('pump 51'));
  }

  async leaseHeld(): Promise<boolean> {
    return ((await this.bench.get('/api/v1/lease')) as { held: boolean }).held;
  }

  recorded(id: string): RunEvent[] {
    return readFileSync(join(this.runsFolder, id, 'events.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent);
  }

  files(id: string): string[] {
    return readdirSync(join(this.runsFolder, id)).sort();
  }

  async close(): Promise<void> {
    for (const program of this.#programs.reverse()) await end(program);
    await this.bench.close();
  }
}

/** A run in execute mode is asked for on a bridge that no guard watches; one of another mode needs none. */
function unguarded(line: string, body: unknown): unknown {
  const isRun = /^POST \S+\/run(\?|$)/.test(line) && typeof body === 'object' && body !== null;
  if (!isRun || ('mode' in body && body.mode !== 'execute')) return body;
  return { without_guard: true, ...body };
}

function environment(bench: BenchRig): Record<string, string> {
  return {
    SVC_CONFIG_PATH: bench.config,
    SVC_HARDWARE_MODE: 'real',
    SVC_FIRMWARE_URL: bench.bridge.url,
    SVC_STATE_DIR: join(bench.folder, 'state'),
    SVC_SCENARIO_DIR: join(bench.folder, 'scenarios'),
  };
}

/** One request, for example `ask(server, 'POST /api/runs/x/abort')`. */
export async function ask(
  { url }: { url: string },
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}

export async function onServerRig(
  scenarios: Readonly<Record<string, string>>,
  work: (rig: ServerRig) => Promise<void>,
  options: BenchRigOptions = {},
): Promise<void> {
  const rig = await ServerRig.open(scenarios, options);
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}
