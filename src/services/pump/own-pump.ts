import { Plant } from '../../bench/plant/index.ts';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { openPump } from '../../rig/device-kinds/pump.ts';
import { healthOf } from '../../rig/hardware/component-health.ts';
import { mockPump } from '../../rig/hardware/mock/pump.ts';
import { ownedPlugin } from '../../rig/hardware/owned-plugin.ts';
import type { DeviceEvents, PumpDevice } from '../../rig/hardware/rig-device.ts';
import type { DeviceSurroundings } from '../../rig/service/device-service.ts';
import { MOCK_MESSAGE } from './shown.ts';

const DEVICE = 'pump-motor';

/**
 * The pump that this service owns: a DRI0050 on SVC_PUMP_SERIAL_PORT, in mock mode that of a plant of its own.
 *
 * @throws StartRefusedError in real mode without the variable, or when it is not a serial port
 */
export function ownPump(
  { mode, env, clock, identity }: Pick<DeviceSurroundings, 'mode' | 'env' | 'clock' | 'identity'>,
  { onReturn }: Pick<DeviceEvents, 'onReturn'>,
): PumpDevice {
  if (mode === 'mock') return simulatedPump(new Plant({ clock, random: seededRandom(clock.now()) }));
  const plugin = ownedPlugin(DEVICE, env);
  if (!plugin)
    throw new StartRefusedError(
      'SVC_PUMP_SERIAL_PORT is not set and SVC_HARDWARE_MODE is real; ' +
        'name the port of the pump, for example /dev/serial/by-id/usb-<adapter>',
    );
  // What this service owns it also commands: there is no one else who could lose the pump for it.
  return openPump({ plugins: [plugin], clock, identity, onReturn, onLost: () => {} });
}

function simulatedPump(plant: Plant): PumpDevice {
  const port = mockPump(plant);
  const health = healthOf('mock', MOCK_MESSAGE);
  return {
    port,
    component: { id: DEVICE, endpoint: null, path: null, check: async () => health, known: () => health },
    steps: {
      pump_zero: async () => {
        await port.setPower(0);
        return { status: 'simulated', verified: false, detail: 'plant: duty 0' };
      },
    },
    open: async () => {},
    close: async () => {},
  };
}
