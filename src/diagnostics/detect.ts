import type { Clock } from '../lib/clock/clock.ts';
import { messageOf } from '../lib/errors/coded-error.ts';
import { guardAddress, liveAddress, rigKey, stateDirOf } from '../lib/liveness/live-address.ts';
import type { RigConfig } from '../rig/configuration/load-rig-config.ts';
import { listenerOf } from '../rig/guard/process-id.ts';
import { OperatorStopFile } from '../rig/safe-state/operator-stop-record.ts';
import { type I2cBusEntry, listI2cBuses } from '../transports/sysfs/i2c-buses.ts';
import { type ConfigReport, readConfig, settingsOf } from './config-report.ts';
import {
  type FailedPart,
  type FirmwareAddress,
  type FirmwareReport,
  failed,
  readFirmware,
} from './firmware-report.ts';
import type { HostRoot } from './host/host-root.ts';
import { type OwnerScan, type PortOwner, type RoleOf, scanOwners } from './host/port-owners.ts';
import { type PowerReport, readPower } from './host/power.ts';
import { type HostPort, hostPorts, isSamePort, type ReservedPorts } from './host/serial-ports.ts';
import { type UsbListing, usbListing } from './host/usb-devices.ts';
import { type ModbusProbe, probeModbus } from './probe/modbus-probe.ts';

export interface DetectOptions {
  host: HostRoot;
  /** Of the rig, with what its running programs were started with. */
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  firmware: FirmwareAddress;
  clock: Clock;
  /** Milliseconds for the sweep of one port; undefined: nothing is probed. */
  probeBudgetMs: number | undefined;
  signal?: AbortSignal;
  progress?: (line: string) => void;
  /** What is known before silent lines are swept, which takes up to `probeBudgetMs`. */
  onFirst?: (signals: Signals) => void;
}

export interface HostReport {
  usb_devices: readonly UsbListing[];
  usb_serial_devices: readonly string[];
  serial_port_owners: Readonly<Record<string, readonly PortOwner[]>>;
  owner_scan: { complete: boolean; unreadable: number };
  i2c_buses: readonly (I2cBusEntry & { accessible: boolean })[];
  power: PowerReport;
}

export interface Detection {
  config: ConfigReport | { ok: false; path: string | null; error: string };
  host: HostReport | FailedPart;
  probes: { modbus: ModbusProbe | FailedPart };
  firmware: FirmwareReport;
}

/** What the checks of the doctor need besides the document. */
export interface Signals {
  detection: Detection;
  loaded: RigConfig | undefined;
  ports: readonly HostPort[];
  owners: OwnerScan;
  reserved: ReservedPorts;
}

const NO_OWNERS: OwnerScan = { owners: new Map(), complete: false, unreadable: 0, deleted: [] };
/** Of the whole detection; what is before the probe takes a few seconds at most. */
const LIMIT_MS = 45_000;

/** Collects the signals of configuration, host, Modbus line and bridge. A part that fails says so in its place. */
export async function detect(options: DetectOptions): Promise<Signals> {
  const { host, env, clock } = options;
  const deadlineMs = clock.monotonic() + LIMIT_MS;
  const firmware = await readFirmware(options.firmware);
  const config = readConfig({ env, cwd: options.cwd, systemPath: host.path('/etc/svc/svc.yaml') });
  const loaded = 'loaded' in config ? config.loaded : undefined;
  const reserved = reservedPorts(host, env, loaded);
  const settings = config.report.ok ? config.report.modbus : null;
  const [ports, portsFault] = await attempt(() => hostPorts(host, reserved), []);
  const devices = ports.map(({ device }) => device);
  if (settings !== null && !devices.includes(settings.serial_port)) devices.push(settings.serial_port);
  const [owners, ownersFault] = await attempt(
    async () => scanOwners(host, devices, rolesOf(firmware, stateDirOf(env))),
    NO_OWNERS,
  );
  const fault = portsFault ?? ownersFault;
  const hostReport = fault ?? (await part(() => reportHost(host, ports, owners)));
  const record = new OperatorStopFile(stateDirOf(env));
  const operatorStop = () => record.read();
  const signals = (modbus: ModbusProbe | FailedPart): Signals => ({
    detection: { config: config.report, host: hostReport, probes: { modbus }, firmware },
    loaded,
    ports,
    owners,
    reserved,
  });
  const { onFirst } = options;
  const modbus = await part(() =>
    probeModbus({
      ...options,
      onFirst: onFirst && ((first) => onFirst(signals(first))),
      operatorStop,
      ports,
      owners,
      settings,
      firmwareReport: firmware,
      reserved,
      deadlineMs,
    }),
  );
  return signals(modbus);
}

async function reportHost(
  host: HostRoot,
  ports: readonly HostPort[],
  { owners, complete, unreadable }: OwnerScan,
): Promise<HostReport> {
  const buses = listI2cBuses(host.path('/sys'), host.path('/dev'));
  return {
    usb_devices: await usbListing(host, ports),
    usb_serial_devices: ports.filter(({ kind }) => kind === 'serial').map(({ device }) => device),
    serial_port_owners: Object.fromEntries(owners),
    owner_scan: { complete, unreadable },
    i2c_buses: buses.map((bus) => {
      const path = host.nameOf(bus.path);
      return { ...bus, path, accessible: host.mayUse(path) };
    }),
    power: await readPower(host),
  };
}

/** Ports that are not the valve board's. */
export function reservedPorts(
  host: HostRoot,
  env: Readonly<Record<string, string | undefined>>,
  loaded: RigConfig | undefined,
): ReservedPorts {
  const pump = loaded?.config.plugins.find(({ id }) => id === 'pump-motor')?.connection;
  const own = pump?.type === 'modbus-rtu' && pump.line === undefined ? pump.serialPort : undefined;
  return {
    uartModule: env.UARTADC_SERIAL_PORT || '/dev/serial0',
    pump: env.SVC_PUMP_SERIAL_PORT || own,
    others: loaded ? otherPorts(host, loaded) : [],
  };
}

/** Of every other plugin and line, also where it is disabled or faulty; never the configured port of the valve board. */
function otherPorts(host: HostRoot, { config, file }: RigConfig): ReservedPorts['others'] {
  const named = [
    ...config.plugins.map(({ id, connection }) => ({
      id,
      path: connection?.type === 'modbus-rtu' ? settingsOf(connection).serial_port : undefined,
    })),
    ...Object.entries(file.plugins ?? {}).map(([id, entry]) => ({
      id,
      path: entry?.connection_params?.serial_port,
    })),
  ];
  const valves = named.find(({ id, path }) => id === 'modbus-io' && path !== undefined)?.path;
  const others = [
    ...named.flatMap(({ id, path }) =>
      id === 'modbus-io' || typeof path !== 'string' ? [] : [{ path, owner: `plugins.${id}` }],
    ),
    ...Object.entries(file.lines ?? {}).map(([name, { port }]) => ({ path: port, owner: `lines.${name}` })),
  ];
  return others
    .map(({ path, owner }) => ({ path: path.replace(/^serial:([^?]*).*$/, '$1'), owner }))
    .filter(({ path }) => typeof valves !== 'string' || !isSamePort(host, path, valves));
}

/**
 * Bridge and guard of this rig. The bridge reports its own pid; of one that does not respond, and of the guard, the kernel reports
 * who has the address that belongs to the state folder.
 */
function rolesOf({ bridge, is_local }: FirmwareReport, stateDir: string): RoleOf {
  if (!is_local) return () => null;
  const rig = rigKey(stateDir);
  const own = failed(bridge)
    ? listenerOf(liveAddress('svc-bridge', rig))?.pid
    : bridge.service === 'svc-bridge'
      ? bridge.pid
      : undefined;
  const guard = listenerOf(guardAddress(rig))?.pid;
  return (pid) => (pid === own ? 'bridge' : pid === guard ? 'guard' : null);
}

async function part<T>(work: () => Promise<T>): Promise<T | FailedPart> {
  const [value, fault] = await attempt<T | undefined>(work, undefined);
  return fault ?? (value as T);
}

async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<[T, FailedPart | undefined]> {
  try {
    return [await work(), undefined];
  } catch (fault) {
    return [otherwise, { ok: false, error: messageOf(fault) }];
  }
}
