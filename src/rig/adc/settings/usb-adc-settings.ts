import { type AdcReference, adcReference } from '../../../devices/mcp2221a/reference.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { StartRefusedError } from '../../../lib/http/exposure.ts';
import { parseAddress } from '../../../transports/address.ts';
import { ADC_BACKENDS, type AdcBackend } from '../../../transports/hid/select-backend.ts';
import { type Environment, refused, stateDirOf, variable } from './environment.ts';

export const USB_VENDOR_ID = 0x04d8;
export const USB_PRODUCT_ID = 0x00dd;

export interface UsbAdcSettings {
  /** `hid:04d8:00dd`, or `bench:<socket>` for a twin. */
  address: string;
  reference: AdcReference;
  backend: 'auto' | AdcBackend;
  /** Factory or USB serial number of the chip that belongs here; undefined without. */
  serial: string | undefined;
  /** Where the chip that belongs here is remembered. */
  stateDir: string;
}

const ADDRESS = 'USBADC_ADDRESS';
const BACKENDS = ['auto', ...ADC_BACKENDS] as const;

/** `USBADC_*` of the environment (services.md section 13). @throws StartRefusedError */
export function usbAdcSettings(env: Environment): UsbAdcSettings {
  const backend = variable(env, 'USBADC_BACKEND') ?? 'auto';
  const known = BACKENDS.find((one) => one === backend);
  if (known === undefined) throw refused('USBADC_BACKEND', backend, `must be ${BACKENDS.join(', ')}`);
  return {
    address: addressOf(env),
    reference: referenceOf(env),
    backend: known,
    serial: serialOf(env),
    stateDir: stateDirOf(env),
  };
}

function serialOf(env: Environment): string | undefined {
  const serial = variable(env, 'USBADC_SERIAL');
  if (serial !== undefined && !/^[\x20-\x7e]{1,60}$/.test(serial))
    throw refused(
      'USBADC_SERIAL',
      serial,
      'must be 1 to 60 printable characters; GET /api/v1/device shows them',
    );
  return serial;
}

function addressOf(env: Environment): string {
  const address = variable(env, ADDRESS) ?? 'hid:04d8:00dd';
  const remedy = 'must be hid:04d8:00dd or bench:<socket path>';
  const parsed = refusing(ADDRESS, address, () => parseAddress(address));
  if (parsed.scheme === 'bench') return address;
  const isChip =
    parsed.scheme === 'hid' && parsed.vendorId === USB_VENDOR_ID && parsed.productId === USB_PRODUCT_ID;
  if (!isChip) throw refused(ADDRESS, address, remedy);
  return address;
}

function referenceOf(env: Environment): AdcReference {
  const source = variable(env, 'USBADC_REFERENCE_SOURCE') ?? 'vdd';
  const volts = variable(env, 'USBADC_REFERENCE_VOLTAGE') ?? '3.3';
  if (!/^\d+(\.\d+)?$/.test(volts))
    throw refused('USBADC_REFERENCE_VOLTAGE', volts, 'must be volts from 1.0 to 5.5, for example 3.3');
  try {
    return adcReference(source, Number(volts));
  } catch (cause) {
    // The driver's own sentence names variable, value and range.
    throw new StartRefusedError(messageOf(cause));
  }
}

/** Runs what refuses a value, and names the variable the value came from. */
export function refusing<T>(name: string, value: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw refused(name, value, messageOf(cause));
  }
}
