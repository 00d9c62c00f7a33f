import { CodedError } from '../../lib/errors/coded-error.ts';
import type { MetricRegistry } from '../../lib/http/metrics.ts';
import type { Component } from '../../rig/hardware/ports.ts';
import type { SensorRoutesOptions } from '../../rig/service/sensor-routes.ts';

const ADAPTER = 'sensor-adc';

/**
 * `svc_adc_volts` of each reading, and `svc_device_up` from what is known already: a scrape touches no device.
 *
 * @param component undefined in mock mode, where there is no device
 */
export function watchReadings(
  metrics: MetricRegistry,
  component: Component | undefined,
): NonNullable<SensorRoutesOptions['note']> {
  if (component)
    metrics.beforeRender(() => {
      metrics.set('svc_device_up', component.known().status === 'ok' ? 1 : 0, { device: ADAPTER });
    });
  return (channel, outcome) => {
    // Too many callers say nothing about the voltage.
    if (outcome instanceof CodedError && outcome.code === 'device_busy') return;
    // Not a number rather than an old voltage: nobody shall take it for the present one.
    const volts = outcome instanceof CodedError ? Number.NaN : outcome.value;
    metrics.set('svc_adc_volts', volts, { channel, adapter: ADAPTER });
  };
}
