import type { Clock } from '../../../../lib/clock/clock.ts';
import type { HttpConnection, Plugin } from '../../../../lib/config/types.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import { TransportError } from '../../../../transports/index.ts';
import type { StepResult } from '../../../safe-state/safe-state.ts';
import type { LungReading } from '../../lung-data.ts';
import type { LungMotion, LungPort } from '../../ports.ts';
import type { DeviceEvents, LungDevice } from '../../rig-device.ts';
import { RigError } from '../../rig-error.ts';
import { deenergizeDetail, haltDetail } from '../lung.ts';
import { HOLD_S, HoldRenewal, type Standing } from './hold-renewal.ts';
import { commandAnswer, type LungAnswer, statusAnswer } from './lung-answers.ts';
import { type JsonObject, ServiceClient } from './service-client.ts';
import { ServiceLink } from './service-link.ts';

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
  readonly component: ServiceLink;
  readonly steps: LungDevice['steps'];
  readonly #client: ServiceClient;
  readonly #renewal: HoldRenewal<LungAnswer>;
  readonly #onLost: (why: string) => void;

  constructor({ plugin, connection, token, clock, onReturn, onLost }: HttpLungOptions) {
    const { baseUrl } = connection;
    const client = new ServiceClient({ device: DEVICE, baseUrl, token, clock, timeoutMs: plugin.timeoutMs });
    const mockCode = 'wrong_device';
    const link = new ServiceLink({ id: DEVICE, service: 'svc-lung', mockCode, client, clock, onReturn });
    this.#client = client;
    this.component = link;
    this.#onLost = onLost;
    this.#renewal = new HoldRenewal({
      clock,
      renew: (body, signal) => this.#post('/api/hold', body, statusAnswer, signal),
      onLost: (why) => this.#lost(why),
    });
    this.port = {
      origin: {
        mock: false,
        get bench() {
          return link.isBench;
        },
      },
      start: (motion, signal) => this.#start(motion, signal),
      stop: (signal) => this.#stop(signal),
      disable: (signal) => this.#disable(signal),
      read: (signal) => this.#read(signal),
    };
    this.steps = {
      lung_halt: async (signal) => done(haltDetail(await this.#stop(signal))),
      lung_deenergize: async (signal) => done(deenergizeDetail(await this.#disable(signal))),
    };
  }

  async open(): Promise<void> {
    await this.component.open();
  }

  async close(): Promise<void> {
    this.#renewal.end();
    await this.component.close();
  }

  async #start(motion: LungMotion, signal?: AbortSignal): Promise<LungReading> {
    const { steps, speed, cycles, pauseS, direction = 'forward', limitMode = 'reverse_on_limit' } = motion;
    const order = { steps, speed, cycles, pause: pauseS, direction, limit_mode: limitMode, hold_s: HOLD_S };
    await this.component.mustBeReal(signal);
    try {
      const begun = await this.#post('/api/lung', order, commandAnswer, signal);
      if (begun.reading.moving) this.#renewal.begin((told) => standingOf(told, begun));
      return begun.reading;
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
      const why = `it may have been started and is not proven to stand still: ${messageOf(thrown)}`;
      this.#onLost(`${DEVICE} is no longer under command: ${why}`);
    }
  }

  /** Told once for each motion, and the stop is not waited for: whoever is told makes the whole rig safe. */
  #lost(why: string): void {
    this.#stop().catch(() => {});
    this.#onLost(`${DEVICE} is no longer under command: ${why}`);
  }

  #stop(signal?: AbortSignal): Promise<LungReading> {
    return this.#end('/api/stop', {}, haltDetail, signal);
  }

  #disable(signal?: AbortSignal): Promise<LungReading> {
    return this.#end('/api/energize', { enable: false }, deenergizeDetail, signal);
  }

  async #end(
    path: string,
    body: JsonObject,
    mustShow: (reading: LungReading) => unknown,
    signal?: AbortSignal,
  ): Promise<LungReading> {
    this.#renewal.end();
    try {
      const { reading } = await this.#post(path, body, commandAnswer, signal);
      mustShow(reading);
      return reading;
    } catch (thrown) {
      // Whatever it was, the lung is not proven to stand: its return is waited for.
      this.component.failed(thrown);
      throw thrown;
    }
  }

  async #read(signal?: AbortSignal): Promise<LungReading> {
    const path = '/api/status';
    const { reading } = await this.component.told(async () =>
      statusAnswer(this.#client, path, await this.#client.get(path, { signal })),
    );
    return reading;
  }

  #post(
    path: string,
    body: JsonObject,
    answer: typeof statusAnswer,
    signal?: AbortSignal,
  ): Promise<LungAnswer> {
    return this.component.told(async () =>
      answer(this.#client, path, await this.#client.post(path, body, { signal })),
    );
  }
}

/** A service that was started anew knows nothing of the motion, so what it says is not its end. */
function standingOf({ startedAt, reading }: LungAnswer, begun: LungAnswer): Standing {
  if (startedAt !== begun.startedAt) return { lost: 'svc-lung was restarted' };
  return reading.moving ? 'held' : 'ended';
}

const done = (detail: string): StepResult => ({ status: 'done', verified: true, detail });

/** A refusal of the service itself, or one of the connection, has moved nothing. */
function mayHaveBegun(thrown: unknown): boolean {
  if (!(thrown instanceof RigError)) return true;
  if (thrown.code === 'corrupt_response' || thrown.code === 'wrong_device') return true;
  return thrown.cause instanceof TransportError && !isRefused(thrown.cause.cause);
}

const isRefused = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
