import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  operatorStop: { by: string; reason: string; at: string } | undefined;
  /** Safe states that ran, and why. */
  readonly safeStates: string[] = [];
  health: Json = {};
  identity: Json = { serial_ports: [], usb_devices: [], i2c_buses: [] };
  lease: { id: string; owner: string } | undefined;
  readonly #options: Required<TwinOptions>;
  readonly #faults: { method: string; path: RegExp; fault: TwinFault; left: number }[] = [];
  readonly #server: Server;
  #leaseTimer: NodeJS.Timeout | undefined;
  #leases = 0;
  /** Wall clock of the last conversion, milliseconds. */
  #observedAt = 0;

  private constructor(options: TwinOptions) {
    this.#options = { mode: 'real', bench: false, watching: true, leaseTtlMs: 5000, ...options };
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: TwinOptions = {}): Promise<BridgeTwin> {
    const twin = new BridgeTwin(options);
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

  /** Somebody else takes the rig. */
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
    this.operatorStop = { by, reason: 'operator', at: '2025-01-01T00:00:00.000Z' };
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

  #endLease(): void {
    clearTimeout(this.#leaseTimer);
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
    const entry = this.#faults.find((one) => one.left > 0 && one.method === method && one.path.test(url));
    if (entry) entry.left--;
    const fault = entry?.fault;
    if (fault?.kind === 'answer') return send(response, fault.status, fault.body, fault.headers);
    const [status, body] = this.#answer(received);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === 'drop') {
      request.socket.destroy();
      return;
    }
    send(response, status, body);
  }

  #answer(request: TwinRequest): [status: number, body: unknown] {
    const { method, path } = request;
    const url = new URL(path, 'http://twin');
    const route = `${method} ${url.pathname}`;
    const { mode, bench, watching } = this.#options;
    if (route === 'GET /health') {
      const reason = this.safeStates.at(-1) ?? 'start';
      const safe_state = { outcome: 'safe', reason, running: false };
      return [
        200,
        {
          ...{ ok: true, status: 'ok', mode, bench, safe_state, operator_stop: this.operatorStop ?? null },
          guard: { watching },
        },
      ];
    }
    if (route === 'GET /api/v1/hardware/health') return [200, this.#hardwareHealth()];
    if (route === 'GET /api/v1/state') return [200, this.#state()];
    if (route === 'GET /api/v1/hardware/identify')
      return [
        200,
        { mode, bench, diagnostics: { ...this.identity, scan_mode: url.searchParams.get('scan') } },
      ];
    if (route.startsWith('GET /api/v1/hardware/sensor/')) return this.#sensor(last(url.pathname));
    if (url.pathname.startsWith('/api/v1/lease')) return this.#leaseCall(method, url.pathname, request.body);
    if (route === 'POST /api/v1/hardware/safe-state') {
      const lease_held = request.lease !== undefined && request.lease === this.lease?.id;
      this.#endLease();
      this.makeSafe('call');
      const operator_stop = this.operatorStop ?? null;
      const names = ['lung_halt', 'pump_zero', 'lung_deenergize', 'valves_off', 'valves_verify'];
      return [
        200,
        {
          ...{ ok: true, outcome: 'safe', lease_held, operator_stop },
          steps: names.map((name) => ({ name, ok: true, status: 'done' })),
        },
      ];
    }
    if (method === 'POST' || method === 'PUT') return this.#actuate(request, url);
    return [404, { ok: false, error: `no route ${route}`, code: 'not_found' }];
  }

  #hardwareHealth(): Json {
    const { mode, bench } = this.#options;
    const status = mode === 'mock' ? 'mock' : 'ok';
    const simulated = mode === 'mock';
    return {
      mode,
      ok: !simulated,
      sensor_adc: status,
      motor: status,
      lung: status,
      modbus: status,
      simulated,
      bench,
      ...this.health,
    };
  }

  #state(): Json {
    const { mode } = this.#options;
    const entries = Array.from({ length: 8 }, (_, i) => `valve-${i + 1}`).map((id) => [
      id.replace('-', '_'),
      { id, type: 'valve', currentValue: this.valves.get(id) ?? false, status: 'ok', mode },
    ]);
    return Object.fromEntries(entries) as Json;
  }

  #sensor(id: string): [number, unknown] {
    const entry = this.sensors[id];
    const given = typeof entry === 'function' ? entry() : entry;
    if (given === undefined) return [422, { ok: false, code: 'unknown_sensor', error: `no sensor ${id}` }];
    const { mode, bench } = this.#options;
    const simulated = mode === 'mock';
    // Each answer is a conversion of its own, unless the test gives the time of an earlier one.
    this.#observedAt = Math.max(Date.now(), this.#observedAt + 1);
    const common = { sensor_id: id, unit: 'V', ok: true, simulated, bench, source: 'sensor-adc' };
    const times = { observed_at: new Date(this.#observedAt).toISOString(), age_ms: 4 };
    return [200, { ...common, ...times, ...(typeof given === 'number' ? { value: given } : given) }];
  }

  #leaseCall(method: string, path: string, body: unknown): [number, unknown] {
    const view = () => ({
      lease_id: this.lease?.id,
      owner: this.lease?.owner,
      ttl_ms: this.#options.leaseTtlMs,
      expires_in_ms: this.#options.leaseTtlMs,
    });
    if (method === 'GET') return [200, { held: this.lease !== undefined, owner: this.lease?.owner ?? null }];
    if (this.operatorStop && method === 'POST') return this.#stopped(this.operatorStop);
    if (method === 'POST' && path === '/api/v1/lease') {
      if (this.lease)
        return [
          409,
          {
            ok: false,
            code: 'held_by_other',
            error: 'the rig is held',
            owner: this.lease.owner,
            expires_in_ms: 900,
          },
        ];
      this.lease = { id: `lease-${++this.#leases}`, owner: String((body as Json).owner) };
      this.#keepLease();
      return [201, view()];
    }
    const id = path.split('/')[4];
    if (!this.lease || this.lease.id !== id)
      return [410, { ok: false, code: 'lease_gone', error: 'no such lease' }];
    if (method === 'DELETE') {
      this.#endLease();
      return [200, { ok: true }];
    }
    this.#keepLease();
    return [200, view()];
  }

  #stopped(stop: Json): [number, unknown] {
    const error = `${stop.by} stopped the rig at ${stop.at}`;
    return [409, { ok: false, code: 'operator_stop', error, operator_stop: stop }];
  }

  #actuate(request: TwinRequest, url: URL): [number, unknown] {
    const query = url.searchParams;
    const { pathname } = url;
    const { mode, bench } = this.#options;
    const marks = { mock: mode === 'mock', simulated: mode === 'mock', bench };
    const safe =
      query.get('value') === 'false' ||
      query.get('power_pct') === '0' ||
      /\/lung\/(stop|disable)$/.test(pathname);
    if (!safe && this.operatorStop) return this.#stopped(this.operatorStop);
    if (!safe && this.lease && request.lease !== this.lease.id)
      return [409, { ok: false, code: 'lease_held', error: 'the rig is held by another' }];
    if (!safe && request.lease !== undefined && !this.lease)
      return [409, { ok: false, code: 'lease_lost', error: 'the lease has ended' }];
    if (pathname === '/api/v1/hardware/pump') {
      this.pumpPct = Number(query.get('power_pct'));
      return [200, { ok: true, power_pct: this.pumpPct, ...marks }];
    }
    if (pathname.startsWith('/api/v1/hardware/valve/')) {
      const value = query.get('value') === 'true';
      this.valves.set(last(pathname), value);
      return [200, { ok: true, valve_id: last(pathname), value, verified: true, ...marks }];
    }
    if (pathname === '/api/v1/hardware/lung') {
      this.lungMoving = true;
      this.lungStarts.push(Object.fromEntries(query));
      return [200, { ok: true, status: 'started', ...marks }];
    }
    if (/\/lung\/(stop|disable)$/.test(pathname)) {
      this.lungMoving = false;
      return [200, { ok: true, status: 'stopped', ...marks }];
    }
    if (pathname.startsWith('/api/v1/peripherals/')) {
      this.kept.set(last(pathname), request.body);
      return [200, { ok: true }];
    }
    return [404, { ok: false, error: 'no such route', code: 'not_found' }];
  }
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
