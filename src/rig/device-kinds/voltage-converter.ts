import { Ads1115 } from '../../devices/ads1115/driver.ts';
import { http, i2c } from '../configuration/connection-schemas.ts';
import { configuredVoltages } from '../hardware/real/http/adc-map.ts';
import { i2cAccess } from '../hardware/real/i2c-access.ts';
import { drivenVoltages } from '../hardware/real/voltages.ts';
import type { VoltageDevice } from '../hardware/rig-device.ts';
import { ADS1115, SENSOR_IDS } from '../hardware/voltage-inputs.ts';
import { defineDeviceKind, type Opening } from './device-kind.ts';
import { mustBeAddress, refuseVariable } from './device-variable.ts';

const PLUGIN = 'sensor-adc';

/** The sensor ADC: an ADS1115 with four voltage inputs, ai01 to ai04. */
export const voltageConverter = defineDeviceKind({
  role: 'voltages',
  kind: 'voltage-converter',
  names: [PLUGIN],
  title: 'the sensor ADC',
  remedy: 'svcctl services shows svc-sensors; check the I2C wires of the ADS1115',
  healthKey: 'sensor_adc',
  adapter: { name: 'ADS1115', protocol: 'i2c', description: 'sensor ADC' },
  connections: () => ({ ...http, ...i2c(0x48) }),
  withoutFile: { [PLUGIN]: { type: 'http', params: { base_url: 'http://127.0.0.1:8080' } } },
  variables: [
    { name: 'SVC_SENSOR_ADC_URL', plugin: PLUGIN, type: 'http', parameter: 'base_url', isNumber: false },
  ],
  owner: {
    service: 'svc-sensors',
    /** SVC_I2C_BUS, a bus number, path or `bench:<socket>`, default 1; SVC_ADS1115_ADDRESS, default 0x48. */
    connection: (env) => {
      const given = env.SVC_I2C_BUS || '1';
      const bus = /^\d{1,3}$/.test(given) ? `/dev/i2c-${given}` : given;
      mustBeAddress('SVC_I2C_BUS', bus, ['i2c', 'bench'], 'a bus number, /dev/i2c-N or bench:<socket>');
      const address = env.SVC_ADS1115_ADDRESS || '0x48';
      if (!/^0x4[89ab]$/i.test(address))
        refuseVariable('SVC_ADS1115_ADDRESS', address, '0x48, 0x49, 0x4A or 0x4B');
      return { type: 'i2c', bus, address: Number(address) };
    },
  },
  quantity: { unit: 'V', range: ADS1115.range, resolution: ADS1115.step },
  peripherals: () => SENSOR_IDS.map((id, input) => ({ id, name: `Analog input ${input + 1}`, unit: 'V' })),
});

export const openVoltages: Opening<VoltageDevice> = (options) =>
  configuredVoltages(options, () => {
    const access = i2cAccess(options, PLUGIN, (bus, address) => {
      const driver = new Ads1115(bus, { address, clock: options.clock });
      return { driver, start: () => driver.probe(), probe: () => driver.probe() };
    });
    return drivenVoltages(access, options.clock);
  });
