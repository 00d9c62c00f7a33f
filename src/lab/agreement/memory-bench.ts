import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import { registryOf } from '../../rig/registry/registry-of.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import type { Result } from '../../scenario/run/result.ts';
import { openRig, type RunningBridge, startBridge } from '../../services/bridge/start-bridge.ts';
import { exchange, serverAt } from '../simulated-day/in-process.ts';
import { MemoryRig } from '../simulated-day/memory-rig.ts';

/** Where the interpreter believes the bridge to be. */
const BRIDGE = 'http://127.0.0.1:8202';
/** Event-loop turns that one HTTP exchange inside this process needs at most between two of its timers. */
const TURNS = 40;
const STEP_MS = 5;
/** Longer than any run of a generated scenario, virtual milliseconds. */
const RUN_LIMIT_MS = 3_600_000;

/** Volts at the inputs ai01 to ai04. */
export type Volts = readonly [number, number, number, number];

/**
 * A bridge with its real drivers, its HTTP and the twins, in one process on a stepped clock: a scenario that takes
 * minutes runs in milliseconds.
 */
export class MemoryBench {
  readonly registry: Registry;
  readonly #clock: SteppedClock;
  readonly #rig: MemoryRig;
  readonly #running: RunningBridge;
  readonly #server: Server;
  readonly #folder: string;
  #inFlight = 0;

  private constructor(parts: {
    registry: Registry;
    clock: SteppedClock;
    rig: MemoryRig;
    running: RunningBridge;
    server: Server;
    folder: string;
  }) {
    this.registry = parts.registry;
    this.#clock = parts.clock;
    this.#rig = parts.rig;
    this.#running = parts.running;
    this.#server = parts.server;
    this.#folder = parts.folder;
  }

  /** @param yaml svc.yaml; its devices are replaced by the twins */
  static async start(yaml: string): Promise<MemoryBench> {
    const folder = mkdtempSync(join(tmpdir(), 'agreement-'));
    const clock = new SteppedClock();
    const rig = new MemoryRig({ clock, random: seededRandom(1), saw: () => {} });
    const env = { SVC_HARDWARE_MODE: 'real', SVC_STATE_DIR: folder };
    const config = mergeConfig(parseConfig(yaml, 'svc.yaml'), env);
    const running = await startBridge({
      ...{ config, env, clock, buildRig: rig.build, log: () => {}, readThrottled: async () => 0 },
      bind: { host: '127.0.0.1', port: 0 },
    });
    const server = await serverAt(running.url);
    const bench = new MemoryBench({ registry: registryOf(config), clock, rig, running, server, folder });
    await bench.#until(openRig(running));
    return bench;
  }

  /** Runs a scenario in execute mode with these voltages at the inputs. */
  execute(source: string, volts: Volts): Promise<Result> {
    const [ain0_v, ain1_v, ain2_v, ain3_v] = volts;
    this.#rig.adc.knobs.patch({ ain0_v, ain1_v, ain2_v, ain3_v });
    const interpreter = new Interpreter({
      ...{ mode: 'execute', firmwareUrl: BRIDGE, clock: this.#clock, registry: this.registry },
      withoutGuard: true,
      fetch: (url, init) => this.#fetch(url, init),
    });
    return this.#until(interpreter.run(source, 'agreement.oql'));
  }

  async close(): Promise<void> {
    await this.#until(this.#running.shutDown('end'));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(url);
    this.#inFlight += 1;
    try {
      const { status, headers, text } = await exchange(this.#server, {
        method: init.method ?? 'GET',
        path: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers ?? {})),
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
        signal: init.signal ?? undefined,
      });
      const type = headers['content-type'];
      return new Response(text === '' ? null : text, {
        status,
        headers: type === undefined ? {} : { 'content-type': type },
      });
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Moves time on until the work has ended; during an exchange in small steps, so that its answer is not made late. */
  async #until<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    const limitAt = this.#clock.monotonic() + RUN_LIMIT_MS;
    while (!ended) {
      for (let turn = 0; turn < TURNS && !ended; turn++) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (this.#inFlight === 0 && turn > 2) break;
      }
      if (ended) break;
      if (this.#clock.monotonic() > limitAt)
        throw new Error('the work did not end within an hour of virtual time');
      await this.#clock.advance(this.#inFlight > 0 ? 1 : STEP_MS);
    }
    return work;
  }
}
