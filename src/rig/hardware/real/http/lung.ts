import type { Clock } from '../../../../lib/clock/clock.ts';
import type { HttpConnection, Plugin } from '../../../../lib/config/types.ts';
import { TransportError } from '../../../../transports/index.ts';
import type { StepResult } from '../../../safe-state/safe-state.ts';
import type { LungReading } from '../../lung-data.ts';
import type { Component, LungMotion, LungPort } from '../../ports.ts';
import type { DeviceEvents, LungDevice } from '../../rig-device.ts';
import { RigError } from '../../rig-error.ts';
import { deenergizeDetail, haltDetail } from '../lung.ts';
import { commandAnswer, type LungAnswer, statusAnswer } from './lung-answers.ts';
import { LungLink } from './lung-link.ts';
import { HOLD_S, LungRenewal } from './lung-renewal.ts';
import { type JsonObject, ServiceClient } from './service-client.ts';

const DEVICE = 'lung-motor';

export interface HttpLungOptions extends DeviceEvents {
  plugin: Plugin;
  connection: HttpConnection;
  token?: string | undefined;
  clock: Clock;
}

/** The lung through svc-lung, the service that owns it (services specification, section 9). */
export function httpLung(options: HttpLungOptions): LungDevice {
  return new HttpLung(options);
}

class HttpLung implements LungDevice {
  readonly port: LungPort;
  readonly component: Component;
  readonly steps: LungDevice['steps'];
  readonly #client: ServiceClient;
  readonly #link: LungLink;
  readonly #renewal: LungRenewal;
  readonly #onLost: (why: string) => void;

  constructor({ plugin, connection, token, clock, onReturn, onLost }: HttpLungOptions) {
    const { baseUrl } = connection;
    const client = new ServiceClient({ device: DEVICE, baseUrl, token, clock, timeoutMs: plugin.timeoutMs });
    const link = new LungLink({ client, clock, onReturn });
    this.#client = client;
    this.#link = link;
    this.#onLost = onLost;
    this.#renewal = new LungRenewal({
      client,
      clock,
      onLost: (why) => {
        // Once, and not waited for: whoever is told makes the whole rig safe meanwhile.
        this.#stop().catch(() => {});
        onLost(why);
      },
    });
    this.port = {
      origin: {
        mock: false,
        get bench() {
          return link.bench;
        },
      },
      start: (motion, signal) => this.#start(motion, signal),
      stop: (signal) => this.#stop(signal),
      disable: (signal) => this.#disable(signal),
      read: (signal) => this.#read(signal),
    };
    this.component = {
      id: DEVICE,
      endpoint: baseUrl,
      path: null,
      check: (signal) => link.check(signal),
      known: () => link.health ?? { status: 'error', message: 'not asked yet' },
    };
    this.steps = {
      lung_halt: async (signal) => done(haltDetail(await this.#stop(signal))),
      lung_deenergize: async (signal) => done(deenergizeDetail(await this.#disable(signal))),
    };
  }

  async open(): Promise<void> {
    await this.#link.check();
  }

  async close(): Promise<void> {
    this.#renewal.end();
    this.#link.close();
  }

  async #start(motion: LungMotion, signal?: AbortSignal): Promise<LungReading> {
    const { steps, speed, cycles, pauseS, direction = 'forward', limitMode = 'reverse_on_limit' } = motion;
    const order = { steps, speed, cycles, pause: pauseS, direction, limit_mode: limitMode, hold_s: HOLD_S };
    await this.#link.mustBeReal(signal);
    try {
      const told = await this.#post('/api/lung', order, signal);
      if (told.reading.moving) this.#renewal.begin(told);
      return told.reading;
    } catch (thrown) {
      if (mayHaveBegun(thrown)) await this.#endDoubt(thrown);
      throw thrown;
    }
  }

  /** Nobody knows whether it moves: stopped once, and what is not confirmed is told. */
  async #endDoubt(thrown: unknown): Promise<void> {
    try {
      await this.#stop();
    } catch {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      this.#onLost(`the lung may have been started and is not proven to stand still: ${why}`);
    }
  }

  async #stop(signal?: AbortSignal): Promise<LungReading> {
    this.#renewal.end();
    const { reading } = await this.#post('/api/stop', {}, signal);
    haltDetail(reading);
    return reading;
  }

  async #disable(signal?: AbortSignal): Promise<LungReading> {
    this.#renewal.end();
    const { reading } = await this.#post('/api/energize', { enable: false }, signal);
    deenergizeDetail(reading);
    return reading;
  }

  async #read(signal?: AbortSignal): Promise<LungReading> {
    const path = '/api/status';
    const { reading } = await this.#told(async () =>
      statusAnswer(this.#client, path, await this.#client.get(path, signal ? { signal } : {})),
    );
    return reading;
  }

  #post(path: string, body: JsonObject, signal?: AbortSignal): Promise<LungAnswer> {
    return this.#told(async () =>
      commandAnswer(this.#client, path, await this.#client.post(path, body, signal ? { signal } : {})),
    );
  }

  async #told(ask: () => Promise<LungAnswer>): Promise<LungAnswer> {
    try {
      const answer = await ask();
      this.#link.noteBench(answer.bench);
      if (!answer.mock) return answer;
      const text = `svc-lung at ${this.#client.baseUrl} answers from its plant; start it with SVC_HARDWARE_MODE=real`;
      throw new RigError('wrong_device', DEVICE, text);
    } catch (thrown) {
      if (thrown instanceof RigError && OUT_OF_REACH.has(thrown.code)) this.#link.failed(thrown);
      throw thrown;
    }
  }
}

/** After these the service is asked until it and its device are well again. */
const OUT_OF_REACH = new Set([
  'device_unavailable',
  'device_timeout',
  'corrupt_response',
  'wrong_device',
  'held_by_other',
]);

const done = (detail: string): StepResult => ({ status: 'done', verified: true, detail });

/** A refusal of the service itself, or one of the connection, has moved nothing. */
function mayHaveBegun(thrown: unknown): boolean {
  if (!(thrown instanceof RigError)) return true;
  if (thrown.code === 'corrupt_response' || thrown.code === 'wrong_device') return true;
  return thrown.cause instanceof TransportError && !isRefused(thrown.cause.cause);
}

const isRefused = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
