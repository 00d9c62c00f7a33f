import { type Parity, parityOf } from './serial/serial-format.ts';
import { TransportError } from './transport-error.ts';

export type Address =
  | {
      scheme: 'serial';
      text: string;
      path: string;
      baud?: number;
      parity?: Parity;
      dataBits?: 7 | 8;
      /** False: a pseudo-terminal that carries bytes without the times of a bit rate. */
      isPaced?: false;
    }
  | { scheme: 'i2c'; text: string; path: string; device?: number }
  | { scheme: 'bench'; text: string; path: string }
  | { scheme: 'hid' | 'usb'; text: string; vendorId: number; productId: number };

const FORMS =
  'a plain path, serial:<path>?baud=19200&parity=none&bits=8&pacing=line, i2c:/dev/i2c-1#0x48, bench:<socket path>, hid:04d8:00dd or usb:1ffb:00c9';

/**
 * Reads a device address as `svc.yaml` has it. A plain path is a serial port, or an I2C
 * bus when it begins with `/dev/i2c-`.
 *
 * @throws TransportError `address_invalid`, naming the address and the known forms
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim();
  if (/^(\/|\.\.?\/)/.test(trimmed)) {
    return trimmed.startsWith('/dev/i2c-')
      ? parseI2c(text, trimmed)
      : { scheme: 'serial', text, path: trimmed };
  }
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):(.+)$/i.exec(trimmed) ?? [];
  switch (scheme.toLowerCase()) {
    case 'serial':
      return parseSerial(text, rest);
    case 'i2c':
      return parseI2c(text, rest);
    case 'bench':
      return { scheme: 'bench', text, path: rest };
    case 'hid':
    case 'usb':
      return parseUsb(text, scheme.toLowerCase() === 'hid' ? 'hid' : 'usb', rest);
    default:
      throw invalid(text, 'has no known scheme');
  }
}

function parseSerial(text: string, rest: string): Address {
  const [path = '', query] = rest.split('?', 2);
  const parameters = new URLSearchParams(query ?? '');
  const known = ['baud', 'parity', 'bits', 'pacing'];
  for (const key of parameters.keys()) {
    if (!known.includes(key))
      throw invalid(text, `has the unknown parameter "${key}" (known: ${known.join(', ')})`);
    if (parameters.getAll(key).length > 1) throw invalid(text, `has the parameter "${key}" more than once`);
  }
  if (path === '') throw invalid(text, 'has no path');
  const [baud, parity, bits, pacing] = known.map((key) => parameters.get(key));
  if (baud != null && (!/^\d+$/.test(baud) || Number(baud) < 300 || Number(baud) > 4_000_000))
    throw invalid(text, `has baud "${baud}" where a whole number from 300 to 4000000 is wanted`);
  const knownParity = parityOf(parity ?? 'none');
  if (knownParity === undefined)
    throw invalid(text, `has parity "${parity}" where none, even, odd, N, E or O is wanted`);
  if (bits != null && bits !== '7' && bits !== '8')
    throw invalid(text, `has bits "${bits}" where 7 or 8 is wanted`);
  if (pacing != null && pacing !== 'line' && pacing !== 'none')
    throw invalid(text, `has pacing "${pacing}" where line or none is wanted`);
  return {
    scheme: 'serial',
    text,
    path,
    ...(pacing === 'none' ? { isPaced: false } : {}),
    ...(baud == null ? {} : { baud: Number(baud) }),
    ...(parity == null ? {} : { parity: knownParity }),
    ...(bits == null ? {} : { dataBits: bits === '7' ? 7 : 8 }),
  };
}

function parseI2c(text: string, rest: string): Address {
  const [path = '', device] = rest.split('#', 2);
  if (!/\/i2c-\d+$/.test(path)) throw invalid(text, `has "${path}" where /dev/i2c-<n> is wanted`);
  if (device === undefined) return { scheme: 'i2c', text, path };
  const number = /^(0x[0-9a-f]{1,2}|\d{1,3})$/i.test(device) ? Number(device) : Number.NaN;
  if (!(number >= 0x08 && number <= 0x77)) {
    throw invalid(text, `has device "${device}" where 0x08 to 0x77 is wanted`);
  }
  return { scheme: 'i2c', text, path, device: number };
}

function parseUsb(text: string, scheme: 'hid' | 'usb', rest: string): Address {
  const [, vendor, product] = /^([0-9a-f]{4}):([0-9a-f]{4})$/i.exec(rest) ?? [];
  if (!vendor || !product) throw invalid(text, 'wants two ids of four hex digits');
  return { scheme, text, vendorId: Number.parseInt(vendor, 16), productId: Number.parseInt(product, 16) };
}

function invalid(text: string, fault: string): TransportError {
  return new TransportError('address_invalid', text, `device address "${text}" ${fault}; write ${FORMS}`);
}
