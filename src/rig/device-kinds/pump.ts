import { Dri0050 } from '../../devices/dri0050/driver.ts';
import { http, modbus } from '../configuration/connection-schemas.ts';
import { configuredPump } from '../hardware/real/http/pump.ts';
import { modbusAccess } from '../hardware/real/modbus-access.ts';
import { drivenPump } from '../hardware/real/pump.ts';
import type { PumpDevice } from '../hardware/rig-device.ts';
import { defineDeviceKind, type Opening } from './device-kind.ts';
import { mustBeAddress } from './device-variable.ts';

export const PUMP_ID = 'pump-main';
const PLUGIN = 'pump-motor';

/** The pump motor: a DRI0050, at 9600 baud and unit 50. */
export const pump = defineDeviceKind({
  role: 'pump',
  kind: 'pump',
  names: [PLUGIN],
  title: 'the pump',
  remedy: 'svcctl services shows svc-pump; check USB and 24 V of the pump driver',
  healthKey: 'motor',
  adapter: { name: 'DRI0050', protocol: 'modbus-rtu', description: 'pump motor' },
  connections: () => ({ ...http, ...modbus({ baudrate: 9600, unitId: 50 }) }),
  withoutFile: { [PLUGIN]: { type: 'http', params: { base_url: 'http://127.0.0.1:49055' } } },
  variables: [
    { name: 'SVC_MOTOR_URL', plugin: PLUGIN, type: 'http', parameter: 'base_url', isNumber: false },
  ],
  owner: {
    service: 'svc-pump',
    /** SVC_PUMP_SERIAL_PORT, a serial path; there is no default. */
    connection: ({ SVC_PUMP_SERIAL_PORT: serialPort }) => {
      if (!serialPort) return undefined;
      mustBeAddress('SVC_PUMP_SERIAL_PORT', serialPort, ['serial', 'bench'], 'a path such as /dev/ttyUSB0');
      return { type: 'modbus-rtu', serialPort, baudrate: 9600, parity: 'N', deviceId: 50 };
    },
  },
  safeState: {
    pump_zero: { order: 2, capMs: 800, byHand: 'unplug the pump and check that it has stopped' },
  },
  peripherals: () => [{ id: PUMP_ID, name: 'Pump', unit: '%' }],
  watch: {
    lostAfterMs: Number.POSITIVE_INFINITY,
    look: async (readers, _, signal) => {
      const { enabled, duty } = await readers.readPump(signal);
      return enabled && duty > 0 ? [PUMP_ID] : [];
    },
  },
});

export const openPump: Opening<PumpDevice> = (options) =>
  configuredPump(options, () => {
    const access = modbusAccess(options, PLUGIN, (line, unit) => {
      const driver = new Dri0050(line, { unit });
      return { driver, start: () => driver.start(), probe: () => driver.readState() };
    });
    return drivenPump(access, options.clock);
  });
