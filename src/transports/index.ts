export { type Address, parseAddress } from './address.ts';
export type { ByteTransport } from './byte-transport.ts';
export type { HidBackend, HidEndpoint, HidTransport } from './hid/hid-transport.ts';
export { REPORT_BYTES } from './hid/hid-transport.ts';
export {
  ADC_BACKENDS,
  type AdcBackend,
  type BackendSelection,
  type PassedOver,
  selectBackend,
} from './hid/select-backend.ts';
export { type ExchangeJsonOptions, exchangeJson, type JsonAnswer } from './http/exchange-json.ts';
export { type GetJsonOptions, getJson } from './http/get-json.ts';
export { type HttpReason, whyNoAnswer } from './http/http-fault.ts';
export type { I2cBus } from './i2c/i2c-bus.ts';
export { type IioChannel, IioVoltages } from './iio/iio-voltages.ts';
export { isBench } from './is-bench.ts';
export {
  type OpenUsbOptions,
  openByteTransport,
  openHidTransport,
  openI2cBus,
  openUsbControl,
  preload,
} from './open.ts';
export type { Rs485 } from './serial/rs485.ts';
export { type Parity, parityOf, type SerialFormat } from './serial/serial-format.ts';
export { findHid, type HidCandidate } from './sysfs/find-hid.ts';
export { findUsb, type HostRoots, type UsbEntry } from './sysfs/find-usb.ts';
export { type UsbStrings, usbStrings } from './sysfs/usb-strings.ts';
export { TcpTransport } from './tcp/tcp-transport.ts';
export { type TransportCode, TransportError } from './transport-error.ts';
export type { ControlRequest, UsbControl, UsbIdentity } from './usb/usb-control.ts';
