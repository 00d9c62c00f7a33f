import { dutyOf } from '../../../../devices/dri0050/protocol.ts';
import type { Clock } from '../../../../lib/clock/clock.ts';
import type { Plugin } from '../../../../lib/config/types.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import type { StepResult } from '../../../safe-state/safe-state.ts';
import type { Component, PumpPort, PumpReading } from '../../ports.ts';
import type { DeviceEvents, PumpDevice } from '../../rig-device.ts';
import { RigError } from '../../rig-error.ts';
import { actingDuty, commandAnswer, type PumpAnswer, statusAnswer } from './pump-answers.ts';
import { PumpLink } from './pump-link.ts';
import { ServiceClient } from './service-client.ts';

const DEVICE = 'pump-motor';
/** Seconds that the pump goes on without being renewed, and how often that is done (services specification, section 8). */
const HOLD_S = 10;
const RENEW_MS = 3000;

export interface HttpPumpOptions extends DeviceEvents {
  baseUrl: string;
  token: string | undefined;
  clock: Clock;
  /** Milliseconds of one call, at most 2500. */
  timeoutMs: number;
}

/**
 * The pump as `svc.yaml` leads to it: through svc-pump for `connection_type: http`.
 *
 * @param driven the pump on a line of this process, or why there is none
 */
export function configuredPump(
  options: DeviceEvents & { plugins: readonly Plugin[]; clock: Clock; token?: string | undefined },
  driven: () => PumpDevice,
): PumpDevice {
  const { plugins, clock, token, onReturn, onLost } = options;
  const plugin = plugins.find((one) => one.id === DEVICE && one.enabled);
  if (plugin?.connection?.type !== 'http') return driven();
  const { baseUrl } = plugin.connection;
  return httpPump({ baseUrl, token, clock, timeoutMs: plugin.timeoutMs, onReturn, onLost });
}

/** The pump through svc-pump, the service that owns it (services specification, section 8). */
export function httpPump(options: HttpPumpOptions): PumpDevice {
  return new HttpPump(options);
}

class HttpPump implements PumpDevice {
  readonly port: PumpPort;
  readonly component: Component;
  readonly steps: PumpDevice['steps'];
  readonly #clock: Clock;
  readonly #client: ServiceClient;
  readonly #link: PumpLink;
  readonly #onLost: (why: string) => void;
  /** Duty under command here, 1..255; 0 while none is, or the service has not confirmed it. */
  #duty = 0;
  /** Grows with each command: what was asked before it says nothing about what came after. */
  #commands = 0;
  #cancelRenewal = () => {};

  constructor({ baseUrl, token, clock, timeoutMs, onReturn, onLost }: HttpPumpOptions) {
    this.#clock = clock;
    this.#onLost = onLost;
    this.#client = new ServiceClient({ device: DEVICE, baseUrl, token, clock, timeoutMs });
    const link = new PumpLink({ client: this.#client, clock, onReturn });
    this.#link = link;
    this.port = {
      origin: {
        mock: false,
        get bench() {
          return link.bench;
        },
      },
      setPower: (percent, signal) => {
        const duty = dutyOf(percent);
        return duty === 0 ? this.#stop(signal) : this.#run(percent, duty, signal);
      },
      read: (signal) => this.#read(signal),
    };
    this.component = {
      id: DEVICE,
      endpoint: baseUrl,
      path: null,
      check: (signal) => link.check(signal),
      known: () => link.health,
    };
    this.steps = { pump_zero: (signal) => this.#zero(signal) };
  }

  async open(): Promise<void> {
    await this.#link.check();
  }

  async close(): Promise<void> {
    this.#endCommand();
    this.#link.close();
  }

  /** Sent once. When nobody knows what came of it, the pump is stopped. */
  async #run(percent: number, duty: number, signal?: AbortSignal): Promise<PumpReading> {
    await this.#link.mustBeReal(signal);
    const wasRunning = this.#duty !== 0;
    const command = this.#endCommand();
    try {
      const body = { power_pct: percent, hold_s: HOLD_S };
      const reading = await this.#told(async () => {
        const answer = await this.#client.post('/api/speed', body, { signal });
        return commandAnswer(this.#client, '/api/speed', answer);
      });
      if (!reading.verified || actingDuty(reading) !== duty)
        throw this.#client.corrupt('/api/speed', `with ${shown(reading)} where duty ${duty} was commanded`);
      if (command === this.#commands) {
        this.#duty = duty;
        this.#renewLater(command);
      }
      return reading;
    } catch (thrown) {
      // Another command has taken over, or a stop is about to.
      if (command !== this.#commands || signal?.aborted) throw thrown;
      if (wasRunning) this.#lost(`a change of its power failed: ${messageOf(thrown)}`);
      else this.#stopOnce();
      throw thrown;
    }
  }

  async #stop(signal?: AbortSignal): Promise<PumpReading> {
    this.#endCommand();
    try {
      const reading = await this.#told(async () => {
        const answer = await this.#client.post('/api/stop', {}, { signal });
        return commandAnswer(this.#client, '/api/stop', answer);
      });
      if (reading.verified && reading.duty === 0 && !reading.enabled) return reading;
      throw new RigError('device_error', DEVICE, `svc-pump answered the stop with ${shown(reading)}`);
    } catch (thrown) {
      // Whatever it was, the pump is not proven to stand: its return is waited for.
      this.#link.failed(thrown);
      throw thrown;
    }
  }

  async #zero(signal: AbortSignal): Promise<StepResult> {
    await this.#stop(signal);
    const detail = `duty 0 and disabled by read-back of svc-pump at ${this.#client.baseUrl}`;
    return { status: 'done', verified: true, detail };
  }

  async #read(signal?: AbortSignal): Promise<PumpReading> {
    const command = this.#commands;
    const reading = await this.#told(async () =>
      statusAnswer(this.#client, '/api/status', await this.#client.get('/api/status', { signal })),
    );
    this.#compare(reading, command);
    return reading;
  }

  async #renew(command: number): Promise<void> {
    try {
      const reading = await this.#told(async () => {
        const answer = await this.#client.post('/api/hold', { hold_s: HOLD_S });
        return statusAnswer(this.#client, '/api/hold', answer);
      });
      this.#compare(reading, command);
      if (command === this.#commands) this.#renewLater(command);
    } catch (thrown) {
      if (command === this.#commands) this.#lost(`its hold could not be renewed: ${messageOf(thrown)}`);
    }
  }

  #renewLater(command: number): void {
    this.#cancelRenewal = this.#clock.after(RENEW_MS, () => void this.#renew(command));
  }

  /** Its service may have been started anew, or have stopped it: then nobody commands it any more. */
  #compare(reading: PumpReading, command: number): void {
    if (command !== this.#commands || this.#duty === 0 || actingDuty(reading) === this.#duty) return;
    this.#lost(`it shows ${shown(reading)} where duty ${this.#duty} was commanded`);
  }

  /** Told once for each command, and the stop is not waited for: whoever is told makes the whole rig safe. */
  #lost(why: string): void {
    this.#stopOnce();
    this.#onLost(`${DEVICE}: ${why}`);
  }

  #stopOnce(): void {
    this.#stop().catch(() => {});
  }

  /** Nothing is renewed any more. @returns the number of the command that begins */
  #endCommand(): number {
    this.#cancelRenewal();
    this.#duty = 0;
    this.#commands += 1;
    return this.#commands;
  }

  async #told(ask: () => Promise<PumpAnswer>): Promise<PumpReading> {
    try {
      const { reading, mock, bench } = await ask();
      this.#link.noteBench(bench);
      if (!mock) return reading;
      const text = `${this.#client.baseUrl} answers from its plant and moves no pump; start svc-pump with SVC_HARDWARE_MODE=real`;
      throw new RigError('wrong_device', DEVICE, text);
    } catch (thrown) {
      if (thrown instanceof RigError && UNWELL.has(thrown.code)) this.#link.failed(thrown);
      throw thrown;
    }
  }
}

/** After these the service is asked until it and its device are well again. */
const UNWELL = new Set([
  'device_unavailable',
  'device_timeout',
  'device_error',
  'corrupt_response',
  'wrong_device',
  'held_by_other',
]);

const shown = ({ duty, enabled, verified }: PumpReading): string =>
  `duty ${duty}, ${enabled ? 'enabled' : 'disabled'}${verified ? '' : ', not verified'}`;
