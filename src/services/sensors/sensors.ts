import { Plant } from '../../bench/plant/index.ts';
import { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import type { Plugin } from '../../rig/configuration/types.ts';
import { openVoltages } from '../../rig/device-kinds/voltage-converter.ts';
import { coalescedSensors } from '../../rig/hardware/coalesced-reads.ts';
import { mockVoltages } from '../../rig/hardware/mock/sensors.ts';
import { DeviceNames } from '../../rig/hardware/names.ts';
import { ownedPlugin } from '../../rig/hardware/owned-plugin.ts';
import type { VoltageDevice } from '../../rig/hardware/rig-device.ts';
import { voltageSensors } from '../../rig/hardware/sensor-ports.ts';
import type { DeviceServiceDefinition, DeviceSurroundings } from '../../rig/service/device-service.ts';
import { sensorRoutes } from '../../rig/service/sensor-routes.ts';
import { translateRigFault } from '../../rig/service/translate.ts';
import { healthRoutes } from './health.ts';
import { watchReadings } from './readings-metrics.ts';

/** The sensor service: the ADS1115 on I2C. */
export const sensorService: DeviceServiceDefinition = {
  service: 'svc-sensors',
  description: 'Sensor service: voltages of the ADS1115 on I2C',
  prefix: 'SVC_SENSORS',
  defaultPort: 8204,
  build: (around) => {
    const { env, config, clock, metrics, mode } = around;
    // Judged in mock mode as well: what is wrong in the settings is wrong today, not on the day of the rig.
    const plugin = ownedPlugin('sensor-adc', env);
    const plugins = plugin ? [plugin] : [];
    const device = mode === 'real' ? realSensors(around, plugins) : undefined;
    const port = device?.port ?? plantSensors(around);
    const names = new DeviceNames(config.aliases);
    return {
      routes: [
        ...healthRoutes({
          ...around,
          component: device?.component,
          plugin,
          isBench: () => port.origin.bench,
        }),
        ...sensorRoutes({
          sensors: coalescedSensors(voltageSensors(port), new CoalescedCalls()),
          names,
          clock,
          translate: translateRigFault(metrics),
          note: watchReadings(metrics, device?.component),
        }),
      ],
      open: async () => device?.open(),
      // Nothing here moves: to be closed is to be safe.
      shutDown: async () => {
        await device?.close();
        return true;
      },
    };
  },
};

function realSensors(
  { clock, identity, logger }: DeviceSurroundings,
  plugins: readonly Plugin[],
): VoltageDevice {
  const onReturn = () => logger.info('the converter answers again');
  return openVoltages({ plugins, clock, identity, onReturn, onLost: () => {} });
}

function plantSensors({ clock }: DeviceSurroundings): VoltageDevice['port'] {
  return mockVoltages(new Plant({ clock, random: seededRandom(clock.now()) }), clock);
}
