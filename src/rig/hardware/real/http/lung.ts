import type { Clock } from '../../../../lib/clock/clock.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import { TransportError } from '../../../../transports/index.ts';
import type { HttpConnection, Plugin } from '../../../configuration/types.ts';
import type { StepResult } from '../../../safe-state/safe-state.ts';
import type { LungReading } from '../../lung-data.ts';
import type { Component, LungMotion, LungPort } from '../../ports.ts';
import type { DeviceEvents, LungDevice } from '../../rig-device.ts';
import { RigError } from '../../rig-error.ts';
import { deenergizeDetail, haltDetail } from '../lung.ts';
import { ActuatorService, type BridgeCaller } from './actuator-service.ts';
import { HOLD_S, type Standing } from './hold-renewal.ts';
import { commandAnswer, type LungAnswer, statusAnswer } from './lung-answers.ts';

const DEVICE = 'lung-motor';

export interface HttpLungOptions extends DeviceEvents {
  plugin: Plugin;
  connection: HttpConnection;
  token?: string | undefined;
  clock: Clock;
  bridge?: BridgeCaller | undefined;
}

/** The lung through svc-lung, the service that owns it. */
export function httpLung(options: HttpLungOptions): LungDevice {
  return new HttpLung(options);
}

class HttpLung implements LungDevice {
  readonly port: LungPort;
  readonly component: Component;
  readonly steps: LungDevice['steps'];
  readonly #service: ActuatorService<LungAnswer>;

  constructor({ plugin, connection, ...options }: HttpLungOptions) {
    this.#service = new ActuatorService({
      ...options,
      baseUrl: connection.baseUrl,
      timeoutMs: plugin.timeoutMs,
      device: DEVICE,
      service: 'svc-lung',
      status: statusAnswer,
      stop: () => this.#stop(),
    });
    this.component = this.#service.link;
    this.port = {
      origin: this.#service.link.origin,
      start: (motion, signal) => this.#start(motion, signal),
      stop: (signal) => this.#stop(signal),
      disable: (signal) => this.#disable(signal),
      read: async (signal) => (await this.#service.status(signal)).reading,
    };
    this.steps = {
      lung_halt: async (signal) => done(haltDetail(await this.#stop(signal))),
      lung_deenergize: async (signal) => done(deenergizeDetail(await this.#disable(signal))),
    };
  }

  open(): Promise<void> {
    return this.#service.open();
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  async #start(motion: LungMotion, signal?: AbortSignal): Promise<LungReading> {
    const service = this.#service;
    const { steps, speed, cycles, pauseS, direction = 'forward', limitMode = 'reverse_on_limit' } = motion;
    const order = { steps, speed, cycles, pause: pauseS, direction, limit_mode: limitMode, hold_s: HOLD_S };
    await service.link.mustBeReal(signal);
    try {
      const begun = await service.post('/api/lung', order, commandAnswer, signal);
      if (begun.reading.moving) service.hold((told) => standingOf(told, begun));
      return begun.reading;
    } catch (thrown) {
      if (mayHaveBegun(thrown)) await this.#endDoubt(thrown);
      throw thrown;
    }
  }

  /** It may move or not: stopped, and what is not confirmed is reported. */
  async #endDoubt(thrown: unknown): Promise<void> {
    try {
      await this.#stop();
    } catch {
      this.#service.tellLost(
        `it may have been started and is not proven to have stopped: ${messageOf(thrown)}`,
      );
    }
  }

  async #stop(signal?: AbortSignal): Promise<LungReading> {
    const proof = ({ reading }: LungAnswer) => void haltDetail(reading);
    return (await this.#service.stopped('/api/stop', {}, commandAnswer, proof, signal)).reading;
  }

  async #disable(signal?: AbortSignal): Promise<LungReading> {
    const proof = ({ reading }: LungAnswer) => void deenergizeDetail(reading);
    const order = { enable: false };
    return (await this.#service.stopped('/api/energize', order, commandAnswer, proof, signal)).reading;
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
