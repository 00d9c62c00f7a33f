import { CodedError } from '../../lib/errors/coded-error.ts';
import type { Metrics } from '../../lib/http/metrics.ts';
import type { Outcome, Reading } from './reading.ts';

/** Failures that say nothing about the device: too many callers, or one that went away. */
const CALLERS = new Set(['device_busy', 'aborted', 'invalid_request']);

/** What the last readings and probes say to `/metrics`; a scrape itself asks no device. */
export class Meters {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** @param channel as the service names it: `ai01`, `G1`, `AIN1` */
  reading(channel: string, adapter: string, outcome: Outcome<Reading>): void {
    const labels = { channel, adapter };
    if (outcome.ok) {
      this.#metrics.set('svc_adc_volts', outcome.reading.volts, labels);
      this.answered(adapter);
      return;
    }
    // Not a number rather than an old voltage: it must not be taken for the present one.
    if (!CALLERS.has(outcome.error.code)) this.#metrics.set('svc_adc_volts', Number.NaN, labels);
    this.failed(adapter, outcome.error);
  }

  answered(device: string): void {
    this.#metrics.set('svc_device_up', 1, { device });
  }

  failed(device: string, thrown: unknown): void {
    const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
    this.#metrics.count('svc_device_errors_total', { device, code });
    if (!CALLERS.has(code)) this.#metrics.set('svc_device_up', 0, { device });
  }
}
