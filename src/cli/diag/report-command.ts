import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { readFirmware } from '../../diagnostics/firmware-report.ts';
import { latestRecord } from '../../diagnostics/function-check/check-record.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { writeDurably } from '../../lib/files/durable-file.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { diagnosticsPlace } from '../doctor/diagnostics-place.ts';
import { diagnosed } from '../doctor/doctor-command.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { DiagContext, Outcome } from './diag-context.ts';
import { hostParts } from './read-commands.ts';

/**
 * Writes a report of all that is known of the rig. It never actuates. @param file undefined: a name with the time, in this folder
 * @param check the function check of this call; without it the latest saved one
 * @throws CliError for a file that exists or cannot be written
 */
export async function reportCommand(
  context: DiagContext,
  file: string | undefined,
  check: object | undefined,
): Promise<Outcome> {
  const { io, firmwareUrl, signal } = context;
  const now = new Date(io.clock.now());
  const path = resolve(io.cwd, file ?? `hw_diagnostic_${compact(now)}.json`);
  if (existsSync(path) && !context.force)
    throw new CliError('file_exists', `${path} exists already; give another name, or --force`, EXIT.usage);
  const { firmware, env } = diagnosticsPlace(firmwareUrl, io);
  const part = async <T>(work: () => Promise<T>): Promise<T | { error: string }> =>
    work().catch((fault: unknown) => ({ error: messageOf(fault) }));
  const host = await part(() => hostParts(context));
  const said = await readFirmware(firmware);
  const doctor = await part(() =>
    diagnosed({ probe: false, ...(firmwareUrl ? { firmwareUrl } : {}) }, io, signal),
  );
  const report = {
    timestamp: `${day(now)} ${time(now).join(':')}`,
    firmware_url: firmware.url,
    usb_devices: 'error' in host ? host : host.usb_devices,
    serial_devices: 'error' in host ? host : serialOf(host),
    i2c_buses: 'error' in host ? host : host.i2c_buses,
    firmware_health: said.health,
    firmware_identify: said.identify,
    calibration: check ?? latestRecord(stateDirOf(env), now.getTime()),
    doctor,
  };
  try {
    await writeDurably(path, `${JSON.stringify(report, null, 1)}\n`);
  } catch (cause) {
    throw new CliError('report_not_saved', `${path} cannot be written: ${reasonOf(cause)}`, EXIT.error, {
      cause,
    });
  }
  return { document: { report_file: path }, lines: [`report saved as ${basename(path)}`], exitCode: EXIT.ok };
}

function serialOf({ host }: Awaited<ReturnType<typeof hostParts>>) {
  if ('error' in host) return host;
  const ports = new Set(host.usb_serial_devices);
  return host.usb_devices
    .filter(({ device }) => ports.has(device))
    .map(({ device, vid, pid, by_id }) => ({ device, vid, pid, by_id }));
}

const two = (value: number): string => String(value).padStart(2, '0');
const day = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const time = (at: Date): string[] => [at.getHours(), at.getMinutes(), at.getSeconds()].map(two);
const compact = (at: Date): string => `${day(at).replaceAll('-', '')}_${time(at).join('')}`;
