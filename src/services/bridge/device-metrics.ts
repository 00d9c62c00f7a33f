import type { MetricRegistry } from '../../lib/http/metrics.ts';
import type { Rig } from '../../rig/hardware/ports.ts';

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
