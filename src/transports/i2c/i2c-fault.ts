import { TransportError } from '../transport-error.ts';

const deviceName = (device: number) => `0x${device.toString(16).padStart(2, '0')}`;

export function nack(address: string, device: number, cause?: unknown): TransportError {
  return new TransportError(
    'i2c_nack',
    address,
    `no device answers at ${deviceName(device)} on ${address}; check wiring, power and the address pins`,
    { cause },
  );
}

export function denied(address: string, cause?: unknown): TransportError {
  return new TransportError(
    'port_permission',
    address,
    `no permission for ${address}; add this user to the group i2c`,
    {
      cause,
    },
  );
}

export function silent(address: string, device: number, ms: number): TransportError {
  const message = `no answer within ${ms} ms for ${deviceName(device)} on ${address}; check SDA, SCL and supply`;
  return new TransportError('i2c_timeout', address, message);
}
