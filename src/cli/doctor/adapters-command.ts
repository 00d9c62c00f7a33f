import { readConfig } from '../../diagnostics/config-report.ts';
import {
  askFirmware,
  type FailedPart,
  failed,
  hardwareHealth,
  identify,
  type Json,
  type Scan,
} from '../../diagnostics/firmware-report.ts';
import { isLocalUrl } from '../../lib/http/loopback.ts';
import { type CalibrationState, calibrationStatus } from '../../rig/calibration/calibration-status.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { wrapped } from '../io/wrapped.ts';
import { addressText, type DiagnosticsPlace, diagnosticsPlace } from './diagnostics-place.ts';

export interface AdapterOptions {
  json?: true;
  firmwareUrl?: string;
  scan?: Scan;
}

interface Adapter {
  id: string;
  name: string;
  status: string;
  version: string | null;
  message: string;
}

/** `svcctl identify`: adapters as the bridge sees them. @returns 0; 1 when one is not ok. @throws CliError exit code 3 */
export async function identifyCommand(
  { json, firmwareUrl, scan = 'auto' }: AdapterOptions,
  io: Io,
): Promise<number> {
  const { firmware } = diagnosticsPlace(firmwareUrl, io);
  const answer = answered(firmware.url, await identify(firmware, scan));
  const adapters = adaptersOf(answer);
  const { scan_skip_reason: why } = (answer.diagnostics ?? {}) as Json;
  write(io, json, answer, [
    addressText(firmware.url),
    ...adapters.map(({ id, name, status, version, message }) => {
      const state = status === 'adapter-only' ? 'adapter-only, no response' : status;
      return `${id.padEnd(13)} ${state}${message === '' ? '' : `: ${message}`} (${name}${version ? ` ${version}` : ''})`;
    }),
    `${String(answer.detected)}/${String(answer.total)} ok${why ? `; no scan: ${String(why)}` : ''}`,
  ]);
  return adapters.length > 0 && adapters.every(({ status }) => status === 'ok') ? EXIT.ok : EXIT.failed;
}

/** `svcctl status`: mode and health of the components. @returns 0; 1 when one is not ok. @throws CliError exit code 3 */
export async function statusCommand({ json, firmwareUrl }: AdapterOptions, io: Io): Promise<number> {
  const { firmware } = diagnosticsPlace(firmwareUrl, io);
  const health = answered(firmware.url, await hardwareHealth(firmware));
  const components = Object.entries((health.components ?? {}) as Record<string, Json>);
  const stop = health.operator_stop as Json | null | undefined;
  write(io, json, health, [
    addressText(firmware.url),
    `mode: ${String(health.mode ?? 'unknown')}${health.bench === true ? ' (bench)' : ''}`,
    ...(stop ? [`operator stop by ${String(stop.by)} at ${String(stop.at)}: svcctl stop --clear`] : []),
    ...(health.not_safe ? [`not safe: ${String(health.not_safe)}`] : []),
    ...components.map(
      ([id, { status, message }]) =>
        `${id.padEnd(13)} ${String(status)}${message ? `: ${String(message)}` : ''}`,
    ),
  ]);
  return health.ok === true ? EXIT.ok : EXIT.failed;
}

/** `svcctl devices`: one line for each device. @returns 0; 1 when one is not ok. @throws CliError exit code 3 */
export async function devicesCommand({ json, firmwareUrl }: AdapterOptions, io: Io): Promise<number> {
  const place = diagnosticsPlace(firmwareUrl, io);
  const { firmware } = place;
  const answer = answered(firmware.url, await identify(firmware, 'never'));
  const calibrations = isLocalUrl(firmware.url) ? calibrationsOf(place, io) : undefined;
  const bridge = await askFirmware(firmware, '/health', 5000);
  const health = ((answer.diagnostics as Json | undefined)?.health ?? {}) as Json;
  const components = (health.components ?? {}) as Record<string, Json>;
  const devices = adaptersOf(answer).map(({ id, name, status, version }) => {
    const { code, message, endpoint, latency_ms, ...rest } = components[id] ?? {};
    return {
      id,
      name,
      status: String(rest.status ?? status),
      reason: code === null || code === undefined ? null : `${String(code)}: ${String(message)}`,
      /** What the device said last. */
      last_answer: message === undefined ? null : String(message),
      port: endpoint ?? null,
      firmware: version,
      /** Time of the reply that this is the state of, ms. */
      latency_ms: latency_ms ?? null,
      calibration_confirmation_required: JSON.stringify(rest).includes(
        '"calibration_confirmation_required":true',
      ),
      /** Of its inputs; null where `svc.yaml` is not that of the bridge, or cannot be read. */
      calibrations: id === SENSOR_ADC ? (calibrations ?? null) : [],
    };
  });
  write(
    io,
    json,
    {
      ok: health.ok === true,
      mode: answer.mode,
      bridge: failed(bridge) ? bridge : { pid: bridge.pid, started_at: bridge.started_at },
      devices,
    },
    devices.map(
      ({
        id,
        name,
        status,
        reason,
        port,
        firmware: version,
        latency_ms,
        last_answer,
        calibration_confirmation_required: doubt,
        calibrations: ofInputs,
      }) =>
        [
          `${id.padEnd(13)} ${status}`,
          reason ?? last_answer ?? '',
          `${name}${version ? ` ${version}` : ''}`,
          port === null ? '' : `at ${String(port)}`,
          latency_ms === null ? '' : `${String(latency_ms)} ms`,
          doubt ? 'calibration to be confirmed' : '',
          ofInputs === null ? 'calibrations unknown' : calibrationText(ofInputs),
        ]
          .filter((one) => one !== '')
          .join(', '),
    ),
  );
  return devices.length > 0 && devices.every(({ status }) => status === 'ok' || status === 'disabled')
    ? EXIT.ok
    : EXIT.failed;
}

const SENSOR_ADC = 'sensor-adc';

interface InputCalibration {
  sensor: string;
  id: string;
  due_at: string | null;
  state: CalibrationState;
}

/** As `svc.yaml` of this machine has them; undefined where it cannot be read. */
function calibrationsOf({ host, env }: DiagnosticsPlace, io: Io): InputCalibration[] | undefined {
  const config = readConfig({ env, cwd: io.cwd, systemPath: host.path('/etc/svc/svc.yaml') });
  if (!('loaded' in config)) return undefined;
  return Object.entries(config.loaded.config.sensors).flatMap(([sensor, { calibration }]) => {
    if (!calibration) return [];
    const { state } = calibrationStatus(calibration, io.clock.now());
    return [{ sensor, id: calibration.id, due_at: calibration.dueAt ?? null, state }];
  });
}

/** `ai01, ai02 calibrated (due 2027-05-01), ai03 calibration expired (due 2025-01-01)` */
function calibrationText(calibrations: readonly InputCalibration[]): string {
  const groups = new Map<string, string[]>();
  for (const { sensor, due_at, state } of calibrations) {
    const words = `${state === 'valid' ? 'calibrated' : `calibration ${state.replace('_', ' ')}`} (${due_at === null ? 'no due date' : `due ${due_at}`})`;
    groups.set(words, [...(groups.get(words) ?? []), sensor]);
  }
  return [...groups].map(([words, sensors]) => `${sensors.join(', ')} ${words}`).join(', ');
}

function answered(url: string, answer: Json | FailedPart): Json {
  if (!failed(answer)) return answer;
  const message = `the bridge at ${url} does not answer: ${answer.error}; svcctl doctor finds the cause`;
  throw new CliError('bridge_unreachable', message, EXIT.error);
}

function adaptersOf({ adapters }: Json): Adapter[] {
  if (!Array.isArray(adapters)) return [];
  return (adapters as Json[]).map(({ id, name, status, version, probe }) => ({
    id: String(id),
    name: String(name),
    status: String(status),
    version: typeof version === 'string' ? version : null,
    message: String((probe as Json | undefined)?.message ?? ''),
  }));
}

function write({ stdout }: Io, json: true | undefined, document: object, lines: readonly string[]): void {
  const text = json
    ? JSON.stringify(document)
    : lines.flatMap((line) => wrapped(line, stdout, 14)).join('\n');
  stdout.write(`${text}\n`);
}
