import type { Clock } from '../../lib/clock/clock.ts';
import type { OperatorStop } from '../../rig/safe-state/operator-stop-record.ts';
import { parityOf } from '../../transports/serial/serial-format.ts';
import { loadSerialPort, SerialTransport } from '../../transports/serial/serial-transport.ts';
import type { ModbusSettings } from '../config-report.ts';
import { type FirmwareReport, failed, type Json } from '../firmware-report.ts';
import type { HostRoot } from '../host/host-root.ts';
import type { OwnerScan } from '../host/port-owners.ts';
import { consolePorts, type HostPort, isSamePort, type ReservedPorts } from '../host/serial-ports.ts';
import type { LineCombination } from './combinations.ts';
import { type PortFinding, type ProbeOutcome, type ProbePort, probePorts } from './probe-ports.ts';

export interface SkippedPort {
  device: string;
  reason: string;
}

/** What is known of the Modbus line. */
export interface ModbusProbe {
  /** A port could be opened, by the bridge or by the probe; null where nothing was asked. */
  connected: boolean | null;
  modbus_device_responds: boolean | null;
  /** `firmware`: the bridge has the port, so nothing was opened; `none`: not probed, `reason` says why. */
  source: 'firmware' | 'probe' | 'none';
  serial_port: string | null;
  baudrate: number | null;
  parity: 'N' | 'E' | 'O' | null;
  device_id: number | null;
  reason: string;
  attempts: number;
  /** The time was used up before every combination was tried. */
  exhausted: boolean;
  /** Another port answers with the same settings. */
  ambiguous: boolean;
  /** Ports that answer. */
  responders: readonly string[];
  ports: readonly PortFinding[];
  skipped_ports: readonly SkippedPort[];
}

export interface ModbusProbeOptions {
  host: HostRoot;
  clock: Clock;
  probeBudgetMs: number | undefined;
  signal?: AbortSignal;
  progress?: (line: string) => void;
  /** What is known before the sweep of silent ports. */
  onFirst?: ((probe: ModbusProbe) => void) | undefined;
  /** Of the valve board as configured. */
  settings: ModbusSettings | null;
  ports: readonly HostPort[];
  owners: OwnerScan;
  reserved: ReservedPorts;
  firmwareReport: FirmwareReport;
  /** The stop that the rig has recorded. */
  operatorStop: () => OperatorStop | undefined;
  /** Monotonic ms. */
  deadlineMs: number;
}

const NOTHING: ModbusProbe = {
  connected: null,
  modbus_device_responds: null,
  source: 'none',
  serial_port: null,
  baudrate: null,
  parity: null,
  device_id: null,
  reason: '',
  attempts: 0,
  exhausted: false,
  ambiguous: false,
  responders: [],
  ports: [],
  skipped_ports: [],
};

/**
 * Where a Modbus device answers. With the bridge on the port its health is used; otherwise each free port is probed.
 */
export async function probeModbus(options: ModbusProbeOptions): Promise<ModbusProbe> {
  const { settings, firmwareReport, probeBudgetMs, host } = options;
  const known = fromFirmware(firmwareReport, settings);
  const { free, skipped } = sortPorts(options);
  if (known) return { ...known, skipped_ports: skipped.filter(({ device }) => device !== known.serial_port) };
  if (!firmwareReport.is_local)
    return {
      ...NOTHING,
      ...settings,
      reason: 'the bridge is on another machine; its line is not on this one',
    };
  if (probeBudgetMs === undefined)
    return { ...NOTHING, ...settingsOf(settings), reason: '--no-probe', skipped_ports: skipped };
  const holders = (settings && options.owners.owners.get(settings.serial_port)) ?? [];
  const holder = holders.find(({ own_bridge }) => own_bridge);
  if (holder) {
    const reason = `not probed: svc-bridge (pid ${holder.pid}) holds the port and does not respond`;
    return { ...NOTHING, ...settingsOf(settings), reason, skipped_ports: skipped };
  }
  const whyLeft = () => whyStopped(options);
  const stopped = whyLeft();
  if (stopped !== undefined)
    return { ...NOTHING, ...settingsOf(settings), reason: stopped, skipped_ports: skipped };
  if (free.length === 0)
    return { ...NOTHING, ...settingsOf(settings), ...noPort(options, skipped), skipped_ports: skipped };
  // Its first load takes longer than a lock may be held. That it fails shows when a port is opened.
  await loadSerialPort().catch(() => {});
  const report = (outcome: ProbeOutcome) => probed(outcome, options, skipped);
  const { onFirst } = options;
  const outcome = await probePorts({
    ...options,
    onFirst: onFirst && ((first) => onFirst(report(first))),
    whyLeft,
    ports: free,
    configured: settings,
    budgetMs: probeBudgetMs,
    open: (path, line) => openPort(host, path, line),
  });
  return report(outcome);
}

function probed(
  outcome: ProbeOutcome,
  options: ModbusProbeOptions,
  skipped: readonly SkippedPort[],
): ModbusProbe {
  const { settings } = options;
  const [hit] = outcome.hits;
  const wanted =
    settings && outcome.ports.find(({ device }) => isSamePort(options.host, device, settings.serial_port));
  const [first] = outcome.ports;
  const isOwned = wanted ? wanted.kind === 'owned' : outcome.ports.every(({ kind }) => kind === 'owned');
  const why = wanted ?? first;
  // Somebody, the guard for example, took the port of the valves since its owners were looked for: the others prove nothing.
  if (!hit && why && isOwned)
    return {
      ...NOTHING,
      ...settingsOf(settings),
      reason: `not probed: ${why.device}: ${why.detail}`,
      skipped_ports: skipped,
    };
  const opened = outcome.ports.filter(
    ({ kind }) => !['owned', 'no_permission', 'open_failed'].includes(kind),
  );
  const found: LineCombination | undefined = hit;
  return {
    ...NOTHING,
    connected: opened.length > 0,
    modbus_device_responds: hit !== undefined,
    source: 'probe',
    serial_port: hit ? stableName(hit.device, options) : (settings?.serial_port ?? null),
    baudrate: found?.baudrate ?? settings?.baudrate ?? null,
    parity: found?.parity ?? settings?.parity ?? null,
    device_id: found?.device_id ?? settings?.device_id ?? null,
    reason: hit ? 'a device answers' : reasonOf(outcome.ports, outcome.exhausted),
    attempts: outcome.attempts,
    exhausted: outcome.exhausted,
    ambiguous: outcome.hits.length > 1,
    responders: outcome.hits.map(({ device }) => device),
    ports: outcome.ports,
    skipped_ports: skipped,
  };
}

/** A serial port with the settings of a combination; nothing is opened yet. @param path for this process */
export const openPort = (
  host: HostRoot,
  path: string,
  { baudrate, parity }: LineCombination,
): SerialTransport =>
  new SerialTransport({
    address: `serial:${path}`,
    path,
    baud: baudrate,
    parity: parityOf(parity) ?? 'none',
    sys: host.path('/sys'),
  });

/** The component of the valve board while the bridge of this machine has its port open. */
function fromFirmware(
  { health, is_local }: FirmwareReport,
  settings: ModbusSettings | null,
): ModbusProbe | undefined {
  if (failed(health) || health.mode !== 'real') return undefined;
  const component = (health.components as Json | undefined)?.['modbus-io'] as Json | undefined;
  const { status, code, endpoint, message } = component ?? {};
  const answers = status === 'ok' || ['wrong_device', 'valve_mode_not_normal'].includes(String(code));
  const hasPort = answers || ['modbus_no_response', 'modbus_read_failed'].includes(String(code));
  if (!hasPort) return undefined;
  const [, port, baud, parity] = /^(.*)@(\d+) 8([NEO])1/.exec(String(endpoint)) ?? [];
  return {
    ...NOTHING,
    connected: true,
    modbus_device_responds: answers,
    source: 'firmware',
    serial_port: port ?? settings?.serial_port ?? null,
    baudrate: baud === undefined ? (settings?.baudrate ?? null) : Number(baud),
    parity: (parity as ModbusProbe['parity'] | undefined) ?? settings?.parity ?? null,
    device_id: settings?.device_id ?? null,
    reason: `port in use by the ${is_local ? '' : 'remote '}firmware bridge${answers ? '' : `: ${String(message)}`}`,
  };
}

/** Why nobody but the rig may use the port of the valves now; undefined when no stop is known. */
function whyStopped({
  operatorStop,
  firmwareReport: { bridge },
  settings,
  host,
}: ModbusProbeOptions): string | undefined {
  if (operatorStop() || (!failed(bridge) && bridge.operator_stop)) return STOPPED;
  if (failed(bridge) || !bridge.not_safe) return undefined;
  // The bridge cannot use a port that does not exist, and needs no other one.
  if (settings !== null && host.real(settings.serial_port) === undefined) return undefined;
  return `not probed: the safe state is not proven (${bridge.not_safe}); the bridge needs the port to close the valves`;
}

export const STOPPED = "not probed: an operator's stop is in force; check the rig, then svcctl stop --clear";

/** Ports that may be probed, the configured one first, and the others with the reason. */
function sortPorts({ host, ports, owners, settings, reserved }: ModbusProbeOptions): {
  free: ProbePort[];
  skipped: SkippedPort[];
} {
  const free: ProbePort[] = [];
  const skipped: SkippedPort[] = [];
  const wanted = settings?.serial_port;
  const real = wanted === undefined ? undefined : host.real(wanted);
  const known =
    wanted === undefined ? undefined : ports.find(({ device }) => isSamePort(host, device, wanted));
  const consider = (device: string, reason: string | null) => {
    // The guard lets go of it once the rig is safe, and is waited for.
    const owner = owners.owners.get(device)?.find(({ own_guard }) => !own_guard);
    if (reason !== null) skipped.push({ device, reason });
    else if (owner) skipped.push({ device, reason: `in use by ${owner.command} (pid ${owner.pid})` });
    else free.push({ device, path: host.path(device) });
  };
  // A pseudo-terminal, or a port that sysfs does not list: known by its path alone.
  if (wanted !== undefined && real !== undefined && !known) {
    const isReserved = [reserved.uartModule, reserved.pump, ...reserved.others.map(({ path }) => path)].some(
      (path) => path !== undefined && isSamePort(host, path, wanted),
    );
    consider(
      wanted,
      isReserved ? 'port of another device of the rig' : (consolePorts(host).get(real) ?? null),
    );
  }
  const inOrder = [...ports].sort((one, other) => Number(other === known) - Number(one === known));
  for (const { device, reserved: why } of inOrder) consider(device, why);
  return { free, skipped };
}

/** As configured, without the name of the line. */
function settingsOf(settings: ModbusSettings | null): Partial<ModbusProbe> {
  if (settings === null) return {};
  const { serial_port, baudrate, parity, device_id } = settings;
  return { serial_port, baudrate, parity, device_id };
}

function noPort(
  { settings, ports }: ModbusProbeOptions,
  skipped: readonly SkippedPort[],
): Pick<ModbusProbe, 'connected' | 'modbus_device_responds' | 'reason'> {
  const wanted = settings && skipped.find(({ device }) => device === settings.serial_port);
  const reason =
    !wanted && ports.every(({ kind }) => kind !== 'serial')
      ? 'no USB serial port'
      : `no free USB serial port: ${(wanted ?? skipped[0])?.device} is ${(wanted ?? skipped[0])?.reason}`;
  return { connected: false, modbus_device_responds: false, reason };
}

function reasonOf(ports: readonly PortFinding[], exhausted: boolean): string {
  const [first] = ports;
  const said = first ? `${first.device}: ${first.detail}` : 'no port could be opened';
  return exhausted ? `${said}; not found within the budget` : said;
}

/**
 * The by-id link where it leads to this port alone, else by-path, else the device; the configured name where it is
 * the same port.
 */
export function stableName(
  device: string,
  { host, ports, settings }: Pick<ModbusProbeOptions, 'host' | 'ports' | 'settings'>,
): string {
  if (settings && isSamePort(host, settings.serial_port, device)) return settings.serial_port;
  const port = ports.find((one) => isSamePort(host, one.device, device));
  return port?.by_id ?? port?.by_path ?? device;
}
