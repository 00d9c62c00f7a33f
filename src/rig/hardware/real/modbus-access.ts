import type { RtuLine } from '../../../devices/modbus-rtu/line.ts';
import type { ModbusMaster } from '../../../devices/modbus-rtu/master.ts';
import { ModbusTcpMaster } from '../../../devices/modbus-tcp/tcp-master.ts';
import { isLocalAddress, isLoopback } from '../../../lib/http/loopback.ts';
import { TcpTransport } from '../../../transports/index.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, usable } from './access.ts';
import { addressAccess, managedAccess } from './managed-access.ts';
import type { Driven, Opened } from './managed-device.ts';
import { ModbusLines, replyTimes } from './modbus-line.ts';
import type { OpenDevicesOptions } from './open-devices.ts';

type SlotOpening<T> = (onLost: (cause: unknown) => void) => Promise<Opened<T>>;

/** How a Modbus device is reached by a driver in this process: on its own port, on a line, or through a TCP gateway. */
export function modbusAccess<T>(
  options: OpenDevicesOptions,
  id: string,
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
    return managedAccess(options, id, {
      plugin,
      endpoint,
      path: null,
      lockKeys: () => [`tcp-${endpoint}`],
      // A server does not report what stands behind it. One on this machine is no device: it is a twin, or may be one.
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
