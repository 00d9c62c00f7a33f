import type { MetricRegistry, Metrics } from '../../lib/http/metrics.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';

/** `svc_device_up` of each device in use, from what is known already: a scrape touches no device. */
export function watchDevices(metrics: MetricRegistry, rig: Rig): void {
  metrics.beforeRender(() => {
    for (const component of rig.components) {
      const { status } = component.known();
      if (status === 'mock' || status === 'disabled') continue;
      metrics.set('svc_device_up', status === 'ok' ? 1 : 0, { device: component.id });
    }
  });
}

/** Counts a request that failed at a device. A command that made way for another one is no failure. */
export function countDeviceError(metrics: Metrics, thrown: unknown): void {
  if (!(thrown instanceof RigError) || thrown.code === 'superseded') return;
  metrics.count('svc_device_errors_total', { device: thrown.device, code: thrown.code });
}
