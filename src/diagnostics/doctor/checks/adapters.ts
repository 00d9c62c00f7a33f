import { failed, type Json } from '../../firmware-report.ts';
import { type Check, type DoctorSignals, type Found, seen } from '../finding.ts';
import { component } from './bridge.ts';

/** Short keys of the health answer for adapters without an entry in `components`. */
const SHORT_KEYS: Readonly<Record<string, string>> = {
  'sensor-adc': 'sensor_adc',
  'pump-motor': 'motor',
  'lung-motor': 'lung',
  'modbus-io': 'modbus',
};
const WELL = /^(ok|connected|healthy|ready)(\s|$)/;

/** Group F: the adapters as the bridge sees them. */
export const adapterChecks: readonly Check[] = [
  {
    code: 'identify_unavailable',
    severity: 'warn',
    repair: null,
    find: ({ detection: { firmware } }) =>
      failed(firmware.identify)
        ? {
            message: 'the bridge does not identify its adapters',
            evidence: [seen(firmware.url, firmware.identify.error)],
            cause: 'an older bridge, or one that is overloaded',
            remedy: 'svcctl identify; the log of svc-bridge has the reason',
          }
        : undefined,
  },
  accessCheck('firmware_no_serial_access', 'mount_serial_devices', true),
  accessCheck('remote_firmware_no_serial_access', 'align_firmware_host', false),
  {
    code: 'adapter_health_not_ok',
    severity: 'warn',
    repair: 'check_adapter',
    find: (signals) =>
      adaptersOf(signals).flatMap(({ id, status }): Found[] => {
        const entry = component(signals, id);
        const short = shortHealth(signals, id);
        const health = typeof entry?.status === 'string' ? entry.status : short;
        if (health === 'disabled' || (health === undefined && status === 'disabled')) return [];
        if (health === undefined)
          return status === 'ok' ? [] : [adapterFound(`adapter_${id}_not_ok`, id, status, '')];
        const isWell = entry ? health === 'ok' : WELL.test(health);
        return isWell
          ? []
          : [adapterFound(`adapter_${id}_health_not_ok`, id, health, String(entry?.message ?? ''))];
      }),
  },
];

function adapterFound(code: string, id: string, status: string, message: string): Found {
  return {
    code,
    message: `${id} is ${status}${message === '' ? '' : `: ${message}`}`,
    evidence: [
      seen(
        code.endsWith('_health_not_ok') ? 'GET /api/v1/hardware/health' : 'GET /api/v1/hardware/identify',
        status,
      ),
    ],
    cause: CAUSES[status] ?? 'the bridge has no use of this device now',
    remedy: STEPS[id] ?? 'check supply, cable and configuration of the device',
  };
}

const CAUSES: Readonly<Record<string, string>> = {
  held: 'another program holds the device',
  config_error: 'its entry in svc.yaml cannot be used',
  timeout: 'the device or its service does not respond in time',
  incompatible: 'another device answers at its place',
  'adapter-only': 'the port opens, the device gives no response',
  'no-access': 'the account of the bridge may not open the device',
};

const STEPS: Readonly<Record<string, string>> = {
  'modbus-io': 'check supply and RS-485 wires of the valve board, then svcctl doctor',
  'pump-motor': 'svcctl services shows svc-pump; check USB and 24 V of the pump driver',
  'lung-motor': 'svcctl services shows svc-lung; check USB and 24 V of the lung motor',
  'sensor-adc': 'svcctl services shows svc-sensors; check the I2C wires of the ADS1115',
  'adc-stack': 'svcctl profile shows the ADC services; check USB and UART of the ADCs',
};

interface Adapter {
  id: string;
  status: string;
}

function adaptersOf({ detection: { firmware } }: DoctorSignals): Adapter[] {
  if (failed(firmware.identify) || !Array.isArray(firmware.identify.adapters)) return [];
  return (firmware.identify.adapters as Json[]).map(({ id, status }) => ({
    id: String(id),
    status: String(status),
  }));
}

function shortHealth({ detection: { firmware } }: DoctorSignals, id: string): string | undefined {
  const key = SHORT_KEYS[id];
  const value = failed(firmware.health) || key === undefined ? undefined : firmware.health[key];
  return typeof value === 'string' ? value : undefined;
}

/** A list of identify that is missing says nothing. */
function accessCheck(code: string, repair: string, local: boolean): Check {
  return {
    code,
    severity: 'warn',
    repair,
    find: ({ detection: { firmware, host } }) => {
      if (firmware.is_local !== local || failed(firmware.identify) || !('usb_serial_devices' in host))
        return undefined;
      const list = (firmware.identify.diagnostics as Json | undefined)?.serial_ports;
      const { usb_serial_devices: ports } = host;
      if (!Array.isArray(list) || list.length > 0 || ports.length === 0) return undefined;
      return {
        message: `this machine has ${ports.join(', ')}, the ${local ? '' : 'remote '}bridge sees no serial port`,
        evidence: [
          seen('/sys/class/tty', ports.join(', ')),
          seen('GET /api/v1/hardware/identify', 'serial_ports is empty'),
        ],
        cause: local
          ? 'the bridge runs in a container or a sandbox without the devices'
          : 'the adapters are plugged into this machine and the bridge runs on another one',
        remedy: local
          ? 'pass the device nodes to the container of the bridge'
          : 'plug the adapters into the machine of the bridge, or run the bridge here',
      };
    },
  };
}
