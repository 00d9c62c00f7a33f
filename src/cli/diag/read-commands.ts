import { benchmark } from '../../diagnostics/benchmark.ts';
import { detect } from '../../diagnostics/detect.ts';
import { failed, identify, readFirmware } from '../../diagnostics/firmware-report.ts';
import { i2cChips } from '../../diagnostics/i2c-chips.ts';
import { diagnosticsPlace } from '../doctor/diagnostics-place.ts';
import { EXIT } from '../errors/exit-code.ts';
import { type DiagContext, type Outcome, reachableHealth } from './diag-context.ts';

/** USB devices, serial ports and I2C chips. Nothing is opened but an I2C bus that no service has. */
export async function hostParts({ io, firmwareUrl }: DiagContext) {
  const place = diagnosticsPlace(firmwareUrl, io);
  const { detection } = await detect({ ...place, cwd: io.cwd, clock: io.clock, probeBudgetMs: undefined });
  const { host, firmware } = detection;
  if ('error' in host) return { usb_devices: host, i2c_buses: host, host };
  const usb = host.usb_devices.map(({ device, vid, pid, manufacturer, product, serial, by_id }) => ({
    device,
    vid,
    pid,
    manufacturer,
    product,
    serial,
    by_id,
  }));
  return { usb_devices: usb, i2c_buses: await i2cChips(host, firmware.identify), host };
}

/** `list` */
export async function listCommand(context: DiagContext): Promise<Outcome> {
  const { usb_devices, i2c_buses } = await hostParts(context);
  const lines =
    'error' in usb_devices || 'error' in i2c_buses
      ? [`the devices of this machine cannot be listed: ${(usb_devices as { error: string }).error}`]
      : [
          usb_devices.length === 0 ? 'USB: no device' : 'USB:',
          ...usb_devices.map(
            ({ device, vid, pid, product, by_id }) =>
              `  ${device}  ${vid === null ? 'on-board' : `${vid}:${pid}`}  ${product ?? ''}${by_id ? `  ${by_id}` : ''}`,
          ),
          i2c_buses.length === 0 ? 'I2C: no bus' : 'I2C:',
          ...i2c_buses.map(
            ({ path, chips, error }) =>
              `  ${path}  ${error ?? (chips.map(({ address, name }) => `${address} ${name}`).join(', ') || 'no chip of the rig')}`,
          ),
        ];
  return {
    document: { usb_devices, i2c_buses },
    lines,
    exitCode: 'error' in usb_devices ? EXIT.error : EXIT.ok,
  };
}

/** `health` */
export async function healthCommand({ io, firmwareUrl }: DiagContext): Promise<Outcome> {
  const { firmware } = diagnosticsPlace(firmwareUrl, io);
  const health = await reachableHealth(firmware);
  const components = Object.entries(
    (health.components ?? {}) as Record<string, { status?: unknown; message?: unknown }>,
  );
  return {
    document: health,
    lines: [
      `mode: ${String(health.mode)}${health.bench === true ? ' (bench)' : ''}`,
      ...components.map(
        ([id, { status, message }]) =>
          `${id.padEnd(13)} ${String(status)}${message ? `: ${String(message)}` : ''}`,
      ),
    ],
    exitCode: health.ok === true ? EXIT.ok : EXIT.failed,
  };
}

/** `identify`, always as JSON */
export async function identifyJson({ io, firmwareUrl }: DiagContext): Promise<Outcome> {
  const { firmware } = diagnosticsPlace(firmwareUrl, io);
  const answer = await identify(firmware, 'auto');
  const isGood = !failed(answer) && answer.detected === answer.total;
  return {
    document: answer,
    lines: [JSON.stringify(answer, null, 2)],
    exitCode: failed(answer) ? EXIT.error : isGood ? EXIT.ok : EXIT.failed,
  };
}

/** `diagnose` */
export async function diagnoseCommand(context: DiagContext): Promise<Outcome> {
  const { io, firmwareUrl } = context;
  const { firmware } = diagnosticsPlace(firmwareUrl, io);
  const { usb_devices, i2c_buses } = await hostParts(context);
  const { health, identify: found } = await readFirmware(firmware);
  const list = await listCommand(context);
  const isReached = !failed(health);
  return {
    document: { usb_devices, i2c_buses, firmware_health: health, firmware_identify: found },
    lines: [
      ...list.lines,
      isReached
        ? `bridge ${firmware.url}: mode ${String(health.mode)}, ${health.ok === true ? 'ok' : 'not ok'}`
        : `bridge ${firmware.url}: ${health.error}`,
      ...(failed(found) ? [] : [`${String(found.detected)}/${String(found.total)} adapters ok`]),
    ],
    exitCode: isReached ? (health.ok === true ? EXIT.ok : EXIT.failed) : EXIT.error,
  };
}

/** `benchmark`. @param seconds 1..600 */
export async function benchmarkCommand(
  { io, firmwareUrl, signal }: DiagContext,
  seconds: number,
): Promise<Outcome> {
  const { firmware } = diagnosticsPlace(firmwareUrl, io);
  const result = await benchmark(firmware, seconds, { clock: io.clock, signal });
  if ('error' in result)
    return {
      document: result,
      lines: [`no request succeeded (${result.requests} made): ${result.error}`],
      exitCode: EXIT.error,
    };
  const { rps, requests, errors, latency_avg_ms, latency_median_ms, latency_p95_ms, latency_max_ms } = result;
  return {
    document: result,
    lines: [
      `${rps} requests/s, ${requests} requests, ${errors} errors`,
      `latency: average ${latency_avg_ms} ms, median ${latency_median_ms} ms, 95 % ${latency_p95_ms} ms, longest ${latency_max_ms} ms`,
    ],
    exitCode: EXIT.ok,
  };
}
