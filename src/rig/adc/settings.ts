import type { BankChannel } from '../../devices/bank/driver.ts';
import { type AdcReference, adcReference } from '../../devices/mcp2221a/reference.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { parseAddress } from '../../transports/address.ts';
import { ADC_BACKENDS, type AdcBackend } from '../../transports/hid/select-backend.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value; an empty one is how a unit file unsets it. */
function variable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** A value that stops the start. @param remedy what to write instead */
function refused(name: string, value: string, remedy: string): StartRefusedError {
  return new StartRefusedError(`${name} = ${JSON.stringify(value)}: ${remedy}`);
}

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

/** `USBADC_*` of the environment. @throws StartRefusedError */
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
function refusing<T>(name: string, value: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw refused(name, value, messageOf(cause));
  }
}

export interface UartAdcSettings {
  /** Any address of a serial line: a path, `serial:<path>` or `bench:<socket>`. */
  address: string;
  /** The path of that address, as configured. */
  endpoint: string;
}

/** Bit rate of the module; it has no other. */
export const UART_ADC_BAUD = 9600;

/** `UARTADC_*` of the environment. @throws StartRefusedError, also for another bit rate (DEV-018) */
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

export const LOGICAL_NAMES = ['ai01', 'ai02', 'ai03'] as const;
export type LogicalName = (typeof LOGICAL_NAMES)[number];

export interface BankSettings {
  /** Base address, without the path. */
  url: string;
  /** `BANK_ADC_ID`; undefined takes any bank at the address. */
  bankId: string | undefined;
  /** Channels that the bank serves; those that are missing stay on board. At least one. */
  channels: ReadonlyMap<LogicalName, BankChannel>;
}

const URL_NAME = 'BANK_ADC_URL';
const MAP = 'BANK_ADC_CHANNEL_MAP';
const LEGACY_URL = 'BANK_ADC_LEGACY_URL';
const LEGACY_CHANNEL = 'BANK_ADC_LEGACY_CHANNEL';
const MAP_FORM = 'write an object of ai01..ai03 and bank channels 0..2, for example {"ai02":0}';

/**
 * The remote bank of the stack; undefined when every channel is on board.
 *
 * @throws StartRefusedError naming the variable, its value and what to write
 */
export function bankSettings(env: Environment): BankSettings | undefined {
  const bankId = variable(env, 'BANK_ADC_ID');
  const url = variable(env, URL_NAME);
  if (url !== undefined) checkUrl(URL_NAME, url);
  const channels = channelMap(env);
  const legacyChannel = legacyChannelOf(env);
  if (channels.size > 0) {
    if (url !== undefined) return { url, bankId, channels };
    const value = variable(env, MAP) ?? '';
    throw refused(MAP, value, `${URL_NAME} is not set; set it to the bank's address, or write {} here`);
  }
  const legacyUrl = variable(env, LEGACY_URL);
  if (legacyUrl === undefined) return undefined;
  checkUrl(LEGACY_URL, legacyUrl);
  return { url: legacyUrl, bankId, channels: new Map([[legacyChannel, 0]]) };
}

function legacyChannelOf(env: Environment): LogicalName {
  const name = variable(env, LEGACY_CHANNEL) ?? 'ai02';
  if (name === 'ai02' || name === 'ai03') return name;
  throw refused(LEGACY_CHANNEL, name, 'must be ai02 or ai03');
}

function channelMap(env: Environment): Map<LogicalName, BankChannel> {
  const text = variable(env, MAP) ?? '{}';
  const fault = (why: string) => refused(MAP, text, `${why}; ${MAP_FORM}`);
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (cause) {
    throw fault(`is not JSON (${messageOf(cause)})`);
  }
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
    throw fault('is not an object');
  const channels = new Map<LogicalName, BankChannel>();
  for (const [name, value] of Object.entries(entries)) {
    const known = LOGICAL_NAMES.find((one) => one === name);
    if (known === undefined) throw fault(`${JSON.stringify(name)} is not ai01, ai02 or ai03`);
    if (value !== 0 && value !== 1 && value !== 2)
      throw fault(`${name} is ${JSON.stringify(value)}, not 0, 1 or 2`);
    const other = [...channels].find(([, taken]) => taken === value);
    if (other) throw fault(`${other[0]} and ${name} are both bank channel ${value}`);
    channels.set(known, value);
  }
  // JSON.parse keeps the last of two equal keys without a word.
  const repeated = LOGICAL_NAMES.find((name) => text.split(`"${name}"`).length > 2);
  if (repeated !== undefined) throw fault(`${repeated} is there twice`);
  return channels;
}

function checkUrl(name: string, url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw refused(name, url, 'must be http://<host>[:<port>] or https://<host>[:<port>]');
}
