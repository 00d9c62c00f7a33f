import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { Bench } from '../../bench/bench.ts';
import type { TraceEntry } from '../../bench/trace/trace-log.ts';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { startDeviceService } from '../../rig/service/device-service.ts';
import type { RunningProgram } from '../../rig/service/program.ts';
import { pumpService } from '../../services/pump/pump-service.ts';

export type Body = Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

export interface TestPump extends RunningProgram {
  lines: string[];
  /** Sends one request, for example `call('POST /api/speed', { power_pct: 20 })`. A text is sent as it is. */
  call(line: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface TestPumpOptions {
  clock?: Clock;
  opened?: boolean;
  port?: number;
  /** `svc.yaml`. Default: holds of an hour, so that no test is ended by one. */
  yaml?: string;
}

const LONG_HOLDS = 'limits: {pump: {max_hold_s: 3600}}';

/** The service on a free port of this process; its end is the caller's to make. */
export async function startTestPump(
  env: Record<string, string> = {},
  { clock = systemClock, opened = true, port = 0, yaml = LONG_HOLDS }: TestPumpOptions = {},
): Promise<TestPump> {
  const lines: string[] = [];
  const running = await startDeviceService(pumpService, {
    env,
    config: mergeConfig(parseConfig(yaml, 'svc.yaml'), env),
    bind: { host: '127.0.0.1', port },
    clock,
    logger: collecting(lines),
  });
  if (opened) await running.open?.();
  return { ...running, lines, call: (line, body, headers) => call(running.url, line, body, headers) };
}

/** The pump's twin behind a pseudo-terminal of its own, and services on it in real mode. */
export class PumpBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-pump-'));
  readonly bench = new Bench({ folder: this.folder, only: ['pump'] });
  readonly #services: TestPump[] = [];
  #seen = 0;

  static async open(): Promise<PumpBench> {
    const made = new PumpBench();
    await made.bench.open();
    return made;
  }

  async start(env: Record<string, string> = {}, options: TestPumpOptions = {}): Promise<TestPump> {
    const real = { SVC_HARDWARE_MODE: 'real', SVC_PUMP_SERIAL_PORT: this.port };
    const service = await startTestPump({ ...real, ...env }, options);
    this.#services.push(service);
    return service;
  }

  /**
   * A name of its own for the port of the twin: a port that is not there is locked by its base name, and rigs that run
   * beside each other must not meet.
   */
  get port(): string {
    const port = join(this.folder, `pump-${basename(this.folder)}`);
    if (!lstatSync(port, { throwIfNoEntry: false })) symlinkSync(this.bench.addresses.pump, port);
    return port;
  }

  turn(knobs: Record<string, unknown>): Promise<unknown> {
    return this.bench.setKnobs('pump', knobs);
  }

  /** What the twin's drive did since the last call, in order. */
  moves(): string[] {
    return this.#new().flatMap(({ kind, duty, enabled }) =>
      kind === 'drive' ? [`${duty} ${enabled ? 'on' : 'off'}`] : [],
    );
  }

  /** Registers that were written since the last call, in order: `6=51` is duty 51, `8=1` enable. */
  writes(): string[] {
    return this.#new().flatMap(writeText);
  }

  #new(): TraceEntry[] {
    const entries = this.bench.trace('pump').filter(({ n }) => n > this.#seen);
    this.#seen = entries.at(-1)?.n ?? this.#seen;
    return entries;
  }

  async close(): Promise<void> {
    await this.bench.reset();
    await Promise.all(this.#services.map((service) => service.shutDown('test_end')));
    await this.bench.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs `work` on a twin of its own. */
export async function onPumpBench(work: (rig: PumpBench) => Promise<void>): Promise<void> {
  const rig = await PumpBench.open();
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

/** Resolves when `isTrue` does; the test's own time-out bounds it. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await systemClock.sleep(10);
}

/** The seven members of each failure, and `errors` of a 422. */
export function isProblem({ status, headers, body }: Answer, expected: [number, string, string]): void {
  assert.equal([status, body.code, body.detail], expected);
  assert.is(headers.get('content-type'), 'application/problem+json');
  assert.equal(
    [body.type, body.status, body.error, body.ok],
    [`urn:svc:problem:${body.code}`, status, body.detail, false],
  );
  assert.ok(typeof body.title === 'string' && body.title !== '');
  assert.is(Array.isArray(body.errors) && body.errors.length > 0, status === 422);
}

function writeText({ kind, bytes }: TraceEntry): string[] {
  const frame = kind === 'in' ? /^32 06 00 (..) 00 (..)/i.exec(bytes ?? '') : null;
  return frame ? [`${Number.parseInt(frame[1] ?? '', 16)}=${Number.parseInt(frame[2] ?? '', 16)}`] : [];
}

async function call(
  url: string,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}

function collecting(lines: string[]): Logger {
  const log = (message: string) => void lines.push(message);
  return { debug: log, info: log, warn: log, error: log };
}
