import { failed, type Json } from '../../firmware-report.ts';
import { isSamePort } from '../../host/serial-ports.ts';
import { type Check, type DoctorSignals, seen } from '../finding.ts';

/** Group E: the bridge. */
export const bridgeChecks: readonly Check[] = [
  {
    code: 'firmware_unreachable',
    severity: 'error',
    repair: 'start_firmware',
    find: ({ detection: { firmware }, owners }) => {
      const { bridge, health, url } = firmware;
      const part = failed(bridge) ? bridge : failed(health) ? health : undefined;
      if (!part) return undefined;
      const held = [...owners.owners].find(([, list]) => list.some(({ own_bridge }) => own_bridge));
      const pid = held?.[1].find(({ own_bridge }) => own_bridge)?.pid;
      if (held && pid !== undefined)
        return {
          message: `svc-bridge (pid ${pid}) runs and does not respond at ${url}`,
          evidence: [seen(url, part.error), seen(`/proc/${pid}/fd`, `${held[0]} is open`)],
          ...(part.error.includes('refused')
            ? {
                cause: 'it listens on another port (SVC_BRIDGE_PORT)',
                remedy: 'svcctl services shows its port; then --firmware-url or SVC_FIRMWARE_URL',
              }
            : {
                cause: 'it hangs or was suspended, and no guard ended it',
                remedy: 'svcctl stop makes the rig safe and ends it; then svcctl services --adopt',
              }),
        };
      return {
        message: `the bridge at ${url} does not answer`,
        evidence: [seen(url, part.error)],
        cause: firmware.is_local
          ? 'svc-bridge does not run, or listens on another port'
          : 'the machine is off, the network is down, or the address is wrong',
        remedy: firmware.is_local
          ? 'svcctl services shows its state; svcctl services --adopt starts what does not run'
          : 'check network and address (--firmware-url, SVC_FIRMWARE_URL)',
      };
    },
  },
  {
    code: 'firmware_not_real',
    severity: 'warn',
    repair: 'enable_real_mode',
    find: (signals) => {
      const health = healthOf(signals);
      if (!health || health.mode === 'real') return undefined;
      const mode = typeof health.mode === 'string' ? health.mode : 'unknown';
      return {
        message: `the bridge runs in ${mode} mode: no device is opened and every value is simulated`,
        evidence: [seen('GET /api/v1/hardware/health', `mode ${mode}`)],
        cause: 'SVC_HARDWARE_MODE is not real where the bridge was started',
        remedy:
          'set SVC_HARDWARE_MODE=real in rig.env and restart the services, once the rig is safe to be driven',
      };
    },
  },
  {
    code: 'firmware_config_stale',
    severity: 'warn',
    repair: 'restart_firmware',
    find: (signals) => {
      const { config, firmware } = signals.detection;
      const endpoint = component(signals, 'modbus-io')?.endpoint;
      const [, port = '', baud, parity] = /^(.*)@(\d+) 8([NEO])1/.exec(String(endpoint)) ?? [];
      if (!config.ok || !config.modbus || baud === undefined || !firmware.is_local) return undefined;
      const { serial_port, baudrate, parity: own } = config.modbus;
      const isEqual =
        isSamePort(signals.facts.host, port.replace(/^serial:([^?]*).*$/, '$1'), serial_port) &&
        Number(baud) === baudrate &&
        parity === own;
      if (isEqual) return undefined;
      const variables = Object.entries(config.variables);
      const names = variables.map(([name]) => name).join(', ');
      return {
        message: `the bridge runs with ${endpoint}, the configuration has ${serial_port}@${baudrate} 8${own}1`,
        evidence: [
          seen('GET /api/v1/hardware/health', endpoint),
          seen(config.path ?? 'defaults', `${serial_port}@${baudrate} 8${own}1`),
          ...variables.map(([name, value]) => seen(name, value)),
        ],
        cause:
          names === ''
            ? 'svc.yaml was changed after the bridge had started'
            : `${names} has another value here than where the bridge was started, or svc.yaml was changed since`,
        remedy:
          names === '' ? 'svcctl config apply' : `compare ${names} with rig.env, then svcctl config apply`,
      };
    },
  },
  {
    code: 'bench_in_use',
    severity: 'warn',
    repair: 'check_device_addresses',
    find: (signals) => {
      const health = healthOf(signals);
      if (health?.mode !== 'real' || health.bench !== true) return undefined;
      return {
        message: 'the bridge drives twins of the bench, not real devices',
        evidence: [seen('GET /api/v1/hardware/health', 'bench true')],
        cause:
          'the device addresses lead to the bench; right for training and CI, wrong for a unit under test',
        remedy: 'on a rig: set the addresses of the real devices in svc.yaml, then svcctl config apply',
      };
    },
  },
  {
    code: 'modbus_output_mode',
    severity: 'warn',
    repair: 'set_output_mode',
    find: (signals) => {
      const valves = component(signals, 'modbus-io');
      if (valves?.code !== 'valve_mode_not_normal') return undefined;
      return {
        message: 'an output of the valve board is not in normal mode',
        evidence: [seen('GET /api/v1/hardware/health', valves.message)],
        cause: 'registers 1000 to 1007 of the board were changed: outputs follow inputs, toggle or flash',
        remedy:
          "set the registers 1000 to 1007 of the board to 0 with its maker's tool, then cycle its supply",
      };
    },
  },
  {
    code: 'calibration_confirmation_required',
    severity: 'warn',
    repair: 'confirm_calibration',
    find: (signals) => {
      const health = healthOf(signals);
      const doubtful = Object.entries((health?.components ?? {}) as Record<string, Json>).filter(([, one]) =>
        JSON.stringify(one).includes('"calibration_confirmation_required":true'),
      );
      const [first] = doubtful;
      if (!first) return undefined;
      return {
        message: 'the voltages come from another source than the calibration was confirmed for',
        evidence: [seen('GET /api/v1/hardware/health', `${first[0]}: calibration_confirmation_required`)],
        cause: 'the USB ADC chip was replaced, or the source of a voltage changed',
        remedy: 'check the sources, then svcctl adc-confirm',
      };
    },
  },
];

export function healthOf({ detection: { firmware } }: DoctorSignals): Json | undefined {
  return failed(firmware.health) ? undefined : firmware.health;
}

export function component(signals: DoctorSignals, id: string): Json | undefined {
  return (healthOf(signals)?.components as Record<string, Json> | undefined)?.[id];
}
