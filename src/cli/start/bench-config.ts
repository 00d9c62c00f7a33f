import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeFolder } from './runtime-folder.ts';

/**
 * Writes what the processes are told: `svc.yaml` that leads to the twins, with the calibrations the shipped scenarios
 * are judged by (scenarios/README.md), and the settings for PM2's file.
 */
export function writeBenchConfig(
  folder: RuntimeFolder,
  { port, benchPort }: { port: number; benchPort: number },
): void {
  writeFileSync(folder.config, benchConfig(folder.bench));
  const settings = {
    RIG_BENCH_PORT: benchPort,
    SVC_BRIDGE_PORT: port,
    SVC_CONFIG_PATH: folder.config,
    SVC_HARDWARE_MODE: 'real',
    SVC_STATE_DIR: folder.state,
    ...benchDevices(folder.bench),
    // Beside a bridge on any free port, these take free ones too.
    ...(port === 0 ? FREE_ADC_PORTS : {}),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(folder.settings, lines.join(''));
}

const FREE_ADC_PORTS = { SVC_ADC_STACK_PORT: 0, SVC_ADC_USB_PORT: 0, SVC_ADC_UART_PORT: 0 };

/** What leads the ADC services to the twins. @param bench folder of the twins' links and sockets */
export const benchDevices = (bench: string) => ({
  USBADC_ADDRESS: `bench:${join(bench, 'usbhid.sock')}`,
  UARTADC_SERIAL_PORT: join(bench, 'uart'),
});

/** @param bench folder of the twins' links and sockets */
export function benchConfig(bench: string): string {
  const address = (name: string) => JSON.stringify(join(bench, name));
  return `# The rig on the bench: real drivers, twins of the devices.
schema_version: 1
plugins:
  modbus-io: { connection_type: modbus-rtu, connection_params: { serial_port: ${address('modbus-io')} } }
  pump-motor: { connection_type: modbus-rtu, connection_params: { serial_port: ${address('pump')} } }
  sensor-adc: { connection_type: i2c, connection_params: { bus: ${JSON.stringify(`bench:${join(bench, 'ads1115.sock')}`)} } }
# The plant of the bench: 1 V above rest at full duty.
sensors:
  ai01: { calibration: { id: bench-ai01, unit: mbar, kind: linear, scale: 100, offset: -63.5, source: bench } }
  ai02: { calibration: { id: bench-ai02, unit: bar, kind: linear, scale: 10, offset: -7.55, source: bench } }
  ai03: { calibration: { id: bench-ai03, unit: bar, kind: linear, scale: 300, offset: -265.5, source: bench } }
`;
}
