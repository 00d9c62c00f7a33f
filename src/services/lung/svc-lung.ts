import { StartRefusedError } from '../../lib/http/exposure.ts';
import { ownedPlugin } from '../../rig/hardware/owned-plugin.ts';
import { lungSettings } from '../../rig/hardware/real/tic-lung-settings.ts';
import { BridgeHold } from '../../rig/hold/bridge-hold.ts';
import type { DeviceServiceDefinition, DeviceSurroundings } from '../../rig/service/device-service.ts';
import { HeldLung } from './held-lung.ts';
import { simulatedLung } from './mock-lung.ts';
import type { OwnedLung } from './owned-lung.ts';
import { realLung } from './real-lung.ts';
import { lungRoutes } from './routes.ts';

/** The service that owns the lung motor. */
export const svcLung: DeviceServiceDefinition = {
  service: 'svc-lung',
  description: 'Lung service: the Tic T249 of the artificial lung',
  prefix: 'SVC_LUNG',
  defaultPort: 8205,
  isGuarded: true,
  build: (around) => {
    const { clock, logger, metrics } = around;
    const lung = lungOf(around, (why) => {
      logger.error(why);
      held.hold.stopInBackground('a motion ended, and is not proven to have');
    });
    const held = new HeldLung(lung, { clock, logger, metrics });
    metrics.beforeRender(() => {
      const isUp = lung.isUp();
      if (isUp !== undefined) metrics.set('svc_device_up', isUp ? 1 : 0, { device: 'lung-motor' });
    });
    return {
      routes: lungRoutes(lung, held, new BridgeHold({ ...around, device: 'lung-motor' }), around),
      open: () => held.open(),
      shutDown: (reason) => held.shutDown(reason),
    };
  },
};

function lungOf(
  { env, mode, clock, logger, identity }: DeviceSurroundings,
  onLost: (why: string) => void,
): OwnedLung {
  const settings = lungSettings(env);
  if (mode === 'mock') return simulatedLung(clock, settings);
  const plugin = ownedPlugin('lung-motor', env);
  if (!plugin)
    throw new StartRefusedError('SVC_LUNG_ADDRESS must be the address of the Tic, for example usb:1ffb:00c9');
  return realLung({ plugin, settings, clock, identity, logger, onLost });
}
