import { DeviceError } from '../../../devices/device-error.ts';
import { CodedError } from '../../../lib/errors/coded-error.ts';
import type { Metrics } from '../../../lib/http/metrics.ts';
import type { Outcome } from '../device/outcome.ts';
import type { Reading } from './reading.ts';

/** What the last readings and probes say to `/metrics`; a scrape itself asks no device. */
export class Meters {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** @param channel as the service names it: `ai01`, `G1`, `AIN1` */
  reading(channel: string, adapter: string, outcome: Outcome<Reading>): void {
    // Not a number rather than an old voltage: nobody shall take it for the present one.
    const volts = outcome.ok ? outcome.reading.volts : Number.NaN;
    this.#metrics.set('svc_adc_volts', volts, { channel, adapter });
    if (outcome.ok) this.#up(adapter, true);
    else this.failed(adapter, outcome.error);
  }

  answered(device: string): void {
    this.#up(device, true);
  }

  /** A busy device and one whose caller went away say nothing about the device. */
  failed(device: string, thrown: unknown): void {
    const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
    this.#metrics.count('svc_device_errors_total', { device, code });
    if (thrown instanceof DeviceError && ['device_busy', 'aborted'].includes(code)) return;
    this.#up(device, false);
  }

  #up(device: string, isUp: boolean): void {
    this.#metrics.set('svc_device_up', isUp ? 1 : 0, { device });
  }
}
