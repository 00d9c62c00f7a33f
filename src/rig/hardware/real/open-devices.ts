import { Ads1115 } from '../../../devices/ads1115/driver.ts';
import { Dri0050 } from '../../../devices/dri0050/driver.ts';
import { ModbusIo } from '../../../devices/modbus-io/driver.ts';
import type { RtuLine } from '../../../devices/modbus-rtu/line.ts';
import type { ModbusMaster } from '../../../devices/modbus-rtu/master.ts';
import { ModbusTcpMaster } from '../../../devices/modbus-tcp/tcp-master.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import { isLocalAddress, isLoopback } from '../../../lib/http/loopback.ts';
import type { LockHolder } from '../../../lib/lock/lock.ts';
import { openI2cBus, TcpTransport } from '../../../transports/index.ts';
import {
  type AdcMap,
  type Plugin,
  type PluginId,
  VALVE_BOARD_IDS,
  type ValveBoardId,
} from '../../configuration/types.ts';
import type { DeviceEvents, RigDevices } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, usable } from './access.ts';
import type { Opened } from './device-slot.ts';
import type { AdcDriver, PumpDriver, ValveDriver } from './drivers.ts';
import type { BridgeCaller } from './http/actuator-service.ts';
import { configuredSensors } from './http/adc-map.ts';
import { configuredPump } from './http/pump.ts';
import { ModbusLines, replyTimes } from './modbus-line.ts';
import { realLung } from './open-lung.ts';
import { drivenPump } from './pump.ts';
import { drivenSensors } from './sensors.ts';
import { addressAccess, slotAccess } from './slot-access.ts';
import type { LungSettings } from './tic-lung-settings.ts';
import { drivenValves, type ValveBoard } from './valves.ts';

export interface OpenDevicesOptions extends DeviceEvents {
  plugins: readonly Plugin[];
  clock: Clock;
  identity: () => LockHolder;
  /** Lines that the devices share; without it each has its own. */
  lines?: ModbusLines | undefined;
  /** Voltages that come from an ADC service in place of the sensor ADC. */
  adcMap?: AdcMap | undefined;
  /** For services that own devices. */
  token?: string | undefined;
  /** For the services that own actuators: the bridge holds them, the guard does not. */
  bridge?: BridgeCaller | undefined;
  /** What is demanded of a lung that a driver of this process moves. */
  lung?: LungSettings | undefined;
}

/** The devices that `svc.yaml` names. Nothing is opened yet. */
export function realDevices(given: OpenDevicesOptions): RigDevices {
  const options = { ...given, lines: given.lines ?? new ModbusLines() };
  const { clock } = options;
  return {
    valves: drivenValves(valveBoards(options), clock),
    pump: configuredPump(options, () => drivenPump(pumpAccess(options), clock)),
    lung: realLung(options),
    sensors: configuredSensors(options, () => drivenSensors(sensorAccess(options), clock)),
  };
}

/** The valve boards, as drivers in this process reach them. */
const valveBoards = (options: OpenDevicesOptions): ValveBoard[] =>
  VALVE_BOARD_IDS.map((id) => ({ id, access: valveAccess(options, id) }));

function valveAccess(options: OpenDevicesOptions, id: ValveBoardId): DeviceAccess<ValveDriver> {
  return onModbus(options, id, (line, unit): Driven<ValveDriver> => {
    const io = new ModbusIo(line, { unit, device: id });
    return { driver: io, start: () => io.start(), probe: () => io.probe() };
  });
}

/** How the pump is reached by a driver in this process. */
export function pumpAccess(options: OpenDevicesOptions): DeviceAccess<PumpDriver> {
  return onModbus(options, 'pump-motor', (line, unit): Driven<PumpDriver> => {
    const pump = new Dri0050(line, { unit });
    return { driver: pump, start: () => pump.start(), probe: () => pump.readState() };
  });
}

/** How the converter is reached by a driver in this process. */
export function sensorAccess(options: OpenDevicesOptions): DeviceAccess<AdcDriver> {
  return onI2cBus(options, 'sensor-adc', (bus, address): Driven<AdcDriver> => {
    const adc = new Ads1115(bus, { address, clock: options.clock });
    return { driver: adc, start: () => adc.probe(), probe: () => adc.probe() };
  });
}

type Driven<T> = Omit<Opened<T>, 'close'>;

function onModbus<T>(
  options: OpenDevicesOptions,
  id: PluginId,
  drive: (master: ModbusMaster, unit: number) => Driven<T>,
): DeviceAccess<T> {
  const judged = usable(options.plugins, id, ['modbus-rtu', 'modbus-tcp']);
  if ('kind' in judged) return judged;
  const { plugin, connection } = judged;
  const { clock, lines = new ModbusLines() } = options;
  const driven = (master: RtuLine | ModbusTcpMaster, onLost: (cause: unknown) => void) => {
    const forget = master.onState((state) => {
      if (state === 'absent') onLost(new RigError('device_unavailable', id, `${master.endpoint} went away`));
    });
    return { ...drive(master, connection.deviceId), forget };
  };
  if (connection.type === 'modbus-tcp') {
    const { host, port } = connection;
    const endpoint = `${host}:${port}`;
    const open: SlotOpening<T> = async (onLost) => {
      const transport = new TcpTransport({ host, port, clock });
      const master = new ModbusTcpMaster({ ...replyTimes([plugin]), clock, transport });
      await master.open();
      const { forget, ...opened } = driven(master, onLost);
      const close = () => {
        forget();
        return master.close();
      };
      return { ...opened, close };
    };
    return slotAccess(options, id, {
      plugin,
      endpoint,
      path: null,
      lockKeys: () => [`tcp-${endpoint}`],
      // A server does not tell what stands behind it. One on this machine is no device: it is a twin, or may be one.
      isBench: () => isLoopback(host) || isLocalAddress(host),
      open,
    });
  }
  const { serialPort, baudrate, parity, line, deviceId } = connection;
  const shared = lines.lineOf(connection, options.plugins, plugin, clock);
  const endpoint = `${serialPort}@${baudrate} 8${parity}1${line ? ` unit ${deviceId}` : ''}`;
  const open: SlotOpening<T> = async (onLost) => {
    const { value, release } = await shared.take();
    const { forget, ...opened } = driven(value.line, onLost);
    const close = () => {
      forget();
      return release();
    };
    return { ...opened, close, warnings: value.warnings };
  };
  return addressAccess({ ...options, lines }, id, { plugin, connection }, serialPort, endpoint, open);
}

type SlotOpening<T> = (onLost: (cause: unknown) => void) => Promise<Opened<T>>;

function onI2cBus<T>(
  options: OpenDevicesOptions,
  id: PluginId,
  drive: (bus: ReturnType<typeof openI2cBus>, address: number) => Driven<T>,
): DeviceAccess<T> {
  const judged = usable(options.plugins, id, ['i2c']);
  if ('kind' in judged) return judged;
  const { bus: address, address: chip } = judged.connection;
  const open = async () => {
    const bus = openI2cBus(address, { clock: options.clock });
    return { ...drive(bus, chip), close: () => bus.close() };
  };
  return addressAccess(options, id, judged, address, `${address}#0x${chip.toString(16)}`, open);
}
