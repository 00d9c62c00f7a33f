import { type Detection, detect, type HostReport, type Signals } from '../../diagnostics/detect.ts';
import { failed } from '../../diagnostics/firmware-report.ts';
import type { ModbusProbe } from '../../diagnostics/probe/modbus-probe.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { wrapped } from '../io/wrapped.ts';
import { addressText, diagnosticsPlace } from './diagnostics-place.ts';
import { onInterrupt } from './on-interrupt.ts';

export interface DetectOptions {
  json?: true;
  /** `--no-probe` */
  probe?: boolean;
  /** Milliseconds for the sweep of one port. */
  probeBudget?: number;
  firmwareUrl?: string;
}

export const DEFAULT_BUDGET_MS = 15_000;

/** `svcctl detect`. @returns 0, also where parts could not be collected; 130 */
export async function detectCommand(options: DetectOptions, io: Io): Promise<number> {
  return onInterrupt(async (signal) => {
    const { detection } = await collect(options, io, signal);
    const text = options.json ? JSON.stringify(detection) : detectionLines(detection, io).join('\n');
    io.stdout.write(`${text}\n`);
    return EXIT.ok;
  });
}

/** Progress goes to a terminal only: a log needs no line for each attempt. */
export async function collect(
  options: DetectOptions,
  io: Io,
  signal: AbortSignal,
  onFirst?: (signals: Signals) => void,
): Promise<Signals> {
  const place = diagnosticsPlace(options.firmwareUrl, io);
  const { probe = true, probeBudget = DEFAULT_BUDGET_MS } = options;
  const isWatched = io.stderr.isTTY && !options.json;
  return detect({
    ...place,
    cwd: io.cwd,
    clock: io.clock,
    probeBudgetMs: probe ? probeBudget : undefined,
    signal,
    ...(onFirst ? { onFirst } : {}),
    ...(isWatched ? { progress: (line: string) => io.stderr.write(`${line}\n`) } : {}),
  });
}

/** What was detected, for people: one line for each part, wrapped to the terminal. */
export function detectionLines(
  { config, host, probes, firmware }: Detection,
  io: Pick<Io, 'stdout'>,
): string[] {
  const { bridge, identify } = firmware;
  const found = failed(identify) ? '' : `, ${String(identify.detected)}/${String(identify.total)} adapters`;
  const state = failed(bridge) ? bridge.error : `${String(bridge.mode)}, ${String(bridge.status)}${found}`;
  const rows: [string, string][] = [
    ['Bridge', `${addressText(firmware.url)}: ${state}`],
    ['Config', config.ok ? (config.path ?? 'no svc.yaml, the defaults hold') : config.error],
    ...('usb_devices' in host ? hostRows(host) : [['Host', host.error] as [string, string]]),
    ['Modbus', 'source' in probes.modbus ? modbusText(probes.modbus) : probes.modbus.error],
  ];
  return rows.flatMap(([name, text]) => wrapped(`${name.padEnd(14)}${text}`, io.stdout, 14));
}

function hostRows({ usb_devices, i2c_buses, power }: HostReport): [string, string][] {
  const ports = usb_devices.filter(({ device }) => !device.startsWith('/dev/bus/usb/'));
  const portText = ports.map(({ device, product, reserved }) =>
    [device, product && `(${product})`, reserved && `[${reserved}]`].filter(Boolean).join(' '),
  );
  const buses = i2c_buses.map(({ path, accessible }) => `${path}${accessible ? '' : ' (no permission)'}`);
  const supply =
    power.source === null
      ? 'not reported'
      : power.undervoltage_now
        ? 'UNDER-VOLTAGE NOW'
        : power.undervoltage_since_boot
          ? 'under-voltage since boot'
          : 'ok';
  return [
    ['Serial ports', portText.join(', ') || 'none'],
    ['I2C buses', buses.join(', ') || 'none'],
    ['Supply', supply],
  ];
}

export function modbusText(probe: ModbusProbe): string {
  const {
    modbus_device_responds: responds,
    serial_port,
    baudrate,
    parity,
    device_id,
    reason,
    source,
  } = probe;
  const place = serial_port === null ? 'no port' : `${serial_port} ${baudrate} 8${parity}1 id ${device_id}`;
  if (source === 'none') return `${place}: not probed (${reason})`;
  return responds ? `${place}: answers (${source})` : `${place}: ${reason}`;
}
