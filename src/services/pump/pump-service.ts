import { BridgeHold } from '../../rig/hold/bridge-hold.ts';
import type { DeviceServiceDefinition } from '../../rig/service/device-service.ts';
import { CommandedPump } from './commanded-pump.ts';
import { healthRoute } from './health.ts';
import { ownPump } from './own-pump.ts';
import { pumpRoutes } from './routes.ts';

/** The pump motor. */
export const pumpService: DeviceServiceDefinition = {
  service: 'svc-pump',
  description: 'Pump motor: power under a dead-man hold',
  prefix: 'SVC_PUMP',
  defaultPort: 49_055,
  isGuarded: true,
  build: (around) => {
    const { mode, metrics } = around;
    const device = ownPump(around, { onReturn: () => pump.returned() });
    const pump = new CommandedPump({ ...around, device });
    const bridge = new BridgeHold({ ...around, device: 'pump-motor' });
    if (mode === 'real')
      metrics.beforeRender(() => {
        const { id } = device.component;
        metrics.set('svc_device_up', device.component.known().status === 'ok' ? 1 : 0, { device: id });
      });
    return {
      routes: [healthRoute(pump, around), ...pumpRoutes(pump, bridge, around.config.limits)],
      open: () => pump.open(),
      shutDown: (reason) => pump.shutDown(reason),
    };
  },
};
