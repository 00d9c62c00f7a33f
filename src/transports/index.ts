export { type Address, parseAddress } from './address.ts';
export type { ByteTransport } from './byte-transport.ts';
export type { I2cBus } from './i2c/i2c-bus.ts';
export { isBench } from './is-bench.ts';
export { openByteTransport, openI2cBus } from './open.ts';
export { type TransportCode, TransportError } from './transport-error.ts';
