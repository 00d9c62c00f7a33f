import { Plant } from '../../bench/plant/index.ts';
import { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { coalescedInputs } from '../../rig/hardware/coalesced-reads.ts';
import { mockSensors } from '../../rig/hardware/mock/sensors.ts';
import { DeviceNames } from '../../rig/hardware/names.ts';
import { ownedPlugin } from '../../rig/hardware/owned-plugin.ts';
import { sensorAccess } from '../../rig/hardware/real/open-devices.ts';
import { drivenSensors } from '../../rig/hardware/real/sensors.ts';
import type { SensorDevice } from '../../rig/hardware/rig-device.ts';
import type { DeviceServiceDefinition, DeviceSurroundings } from '../../rig/service/device-service.ts';
import { sensorRoutes } from '../../rig/service/sensor-routes.ts';
import { healthRoutes } from './health.ts';
import { watchReadings } from './readings-metrics.ts';

/** The sensor service: the ADS1115 on I2C (services specification, section 7). */
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
          sensors: coalescedInputs(port, new CoalescedCalls()),
          names,
          clock,
          metrics,
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
  plugins: Parameters<typeof sensorAccess>[0]['plugins'],
): SensorDevice {
  const onReturn = () => logger.info('the converter answers again');
  return drivenSensors(sensorAccess({ plugins, clock, identity, onReturn, onLost: () => {} }), clock);
}

function plantSensors({ clock }: DeviceSurroundings): SensorDevice['port'] {
  return mockSensors(new Plant({ clock, random: seededRandom(clock.now()) }), clock);
}
