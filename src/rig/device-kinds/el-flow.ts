import { normalLitres } from '../../bench/plant/normal-litres.ts';
import { ElFlow } from '../../devices/el-flow/driver.ts';
import { modbus } from '../configuration/connection-schemas.ts';
import { modbusSensor } from '../hardware/real/modbus-sensor.ts';
import { defineSensorKind, type SensorOpening } from './device-kind.ts';

/** A Bronkhorst EL-FLOW mass flow meter. Its largest model measures 1670 ln/min. */
export const elFlow = defineSensorKind({
  kind: 'el-flow',
  title: 'the mass flow meter',
  adapter: { name: 'EL-FLOW', protocol: 'modbus-rtu', description: 'mass flow meter' },
  connections: () => modbus({ baudrate: 19_200, unitId: 3 }),
  quantity: { unit: 'ln/min', range: [0, 1670], resolution: 0.001 },
  simulate: (plant) => normalLitres(plant.state().pump_flow_lpm),
});

export const openElFlow: SensorOpening = (options, plugin) =>
  modbusSensor(elFlow, options, plugin, {
    driver: (master, unit) => new ElFlow(master, { unit, device: plugin.id }),
    read: async (meter, exchange) => {
      const { normalLitresPerMinute: value, ...marks } = await meter.read(exchange);
      return { value, ...marks };
    },
  });
