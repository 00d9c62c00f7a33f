import { DEVICE_KINDS, kindOf } from '../../../rig/device-kinds/index.ts';
import { failed, type Json } from '../../firmware-report.ts';
import { type Check, type DoctorSignals, type Found, seen } from '../finding.ts';
import { component } from './bridge.ts';

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
      adaptersOf(signals).flatMap((adapter): Found[] => {
        const { id, status } = adapter;
        const entry = component(signals, id);
        const short = shortHealth(signals, id);
        const health = typeof entry?.status === 'string' ? entry.status : short;
        if (health === 'disabled' || (health === undefined && status === 'disabled')) return [];
        if (health === undefined)
          return status === 'ok' ? [] : [adapterFound(`adapter_${id}_not_ok`, adapter, status, '')];
        const isWell = entry ? health === 'ok' : WELL.test(health);
        return isWell
          ? []
          : [adapterFound(`adapter_${id}_health_not_ok`, adapter, health, String(entry?.message ?? ''))];
      }),
  },
];

function adapterFound(code: string, { id, model }: Adapter, status: string, message: string): Found {
  const kind = DEVICE_KINDS.find(({ adapter }) => adapter.name === model);
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
    remedy: kind?.remedy ?? 'check supply, cable and configuration of the device',
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

interface Adapter {
  id: string;
  /** Name of its kind of device. */
  model: string;
  status: string;
}

function adaptersOf({ detection: { firmware } }: DoctorSignals): Adapter[] {
  if (failed(firmware.identify) || !Array.isArray(firmware.identify.adapters)) return [];
  return (firmware.identify.adapters as Json[]).map(({ id, name, status }) => ({
    id: String(id),
    model: String(name),
    status: String(status),
  }));
}

function shortHealth({ detection: { firmware } }: DoctorSignals, id: string): string | undefined {
  // Of adapters without an entry in `components`.
  const key = kindOf(id, undefined)?.healthKey ?? undefined;
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
