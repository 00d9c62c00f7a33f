import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import { longestLungMs } from '../../scenario/safety/lung-time.ts';

/** What the bridge was told and did, in order. */
export interface Acted {
  readonly id: string;
  /** Power, state or cycles, as sent. */
  readonly value: number;
  /** How all actuators stand afterwards. */
  readonly states: ReadonlyMap<string, boolean>;
}

export interface BridgeFaults {
  /** Probabilities, each from 0 to 1. */
  readonly actuation: number;
  readonly reading: number;
  readonly leaseLoss: number;
}

type Json = Record<string, unknown>;
type Reply = readonly [status: number, body: Json];

const SAFE_NAMES = ['lung_halt', 'pump_zero', 'lung_deenergize', 'valves_off', 'valves_verify'];
/** A lung is as slow as the check counts with, less the margin for the programs between. */
const MARGIN_MS = 10_000;
/** Longest answer that still comes in time, ms. */
const SLOW_MS = 4000;

/**
 * The bridge's HTTP contract behind a fetch, with a rig that keeps every state and
 * faults by chance: calls that are refused, that act and say nothing, that are answered late, a lease that is lost.
 */
export class MemoryBridge {
  readonly acted: Acted[] = [];
  /** Peripherals of which a setting failed: nobody could set them back. */
  readonly failedToSetBack = new Set<string>();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #faults: BridgeFaults;
  readonly #on = new Map<string, boolean>();
  #lungUntilMs = 0;
  #lease: string | undefined;
  #leases = 0;

  constructor(clock: Clock, random: Random, faults: BridgeFaults) {
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
  }

  isOn(id: string): boolean {
    return this.#states().get(id) ?? false;
  }

  readonly fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    const method = init?.method ?? 'GET';
    const actuates = /\/(pump|valve|lung|peripherals)/.test(pathname) && method !== 'GET';
    const reads = pathname.includes('/sensor/') || pathname === '/api/v1/state';
    const lease = pathname.startsWith('/api/v1/lease');
    if (actuates && this.#random() < 0.3) await this.#clock.sleep(this.#random() * SLOW_MS);
    const fails = this.#random() < (actuates ? this.#faults.actuation : reads ? this.#faults.reading : 0);
    if (!fails) {
      if (lease && method === 'POST' && this.#lease && this.#random() < this.#faults.leaseLoss) {
        this.#lease = undefined;
        this.#makeSafe();
      }
      return response(this.#answer(method, pathname, searchParams, init));
    }
    const kind = this.#random();
    if (actuates) this.#noteFailure(pathname, bodyOf(init));
    // It acts and nobody hears of it, or it is refused, or it does nothing at all.
    if (kind < 0.5) this.#answer(method, pathname, searchParams, init);
    if (kind < 0.25 || kind > 0.75) {
      await this.#clock.sleep(20_000, init?.signal ?? undefined);
      throw new TypeError('the connection was lost');
    }
    return response([503, { ok: false, code: 'device_error', error: 'by chance' }]);
  };

  #noteFailure(path: string, body: Json): void {
    if (path.includes('/peripherals/') && body.currentValue === 0) this.failedToSetBack.add(last(path));
  }

  #answer(method: string, path: string, query: URLSearchParams, init: RequestInit | undefined): Reply {
    if (path === '/health') return [200, { ok: true, status: 'ok', mode: 'real', guard: { watching: true } }];
    if (path === '/api/v1/hardware/health') {
      const parts = { sensor_adc: 'ok', motor: 'ok', lung: 'ok', modbus: 'ok', components: {} };
      return [200, { ok: true, mode: 'real', simulated: false, ...parts }];
    }
    if (path === '/api/v1/state') {
      const valves = Array.from({ length: 8 }, (_, i) => `valve-${i + 1}`);
      const entries = valves.map((id) => [
        id.replace('-', '_'),
        { id, currentValue: this.isOn(id), status: 'ok' },
      ]);
      return [200, Object.fromEntries(entries) as Json];
    }
    if (path.includes('/sensor/'))
      return [200, { sensor_id: last(path), value: this.#random() * 5, unit: 'V', ok: true, age_ms: 1 }];
    if (path.startsWith('/api/v1/lease')) return this.#leaseCall(method, path);
    if (path.endsWith('/safe-state')) {
      this.#makeSafe();
      return [200, { ok: true, steps: SAFE_NAMES.map((name) => ({ name, ok: true, status: 'done' })) }];
    }
    return this.#actuate(path, query, bodyOf(init), new Headers(init?.headers).get('x-lease-id'));
  }

  #leaseCall(method: string, path: string): Reply {
    if (method === 'POST' && path === '/api/v1/lease') {
      this.#lease = `lease-${++this.#leases}`;
      return [201, { lease_id: this.#lease, owner: 'test', ttl_ms: 5000, expires_in_ms: 5000 }];
    }
    if (path.split('/')[4] !== this.#lease)
      return [410, { ok: false, code: 'lease_gone', error: 'no lease' }];
    if (method === 'DELETE') this.#lease = undefined;
    return [200, { ok: true, lease_id: this.#lease, ttl_ms: 5000, expires_in_ms: 5000 }];
  }

  #actuate(path: string, query: URLSearchParams, body: Json, lease: string | null): Reply {
    const isSafe = /value=false|power_pct=0(&|$)/.test(`${query}`) || /\/lung\/(stop|disable)$/.test(path);
    if (!isSafe && lease !== this.#lease) return [409, { ok: false, code: 'lease_lost', error: 'lost' }];
    const number = (name: string) => Number(query.get(name));
    if (path.endsWith('/pump')) this.#set('pump-main', number('power_pct'), number('power_pct') !== 0);
    else if (path.includes('/valve/')) this.#set(last(path), 0, query.get('value') === 'true');
    else if (path.includes('/peripherals/')) this.#set(last(path), 0, body.currentValue !== 0);
    else if (path.endsWith('/lung')) {
      const order = {
        steps: number('steps'),
        speed: number('speed'),
        cycles: number('cycles'),
        pauseS: number('pause'),
      };
      const longest = Math.max(0, longestLungMs(order) - MARGIN_MS);
      this.#lungUntilMs = this.#clock.monotonic() + longest * (0.1 + 0.9 * this.#random());
      this.#set('lung-main', order.cycles, true);
    } else {
      this.#lungUntilMs = 0;
      this.#set('lung-main', 0, false);
    }
    return [200, { ok: true }];
  }

  #set(id: string, value: number, on: boolean): void {
    this.#on.set(id, on);
    this.acted.push({ id, value, states: this.#states() });
  }

  #states(): ReadonlyMap<string, boolean> {
    const isMoving = this.#lungUntilMs > this.#clock.monotonic();
    return new Map(this.#on).set('lung-main', isMoving);
  }

  #makeSafe(): void {
    for (const id of this.#on.keys()) if (/^(pump|lung|valve)-/.test(id)) this.#on.set(id, false);
    this.#lungUntilMs = 0;
  }
}

const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const bodyOf = (init: RequestInit | undefined): Json =>
  typeof init?.body === 'string' ? (JSON.parse(init.body) as Json) : {};

const response = ([status, body]: Reply): Response => new Response(JSON.stringify(body), { status });
