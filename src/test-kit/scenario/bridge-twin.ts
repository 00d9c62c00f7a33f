import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpError } from '../../lib/http/http-error.ts';
import { problemReply } from '../../lib/http/problem.ts';
import type { ProblemCode } from '../../lib/http/problem-table.ts';
import { NDJSON_TYPE } from '../../lib/http/reply.ts';
import { type DescribedBridge, describedBridge } from './described-bridge.ts';

/** What the twin received. */
export interface TwinRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly lease: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** What becomes of a request instead of its normal answer. */
export type TwinFault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Record<string, string>;
    }
  /** Acts, then says nothing. */
  | { readonly kind: 'silence' }
  /** Acts, then cuts the connection. */
  | { readonly kind: 'drop' }
  /** Acts and answers as always, `ms` later. */
  | { readonly kind: 'delay'; readonly ms: number };

export interface TwinOptions {
  readonly mode?: 'real' | 'mock';
  readonly bench?: boolean;
  /** A guard watches it. */
  readonly watching?: boolean;
  /** Time of leases, whatever is asked for; milliseconds. */
  readonly leaseTtlMs?: number;
}

type Json = Record<string, unknown>;
type Answer = [status: number, body: unknown];

/** A small firmware bridge: its HTTP contract, a plant, fault switches. */
export class BridgeTwin {
  readonly requests: TwinRequest[] = [];
  /** Readings by id: a value in volts, or the members of the answer. */
  readonly sensors: Record<string, number | Json | (() => number | Json)> = {
    'nc-sensor': 0.635,
    'sc-sensor': 0.755,
    'wc-sensor': 0.885,
  };
  readonly valves = new Map<string, boolean>();
  pumpPct = 0;
  lungMoving = false;
  /** Cycles of every lung start. */
  readonly lungStarts: Json[] = [];
  readonly kept = new Map<string, unknown>();
  /** Who stopped the rig, until it is cleared. */
  operatorStop: { id: string; by: string; reason: string; at: string } | undefined;
  /** Safe states that ran, and why. */
  readonly safeStates: string[] = [];
  health: Json = {};
  identity: Json = { serial_ports: [], usb_devices: [], i2c_buses: [] };
  lease: { id: string; owner: string } | undefined;
  readonly #options: Required<TwinOptions>;
  readonly #faults: { method: string; path: RegExp; fault: TwinFault; left: number }[] = [];
  readonly #server: Server;
  readonly #described: DescribedBridge;
  readonly #lines = new Set<ServerResponse>();
  #leaseTimer: NodeJS.Timeout | undefined;
  #leases = 0;
  /** Wall clock of the last conversion, milliseconds. */
  #observedAt = 0;

  private constructor(options: TwinOptions, described: DescribedBridge) {
    this.#described = described;
    this.#options = { mode: 'real', bench: false, watching: true, leaseTtlMs: 5000, ...options };
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: TwinOptions = {}): Promise<BridgeTwin> {
    const twin = new BridgeTwin(options, await describedBridge());
    await new Promise<void>((resolve) => twin.#server.listen(0, '127.0.0.1', resolve));
    return twin;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next `times` requests of that kind meet the fault. */
  fail(method: string, path: RegExp, fault: TwinFault, times = Number.POSITIVE_INFINITY): void {
    this.#faults.push({ method, path, fault, left: times });
  }

  /** `METHOD path` of what was received, without the traffic of the lease. */
  get calls(): string[] {
    return this.requests
      .filter(({ path }) => !path.startsWith('/api/v1/lease'))
      .map(({ method, path }) => `${method} ${path}`);
  }

  count(method: string, path: RegExp): number {
    return this.requests.filter((one) => one.method === method && path.test(one.path)).length;
  }

  get actuated(): boolean {
    return this.pumpPct > 0 || this.lungMoving || [...this.valves.values()].includes(true);
  }

  /** Someone else takes the rig. */
  hold(owner: string): void {
    this.#endLease();
    this.lease = { id: 'foreign', owner };
  }

  expireLease(): void {
    this.#endLease();
    this.makeSafe('lease');
  }

  /** An operator's stop: it stays until `operatorStop` is cleared. */
  stop(by: string): void {
    this.operatorStop = { id: '5709f00d', by, reason: 'operator', at: '2025-01-01T00:00:00.000Z' };
    this.#endLease();
    this.makeSafe('operator');
  }

  makeSafe(reason: string): void {
    this.safeStates.push(reason);
    this.pumpPct = 0;
    this.lungMoving = false;
    for (const id of this.valves.keys()) this.valves.set(id, false);
  }

  async close(): Promise<void> {
    this.#endLease();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Open as long as the lease is held. */
  #openLine(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
    this.#lines.add(response);
    response.on('close', () => this.#lines.delete(response));
  }

  #endLease(): void {
    clearTimeout(this.#leaseTimer);
    for (const line of this.#lines) line.end();
    this.lease = undefined;
  }

  #keepLease(): void {
    clearTimeout(this.#leaseTimer);
    this.#leaseTimer = setTimeout(() => this.expireLease(), this.#options.leaseTtlMs);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = 'GET', url = '/' } = request;
    const header = (name: string) => request.headers[name] as string | undefined;
    const received: TwinRequest = {
      method,
      path: url,
      lease: header('x-lease-id'),
      authorization: header('authorization'),
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.requests.push(received);
    if (method === 'GET' && url.endsWith('/line')) {
      this.#openLine(response);
      return;
    }
    const entry = this.#faults.find((one) => one.left > 0 && one.method === method && one.path.test(url));
    if (entry) entry.left--;
    const fault = entry?.fault;
    if (fault?.kind === 'answer') return send(response, fault.status, fault.body, fault.headers);
    const [status, body] = this.#answer(received);
    const { pathname } = new URL(url, 'http://twin');
    if (!this.#isGiven(pathname)) this.#described.note(method, pathname, status, body);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === 'drop') {
      request.socket.destroy();
      return;
    }
    send(response, status, body, typeof body === 'string' ? { 'content-type': NDJSON_TYPE } : {});
  }

  /** A test has put members of its own into the answer: what the bridge would not say is its subject. */
  #isGiven(path: string): boolean {
    if (path === '/api/v1/hardware/health') return Object.keys(this.health).length > 0;
    return path.startsWith('/api/v1/hardware/sensor/') && typeof this.sensors[last(path)] !== 'number';
  }

  #answer(request: TwinRequest): Answer {
    const { method, path } = request;
    const url = new URL(path, 'http://twin');
    const route = `${method} ${url.pathname}`;
    const { mode, bench, watching } = this.#options;
    const { templates } = this.#described;
    const simulated = mode === 'mock';
    if (route === 'GET /health') {
      const reason = this.safeStates.at(-1) ?? 'start';
      const safe_state = { outcome: 'safe', reason, running: false };
      const marks = { mode, simulated, bench, safe_state, operator_stop: this.#stopView() };
      return [200, { ...templates.health, ...marks, guard: { watching } }];
    }
    if (route === 'GET /api/v1/hardware/health') return [200, this.#hardwareHealth()];
    if (route === 'GET /api/v1/state') return [200, this.#state()];
    if (route === 'GET /api/v1/hardware/identify') {
      const { diagnostics } = templates.identify as { diagnostics: Json };
      const found = { ...diagnostics, ...this.identity, scan_mode: url.searchParams.get('scan') };
      return [200, { ...templates.identify, mode, simulated, bench, diagnostics: found }];
    }
    if (route.startsWith('GET /api/v1/hardware/sensor/')) return this.#sensor(last(url.pathname));
    if (route === 'GET /api/v1/hardware/sensors/each') return [200, this.#each(url)];
    if (url.pathname.startsWith('/api/v1/lease')) return this.#leaseCall(method, url.pathname, request.body);
    if (route === 'POST /api/v1/hardware/safe-state') {
      const lease_held = request.lease !== undefined && request.lease === this.lease?.id;
      this.#endLease();
      this.makeSafe('call');
      const { steps } = templates.safeState as { steps: Json[] };
      const report = { outcome: 'safe', mock: simulated, bench, lease_held, operator_stop: this.#stopView() };
      const done = steps.map((step) => ({ ...step, status: 'done', verified: true }));
      return [200, { ...templates.safeState, ...report, steps: done }];
    }
    if (method === 'POST' || method === 'PUT') return this.#actuate(request, url);
    return problem('not_found', `no route ${route}`);
  }

  #stopView(): Json | null {
    return this.operatorStop ? { ...this.operatorStop, persisted: true } : null;
  }

  #hardwareHealth(): Json {
    const { mode, bench } = this.#options;
    const simulated = mode === 'mock';
    const status = simulated ? 'mock' : 'ok';
    return {
      ...this.#described.templates.hardwareHealth,
      ...{ mode, ok: !simulated, simulated, bench, operator_stop: this.#stopView(), components: {} },
      ...{ sensor_adc: status, motor: status, lung: status, modbus: status },
      ...this.health,
    };
  }

  #state(): Json {
    const { mode } = this.#options;
    const template = Object.entries(this.#described.templates.state) as [string, Json][];
    const entries = template.map(([key, entry]) => [
      key,
      { ...entry, mode, ...(entry.type === 'valve' ? { currentValue: this.#isOpen(entry.id) } : {}) },
    ]);
    return Object.fromEntries(entries) as Json;
  }

  #isOpen(id: unknown): boolean {
    return this.valves.get(String(id)) ?? false;
  }

  #sensor(id: string): Answer {
    const entry = this.sensors[id];
    const given = typeof entry === 'function' ? entry() : entry;
    if (given === undefined) return problem('unknown_sensor', `no sensor ${id}`);
    const { mode, bench } = this.#options;
    const simulated = mode === 'mock';
    // Each answer is a conversion of its own, unless the test gives the time of an earlier one.
    this.#observedAt = Math.max(Date.now(), this.#observedAt + 1);
    const common = {
      ...this.#described.templates.sensor,
      sensor_id: id,
      simulated,
      bench,
      source: 'sensor-adc',
    };
    const times = { observed_at: new Date(this.#observedAt).toISOString(), age_ms: 4 };
    return [200, { ...common, ...times, ...(typeof given === 'number' ? { value: given } : given) }];
  }

  /** Lines of the readings, all at once. */
  #each({ searchParams }: URL): string {
    const names = searchParams.get('sensor_ids')?.split(',') ?? [];
    return names
      .map((sensor) => {
        const [status, body] = this.#sensor(sensor);
        return `${JSON.stringify({ sensor, status, body })}\n`;
      })
      .join('');
  }

  #leaseCall(method: string, path: string, body: unknown): Answer {
    const view = () => ({
      lease_id: this.lease?.id,
      owner: this.lease?.owner,
      ttl_ms: this.#options.leaseTtlMs,
      expires_in_ms: this.#options.leaseTtlMs,
    });
    if (method === 'GET') {
      const expires_in_ms = this.lease ? this.#options.leaseTtlMs : null;
      return [200, { held: this.lease !== undefined, owner: this.lease?.owner ?? null, expires_in_ms }];
    }
    if (this.operatorStop && method === 'POST') return this.#stopped(this.operatorStop);
    if (method === 'POST' && path === '/api/v1/lease') {
      if (this.lease)
        return problem('lease_held', 'the rig is held', { owner: this.lease.owner, expires_in_ms: 900 });
      this.lease = { id: `lease-${++this.#leases}`, owner: String((body as Json).owner) };
      this.#keepLease();
      return [201, { ...view(), line: `/api/v1/lease/${this.lease.id}/line` }];
    }
    const id = path.split('/')[4];
    if (!this.lease || this.lease.id !== id) return problem('lease_gone', 'no such lease');
    if (method === 'DELETE') {
      this.#endLease();
      return [200, { ok: true, safe_state: null }];
    }
    this.#keepLease();
    return [200, view()];
  }

  #stopped(stop: Json): Answer {
    return problem('operator_stop', `${stop.by} stopped the rig at ${stop.at}`, { operator_stop: stop });
  }

  #actuate(request: TwinRequest, url: URL): Answer {
    const query = url.searchParams;
    const { pathname } = url;
    const { mode, bench } = this.#options;
    const { templates } = this.#described;
    const marks = { mock: mode === 'mock', simulated: mode === 'mock', bench };
    const safe =
      query.get('value') === 'false' ||
      query.get('power_pct') === '0' ||
      /\/lung\/(stop|disable)$/.test(pathname);
    if (!safe && this.operatorStop) return this.#stopped(this.operatorStop);
    if (!safe && this.lease && request.lease !== this.lease.id)
      return problem('lease_held', 'the rig is held by another');
    if (!safe && request.lease !== undefined && !this.lease)
      return problem('lease_lost', 'the lease has ended');
    if (pathname === '/api/v1/hardware/pump') {
      this.pumpPct = Number(query.get('power_pct'));
      const data = { power_pct: this.pumpPct, enabled: this.pumpPct > 0, verified: true };
      return [
        200,
        {
          ...templates.pump,
          power_pct: this.pumpPct,
          data: { ...(templates.pump.data as Json), ...data },
          ...marks,
        },
      ];
    }
    if (pathname.startsWith('/api/v1/hardware/valve/')) {
      const value = query.get('value') === 'true';
      this.valves.set(last(pathname), value);
      return [200, { ...templates.valve, valve_id: last(pathname), value, verified: true, ...marks }];
    }
    if (pathname === '/api/v1/hardware/lung') {
      this.lungMoving = true;
      const order = Object.fromEntries(query);
      this.lungStarts.push(order);
      const numbers = Object.entries(order).map(([name, value]) => [name, Number(value)]);
      return [200, { ...templates.lungStop, ...Object.fromEntries(numbers), status: 'started', ...marks }];
    }
    if (/\/lung\/(stop|disable)$/.test(pathname)) {
      this.lungMoving = false;
      const status = pathname.endsWith('/stop') ? 'stopped' : 'de-energized';
      return [200, { ...templates.lungStop, status, ...marks }];
    }
    if (pathname.startsWith('/api/v1/peripherals/')) {
      const id = last(pathname);
      this.kept.set(id, request.body);
      return [200, { ok: true, id, ...(request.body as Json) }];
    }
    return problem('not_found', 'no such route');
  }
}

function problem(code: ProblemCode, message: string, members: Json = {}): Answer {
  const { status, body } = problemReply(new HttpError(code, message, { members }));
  return [status, body];
}

const last = (path: string): string => decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}
