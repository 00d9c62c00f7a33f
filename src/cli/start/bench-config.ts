import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RIG_PORTS } from '../../rig/profiles/rig-services.ts';
import { markGenerated } from './generated-config.ts';
import type { RigPorts } from './rig-ports.ts';
import type { RuntimeFolder } from './runtime-folder.ts';

/**
 * Writes the settings for PM2's file, and `svc.yaml` that leads to the services and the twins, with the calibrations the
 * shipped scenarios are judged by (scenarios/README.md).
 * @param isConfigKept whether the configuration of the folder is a person's and stays as it is
 */
export function writeBenchConfig(
  folder: RuntimeFolder,
  { ports, benchPort, isConfigKept = false }: { ports: RigPorts; benchPort: number; isConfigKept?: boolean },
): void {
  if (!isConfigKept) writeFileSync(folder.config, markGenerated(benchConfig(folder.bench, ports)));
  const settings = {
    RIG_BENCH_PORT: benchPort,
    SVC_BENCH_URL: localUrl(benchPort),
    SVC_CONFIG_PATH: folder.config,
    SVC_FIRMWARE_URL: localUrl(ports['svc-bridge']),
    SVC_HARDWARE_MODE: 'real',
    SVC_STATE_DIR: folder.state,
    ...Object.fromEntries(
      Object.entries(RIG_PORTS).map(([name, [, variable]]) => [variable, ports[name as keyof RigPorts]]),
    ),
    ...benchDevices(folder.bench),
    // Beside a bridge on another port, these take free ones too.
    ...(ports['svc-bridge'] === RIG_PORTS['svc-bridge'][0] ? {} : FREE_PORTS),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(folder.settings, lines.join(''));
}

const FREE_PORTS = {
  SVC_ADC_STACK_PORT: 0,
  SVC_ADC_USB_PORT: 0,
  SVC_ADC_UART_PORT: 0,
};

/** What leads the services that own a device to the twins. @param bench folder of the twins' links and sockets */
export const benchDevices = (bench: string) => ({
  USBADC_ADDRESS: `bench:${join(bench, 'usbhid.sock')}`,
  UARTADC_SERIAL_PORT: join(bench, 'uart'),
  SVC_PUMP_SERIAL_PORT: join(bench, 'pump'),
  SVC_LUNG_ADDRESS: `bench:${join(bench, 'tic.sock')}`,
  SVC_I2C_BUS: `bench:${join(bench, 'ads1115.sock')}`,
});

const localUrl = (port: number): string => `http://127.0.0.1:${port}`;

const STANDING =
  'source: bench, calibrated_at: 2025-01-01, due_at: 2099-12-31, confirmed_at: 2025-01-01, confirmed_by: bench';

/** Which pressure of the plant a sensor of the bench measures, in which unit, and how many of it are one volt above rest. */
export interface BenchPressure {
  sensor: string;
  unit: string;
  perVolt: number;
  /** Volts at rest. */
  restVolts: number;
}

/** In the order of the plant's pressures. */
export const BENCH_PRESSURES: readonly BenchPressure[] = [
  { sensor: 'ai01', unit: 'mbar', perVolt: 100, restVolts: 0.635 },
  { sensor: 'ai02', unit: 'bar', perVolt: 10, restVolts: 0.755 },
  { sensor: 'ai03', unit: 'bar', perVolt: 300, restVolts: 0.885 },
];

const sensorLine = ({ sensor, unit, perVolt, restVolts }: BenchPressure): string =>
  `  ${sensor}: { calibration: { id: bench-${sensor}, unit: ${unit}, kind: linear, scale: ${perVolt}, offset: ${-perVolt * restVolts}, ${STANDING} } }`;

/**
 * @param bench folder of the twins' links and sockets
 * @param ports of the services that own pump, lung and converter; without them the bridge drives these itself
 */
export function benchConfig(bench: string, ports?: RigPorts): string {
  const path = (name: string) => JSON.stringify(join(bench, name));
  const socket = (name: string) => JSON.stringify(`bench:${join(bench, name)}`);
  const http = (name: keyof RigPorts) =>
    ports && `{ connection_type: http, connection_params: { base_url: "${localUrl(ports[name])}" } }`;
  const pump = `{ connection_type: modbus-rtu, connection_params: { serial_port: ${path('pump')} } }`;
  const lung = `{ connection_type: usb, connection_params: { address: ${socket('tic.sock')} } }`;
  const sensors = `{ connection_type: i2c, connection_params: { bus: ${socket('ads1115.sock')} } }`;
  return `# The rig on the bench: real drivers, twins of the devices.
schema_version: 1
plugins:
  modbus-io: { connection_type: modbus-rtu, connection_params: { serial_port: ${path('modbus-io')} } }
  pump-motor: ${http('svc-pump') ?? pump}
  lung-motor: ${http('svc-lung') ?? lung}
  sensor-adc: ${http('svc-sensors') ?? sensors}
# The plant of the bench: 1 V above rest at full duty. Its formula is exact and does not age.
sensors:
${BENCH_PRESSURES.map(sensorLine).join('\n')}
`;
}
