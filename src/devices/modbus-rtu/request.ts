import { DeviceError } from '../device-error.ts';
import { appendCrc } from './crc.ts';

/** What a master asks, in the field's terms. `unit` is 1..255: a service never broadcasts. */
export type ModbusRequest =
  | { function: 0x01 | 0x02; unit: number; address: number; count: number }
  | { function: 0x03 | 0x04; unit: number; address: number; count: number }
  | { function: 0x05; unit: number; address: number; on: boolean }
  | { function: 0x06; unit: number; address: number; value: number }
  | { function: 0x0f; unit: number; address: number; bits: readonly boolean[] }
  | { function: 0x10; unit: number; address: number; registers: readonly number[] };

/**
 * The request as it is sent, CRC included.
 *
 * @throws DeviceError `value_out_of_range` for anything the protocol cannot carry, and for broadcast
 */
export function encodeRequest(request: ModbusRequest): Uint8Array {
  return appendCrc([request.unit, ...encodeBody(request)]);
}

/**
 * The request without unit id and CRC, as it travels on RTU and on TCP: function, address, and what follows.
 *
 * @throws DeviceError `value_out_of_range`
 */
export function encodeBody(request: ModbusRequest): number[] {
  within('unit', request.unit, 1, 255);
  within('address', request.address, 0, 0xffff);
  const head = [request.function, ...word(request.address)];
  switch (request.function) {
    case 0x01:
    case 0x02:
      within('count', request.count, 1, 2000);
      return [...head, ...word(request.count)];
    case 0x03:
    case 0x04:
      within('count', request.count, 1, 125);
      return [...head, ...word(request.count)];
    case 0x05:
      return [...head, request.on ? 0xff : 0x00, 0x00];
    case 0x06:
      within('value', request.value, 0, 0xffff);
      return [...head, ...word(request.value)];
    case 0x0f: {
      within('count', request.bits.length, 1, 1968);
      const packed = packBits(request.bits);
      return [...head, ...word(request.bits.length), packed.length, ...packed];
    }
    case 0x10: {
      within('count', request.registers.length, 1, 123);
      for (const value of request.registers) within('value', value, 0, 0xffff);
      const data = request.registers.flatMap(word);
      return [...head, ...word(request.registers.length), data.length, ...data];
    }
  }
}

/** Whether it asks for values and changes nothing. */
export const isRead = ({ function: code }: ModbusRequest): boolean => code <= 0x04;

/** For errors: `function 5 at 0002 of unit 1`. */
export function describeRequest({ function: code, address, unit }: ModbusRequest): string {
  return `function ${code} at ${address.toString(16).padStart(4, '0').toUpperCase()} of unit ${unit}`;
}

/** Bits as coils travel: the lowest address in bit 0 of the first byte. */
export function packBits(bits: readonly boolean[]): number[] {
  const bytes = new Array<number>(Math.ceil(bits.length / 8)).fill(0);
  bits.forEach((on, index) => {
    if (on) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return bytes;
}

/** @param data at least ceil(count / 8) bytes */
export function unpackBits(data: Uint8Array, count: number): boolean[] {
  return Array.from({ length: count }, (_, index) => (((data[index >> 3] ?? 0) >> (index & 7)) & 1) === 1);
}

/** 16-bit words, high byte first. */
export function unpackWords(data: Uint8Array): number[] {
  return Array.from(
    { length: data.length >> 1 },
    (_, index) => ((data[2 * index] ?? 0) << 8) | (data[2 * index + 1] ?? 0),
  );
}

export function word(value: number): [number, number] {
  return [value >>> 8, value & 0xff];
}

function within(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new DeviceError(
    'value_out_of_range',
    `Modbus ${name} ${value} is not a whole number from ${low} to ${high}`,
  );
}
