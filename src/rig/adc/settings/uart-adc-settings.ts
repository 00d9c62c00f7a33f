import { parseAddress } from '../../../transports/address.ts';
import { type Environment, refused, variable } from './environment.ts';
import { refusing } from './usb-adc-settings.ts';

export interface UartAdcSettings {
  /** Any address of a serial line: a path, `serial:<path>` or `bench:<socket>`. */
  address: string;
  /** The path of that address, as configured. */
  endpoint: string;
}

/** Bit rate of the module; it has no other. */
export const UART_ADC_BAUD = 9600;

/** `UARTADC_*` of the environment (services.md section 13). @throws StartRefusedError, also for another bit rate (DEV-018) */
export function uartAdcSettings(env: Environment): UartAdcSettings {
  const baud = variable(env, 'UARTADC_BAUDRATE') ?? String(UART_ADC_BAUD);
  if (Number(baud) !== UART_ADC_BAUD)
    throw refused(
      'UARTADC_BAUDRATE',
      baud,
      `the module speaks ${UART_ADC_BAUD} only; write it or leave it out`,
    );
  const name = 'UARTADC_SERIAL_PORT';
  const address = variable(env, name) ?? '/dev/serial0';
  const parsed = refusing(name, address, () => parseAddress(address));
  if (parsed.scheme !== 'serial' && parsed.scheme !== 'bench')
    throw refused(name, address, 'must be a path, serial:<path> or bench:<socket path>');
  if (parsed.scheme === 'serial' && (parsed.baud ?? UART_ADC_BAUD) !== UART_ADC_BAUD)
    throw refused(name, address, `the module speaks ${UART_ADC_BAUD} baud only; leave ?baud= out`);
  return { address, endpoint: parsed.path };
}
