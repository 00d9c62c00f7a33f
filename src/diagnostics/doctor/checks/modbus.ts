import { MODBUS_VARIABLES, type ModbusSettings } from '../../config-report.ts';
import { failed, type Json } from '../../firmware-report.ts';
import { isSamePort } from '../../host/serial-ports.ts';
import type { ModbusProbe } from '../../probe/modbus-probe.ts';
import type { PortFinding } from '../../probe/probe-ports.ts';
import {
  type Check,
  type DoctorSignals,
  type Evidence,
  type Found,
  type ModbusFix,
  type NotChecked,
  seen,
} from '../finding.ts';

/** Group B: the Modbus line. Only for a bridge on this machine. */
export const modbusChecks: readonly Check[] = [
  {
    code: 'modbus_config_missing',
    severity: 'error',
    repair: 'add_modbus_plugin',
    find: (signals) => {
      const probe = answering(signals);
      const { config } = signals.detection;
      if (!probe || !config.ok || config.modbus !== null || config.path === null) return undefined;
      return {
        message: 'a Modbus device answers, and plugins.modbus-io is absent or disabled',
        evidence: [seen('probe', placeText(probe)), seen(config.path, 'no enabled plugins.modbus-io')],
        cause: 'the valve board is not part of the configuration',
        remedy: `add plugins.modbus-io with connection_type: modbus-rtu and serial_port: ${probe.serial_port} to svc.yaml`,
      };
    },
  },
  {
    code: 'modbus_config_mismatch',
    severity: 'error',
    repair: 'update_modbus_config',
    find: mismatch,
  },
  {
    code: 'modbus_device_id_mismatch',
    severity: 'error',
    repair: 'set_modbus_device_id',
    find: (signals) => {
      const probe = answering(signals);
      const settings = settingsOf(signals);
      if (!probe || !settings || probe.device_id === settings.device_id) return undefined;
      return {
        message: `configured unit id ${settings.device_id}, the device answers as ${probe.device_id}`,
        evidence: [seen('probe', placeText(probe))],
        cause: 'the board has another address than the configuration, or it is another board',
        remedy: `check that it is the valve board, then set device_id: ${probe.device_id} (unit_id on a line) in svc.yaml`,
      };
    },
  },
  {
    code: 'modbus_ambiguous',
    severity: 'warn',
    repair: 'choose_modbus_port',
    find: (signals) => {
      const probe = answering(signals);
      if (!probe?.ambiguous) return undefined;
      return {
        message: `devices answer on ${probe.responders.join(' and ')} with the same settings`,
        evidence: probe.ports.map(({ device, detail }) => seen(device, detail)),
        cause: 'two Modbus devices with the same settings are plugged in',
        remedy:
          'unplug the one that is not the valve board and run svcctl doctor again, or set serial_port in svc.yaml',
      };
    },
  },
  {
    code: 'modbus_port_reserved',
    severity: 'error',
    repair: 'choose_modbus_port',
    find: ({ detection, ports, reserved, facts: { host } }) => {
      const settings = detection.config.ok ? detection.config.modbus : null;
      if (!settings) return undefined;
      const port = ports.find(({ device }) => isSamePort(host, device, settings.serial_port));
      const others = [
        [reserved.uartModule, 'port of the UART ADC module (UARTADC_SERIAL_PORT)'],
        [reserved.pump, 'port of the pump'],
      ] as const;
      const other = others.find(
        ([path]) => path !== undefined && isSamePort(host, path, settings.serial_port),
      );
      const why = other?.[1] ?? (port?.reserved === 'on-board UART' ? null : port?.reserved);
      if (!why) return undefined;
      return {
        message: `the configured port ${settings.serial_port} belongs to another device`,
        evidence: [seen(settings.serial_port, why)],
        cause: 'serial_port of plugins.modbus-io names the wrong port',
        remedy: 'set serial_port in svc.yaml to the RS-485 adapter: ls -l /dev/serial/by-id',
      };
    },
  },
  {
    code: 'modbus_adapter_only',
    severity: 'warn',
    repair: 'check_modbus_wiring',
    find: (signals) => {
      const probe = probeOf(signals);
      if (isNotChecked(probe)) return probe;
      if (probe.connected !== true || probe.modbus_device_responds !== false || isHealthy(signals))
        return undefined;
      const step = wiringStep(probe.ports);
      const more =
        probe.source === 'firmware'
          ? '; if all is well there, npx pm2 stop svc-bridge, svcctl doctor: without the bridge it tries other settings'
          : '';
      return {
        message: `${probe.serial_port ?? 'the port'} opens, no Modbus device answers`,
        evidence: [
          seen(probe.source === 'firmware' ? 'bridge' : 'probe', probe.reason),
          ...portEvidence(probe.ports),
        ],
        ...step,
        remedy: step.remedy + more,
      };
    },
  },
  {
    code: 'modbus_not_detected',
    severity: 'error',
    repair: 'connect_modbus_adapter',
    find: (signals) => {
      const probe = probeOf(signals);
      if (isNotChecked(probe)) return probe;
      if (probe.connected !== false || isHealthy(signals)) return undefined;
      return {
        message: `no port of the Modbus line can be opened (${probe.serial_port ?? 'none configured'})`,
        evidence: [seen('probe', probe.reason), ...portEvidence(probe.ports)],
        cause: 'the adapter is unplugged, in use, or the configured port does not exist',
        remedy:
          'plug in the USB-RS485 adapter, run ls -l /dev/serial/by-id, and set serial_port in svc.yaml to it',
      };
    },
  },
  {
    code: 'modbus_probe_incomplete',
    severity: 'info',
    repair: 'rerun_probe',
    find: (signals) => {
      const probe = probeOf(signals);
      if (isNotChecked(probe)) return undefined;
      if (probe.modbus_device_responds !== false || probe.source === 'firmware') return undefined;
      const skipped = probe.skipped_ports.filter(({ reason }) => /^in use/.test(reason));
      const untried = probe.ports.reduce((sum, one) => sum + one.untried, 0);
      if (skipped.length === 0 && !probe.exhausted) return undefined;
      return {
        message: `not found within the budget does not mean absent: ${untried} combinations untried, ${skipped.length} ports skipped`,
        evidence: skipped.map(({ device, reason }) => seen(device, reason)),
        cause: probe.exhausted ? 'the time for the sweep was used up' : 'ports in use are not probed',
        remedy: probe.exhausted
          ? 'svcctl doctor --probe-budget 60'
          : 'stop the programs that hold the ports, then svcctl doctor',
      };
    },
  },
];

function mismatch(signals: DoctorSignals): Found | undefined {
  const probe = answering(signals);
  const { config } = signals.detection;
  const settings = settingsOf(signals);
  if (!probe || !config.ok || !settings) return undefined;
  const { serial_port, baudrate, parity, device_id } = probe;
  if (serial_port === null || baudrate === null || parity === null || device_id === null) return undefined;
  const detected: ModbusSettings = { serial_port, baudrate, parity, device_id };
  const { host } = signals.facts;
  const differing = (['serial_port', 'baudrate', 'parity'] as const).filter((key) =>
    key === 'serial_port'
      ? !isSamePort(host, serial_port, settings.serial_port)
      : detected[key] !== settings[key],
  );
  if (differing.length === 0) return undefined;
  const mismatches: ModbusFix['mismatches'] = Object.fromEntries(
    differing.map((key) => [key, { current: settings[key], detected: detected[key] }]),
  );
  const [set] = MODBUS_VARIABLES.filter(([name, key]) => key in mismatches && config.variables[name]);
  const unsafe = set ? `${set[0]} is set and wins over svc.yaml` : whyUnsafe(signals, probe);
  return {
    message: `configured ${lineText(settings)}${set ? ` (${set[0]})` : ''} on ${settings.serial_port}, the device answers at ${lineText(detected)} on ${serial_port}`,
    evidence: [
      seen('probe', `FC01 answered twice: ${placeText(probe)}`),
      set ? seen(set[0], config.variables[set[0]]) : seen(config.path ?? 'defaults', placeText(settings)),
    ],
    cause: set
      ? `${set[0]} says something else than the board`
      : differing.includes('serial_port')
        ? 'the adapter is on another port than in svc.yaml'
        : 'the board is set to another rate or parity than in svc.yaml',
    remedy: set
      ? `remove ${set[0]} from the environment of the services (rig.env), then svcctl config apply`
      : unsafe === null
        ? 'svcctl doctor --fix'
        : `${unsafe}; correct svc.yaml by hand, then svcctl config apply`,
    fix: { unsafe, mismatches, detected },
  };
}

/** Why `--fix` must leave the file alone; null when it may write. */
function whyUnsafe({ detection: { config } }: DoctorSignals, probe: ModbusProbe): string | null {
  if (!config.ok || config.path === null) return 'there is no svc.yaml';
  if (probe.ambiguous) return 'two ports answer';
  if (!gaveCoil(probe)) return 'only a Modbus exception came back: it may be another kind of device';
  if (config.modbus?.line)
    return `the settings are those of lines.${config.modbus.line}, which other devices may share`;
  if (config.overridden.length > 0) return 'a variable wins over svc.yaml';
  if (probe.device_id !== config.modbus?.device_id)
    return 'another unit id answers: it may be another device';
  return null;
}

const lineText = ({ baudrate, parity }: Pick<ModbusSettings, 'baudrate' | 'parity'>): string =>
  `${baudrate} 8${parity}1`;
const placeText = ({
  serial_port,
  baudrate,
  parity,
  device_id,
}: Pick<ModbusProbe, keyof ModbusSettings>): string =>
  `${serial_port} ${baudrate} 8${parity}1 id ${device_id}`;

const isNotChecked = (probe: ModbusProbe | NotChecked): probe is NotChecked => 'notChecked' in probe;

/** What is known of the line, or why nothing is. */
function probeOf({ detection: { config, probes } }: DoctorSignals): ModbusProbe | NotChecked {
  const { modbus } = probes;
  if (!('source' in modbus)) return { notChecked: modbus.error };
  if (modbus.connected === null) return { notChecked: modbus.reason };
  if (config.ok && config.modbus === null && !modbus.modbus_device_responds)
    return { notChecked: 'no valve board on a serial line is configured' };
  return modbus;
}

/** The probe, where a device answered it. What the bridge reports agrees with its own settings. */
function answering({ detection: { probes } }: DoctorSignals): ModbusProbe | undefined {
  const { modbus } = probes;
  return 'source' in modbus && modbus.source === 'probe' && modbus.modbus_device_responds
    ? modbus
    : undefined;
}

/** The reply was the coil that was asked for: an exception may come from any Modbus device. */
const gaveCoil = ({ ports, responders: [device] }: ModbusProbe): boolean =>
  ports.find((port) => port.device === device)?.kind === 'answer';

/** One device alone answers at these settings: seen by the probe, or by the bridge that took the port meanwhile. */
export function isFoundAt({ detection, facts: { host } }: DoctorSignals, wanted: ModbusSettings): boolean {
  const { modbus } = detection.probes;
  return (
    'source' in modbus &&
    modbus.modbus_device_responds === true &&
    !modbus.ambiguous &&
    (modbus.source === 'firmware' || gaveCoil(modbus)) &&
    modbus.serial_port !== null &&
    isSamePort(host, modbus.serial_port, wanted.serial_port) &&
    (['baudrate', 'parity', 'device_id'] as const).every((key) => modbus[key] === wanted[key])
  );
}

const settingsOf = ({ detection: { config } }: DoctorSignals): ModbusSettings | null =>
  config.ok ? config.modbus : null;

function isHealthy({ detection: { firmware } }: DoctorSignals): boolean {
  if (failed(firmware.health)) return false;
  const component = (firmware.health.components as Json | undefined)?.['modbus-io'] as Json | undefined;
  return component?.status === 'ok';
}

/** `framing errors 12`, or that no one counts them. */
function errorText({ line_errors: errors }: PortFinding): string {
  if (errors === 'unknown') return 'line errors unknown';
  return `framing errors ${errors.frame}, parity ${errors.parity}, overrun ${errors.overrun}, break ${errors.break}`;
}

const portEvidence = (ports: readonly PortFinding[]): Evidence[] =>
  ports.map((port) => {
    const { device, kind, detail, bytes } = port;
    return seen(device, `${kind}: ${detail}${bytes === '' ? '' : ` [${bytes}]`}; ${errorText(port)}`);
  });

/** Cause and next hand movement, by what came back. */
function wiringStep(ports: readonly PortFinding[]): Pick<Found, 'cause' | 'remedy'> {
  const kinds = ports.map(({ kind }) => kind);
  if (kinds.includes('foreign_traffic'))
    return { cause: 'another master uses this line', remedy: 'disconnect the other master; a line has one' };
  if (kinds.includes('echo'))
    return {
      cause: 'the adapter works and sends its own request back; no board is on the line',
      remedy: 'check the supply of the valve board and the wires A and B up to its terminals',
    };
  if (kinds.includes('garbage')) {
    const heard = ports.find(({ kind }) => kind === 'garbage')?.detail ?? '';
    return { cause: heard, remedy: 'swap A and B, check bias and termination, then svcctl doctor' };
  }
  return {
    cause: 'the valve board has no supply, A and B are swapped, or a wire is open',
    remedy: 'check the 24 V supply of the valve board (its LED), then swap A and B, then svcctl doctor',
  };
}
