import { dutyOf } from '../../../../devices/dri0050/protocol.ts';
import type { Clock } from '../../../../lib/clock/clock.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import type { Milliseconds, Percent } from '../../../../lib/quantity.ts';
import type { Plugin } from '../../../configuration/types.ts';
import type { StepResult } from '../../../safe-state/safe-state.ts';
import type { Component, PumpPort, PumpReading } from '../../ports.ts';
import type { DeviceEvents, PumpDevice } from '../../rig-device.ts';
import { RigError } from '../../rig-error.ts';
import { ActuatorService, type BridgeCaller } from './actuator-service.ts';
import { HOLD_S, type Standing } from './hold-renewal.ts';
import { actingDuty, commandAnswer, type PumpAnswer, statusAnswer } from './pump-answers.ts';

const DEVICE = 'pump-motor';

export interface HttpPumpOptions extends DeviceEvents {
  baseUrl: string;
  token: string | undefined;
  clock: Clock;
  /** Milliseconds of one call, at most 2500. */
  timeoutMs: Milliseconds;
  bridge?: BridgeCaller | undefined;
}

/**
 * The pump as `svc.yaml` leads to it: through svc-pump for `connection_type: http`.
 *
 * @param driven the pump on a line of this process, or why there is none
 */
export function configuredPump(
  options: DeviceEvents & {
    plugins: readonly Plugin[];
    clock: Clock;
    token?: string | undefined;
    bridge?: BridgeCaller | undefined;
  },
  driven: () => PumpDevice,
): PumpDevice {
  const { plugins, ...others } = options;
  const plugin = plugins.find((one) => one.id === DEVICE && one.enabled);
  if (plugin?.connection?.type !== 'http') return driven();
  const { baseUrl } = plugin.connection;
  return httpPump({ token: undefined, ...others, baseUrl, timeoutMs: plugin.timeoutMs });
}

/** The pump through svc-pump, the service that owns it. */
export function httpPump(options: HttpPumpOptions): PumpDevice {
  return new HttpPump(options);
}

class HttpPump implements PumpDevice {
  readonly port: PumpPort;
  readonly component: Component;
  readonly steps: PumpDevice['steps'];
  readonly #service: ActuatorService<PumpAnswer>;
  /** Duty under command here, 1..255; 0 while none is, or the service has not confirmed it. */
  #duty = 0;
  /** Grows with each command: what was asked before it says nothing about what came after. */
  #commands = 0;

  constructor(options: HttpPumpOptions) {
    this.#service = new ActuatorService({
      ...options,
      device: DEVICE,
      service: 'svc-pump',
      status: statusAnswer,
      stop: () => this.#stop(),
    });
    this.component = this.#service.link;
    this.port = {
      origin: this.#service.link.origin,
      setPower: (percent, signal) => {
        const duty = dutyOf(percent);
        return duty === 0 ? this.#stop(signal) : this.#run(percent, duty, signal);
      },
      read: (signal) => this.#read(signal),
    };
    this.steps = { pump_zero: (signal) => this.#zero(signal) };
  }

  open(): Promise<void> {
    return this.#service.open();
  }

  async close(): Promise<void> {
    this.#endCommand();
    await this.#service.close();
  }

  /** Sent once. When its result is unknown, the pump is stopped. */
  async #run(percent: Percent, duty: number, signal?: AbortSignal): Promise<PumpReading> {
    const service = this.#service;
    await service.link.mustBeReal(signal);
    const wasRunning = this.#duty !== 0;
    const command = this.#endCommand();
    try {
      const order = { power_pct: percent, hold_s: HOLD_S };
      const { reading } = await service.post('/api/speed', order, commandAnswer, signal);
      if (!reading.verified || actingDuty(reading) !== duty)
        throw service.client.corrupt('/api/speed', `with ${shown(reading)} where duty ${duty} was commanded`);
      if (command === this.#commands) {
        this.#duty = duty;
        service.hold((told) => this.#standing(told.reading));
      }
      return reading;
    } catch (thrown) {
      // Another command has taken over, or a stop is about to.
      if (command !== this.#commands || signal?.aborted) throw thrown;
      // Refused before anything was sent to the pump, which another bridge commands: its run goes on.
      if (thrown instanceof RigError && thrown.code === 'held_by_bridge') throw thrown;
      if (wasRunning) service.lost(`a change of its power failed: ${messageOf(thrown)}`);
      else service.stopOnce();
      throw thrown;
    }
  }

  async #stop(signal?: AbortSignal): Promise<PumpReading> {
    this.#endCommand();
    const told = await this.#service.stopped('/api/stop', {}, commandAnswer, mustStand, signal);
    return told.reading;
  }

  async #zero(signal: AbortSignal): Promise<StepResult> {
    await this.#stop(signal);
    const detail = `duty 0 and disabled by read-back of svc-pump at ${this.component.endpoint}`;
    return { status: 'done', verified: true, detail };
  }

  async #read(signal?: AbortSignal): Promise<PumpReading> {
    const command = this.#commands;
    const { reading } = await this.#service.status(signal);
    const standing = this.#standing(reading);
    if (command === this.#commands && this.#duty !== 0 && typeof standing === 'object')
      this.#service.lost(standing.lost);
    return reading;
  }

  /** Its service may have been started anew, or have stopped it: then it is no longer commanded. */
  #standing(reading: PumpReading): Standing {
    if (actingDuty(reading) === this.#duty) return 'held';
    return { lost: `it shows ${shown(reading)} where duty ${this.#duty} was commanded` };
  }

  /** Nothing is renewed any more. @returns the number of the command that begins */
  #endCommand(): number {
    this.#service.release();
    this.#duty = 0;
    this.#commands += 1;
    return this.#commands;
  }
}

function mustStand({ reading }: PumpAnswer): void {
  if (reading.verified && reading.duty === 0 && !reading.enabled) return;
  throw new RigError('device_error', DEVICE, `svc-pump answered the stop with ${shown(reading)}`);
}

const shown = ({ duty, enabled, verified }: PumpReading): string =>
  `duty ${duty}, ${enabled ? 'enabled' : 'disabled'}${verified ? '' : ', not verified'}`;
