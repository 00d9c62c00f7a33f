/** Message types of usb-redir protocol 0.7 that these devices need. */
export const Type = {
  hello: 0,
  deviceConnect: 1,
  reset: 3,
  interfaceInfo: 4,
  endpointInfo: 5,
  setConfiguration: 6,
  getConfiguration: 7,
  configurationStatus: 8,
  setAltSetting: 9,
  getAltSetting: 10,
  altSettingStatus: 11,
  startInterruptReceiving: 15,
  stopInterruptReceiving: 16,
  interruptReceivingStatus: 17,
  cancelDataPacket: 21,
  filterReject: 22,
  controlPacket: 100,
  bulkPacket: 101,
  interruptPacket: 103,
} as const;

/** Bits of the capability word. */
export const Capability = {
  connectDeviceVersion: 1,
  endpointInfoMaxPacketSize: 4,
  ids64Bit: 5,
  bulkLength32Bit: 6,
} as const;

/** Without them QEMU's xHCI refuses a device, and the heads of messages have other lengths. */
export const CAPABILITIES = Object.values(Capability).reduce((word, bit) => word | (1 << bit), 0);

/** `usb_redir_status`. */
export const Status = { success: 0, cancelled: 1, invalid: 2, ioError: 3, stall: 4, babble: 6 } as const;
export type StatusCode = (typeof Status)[keyof typeof Status];

/** Message, length and a number of 32 bits: only hello has it, before either side knows the other. */
export const HELLO_HEAD_BYTES = 12;
/** Message, length and a number of 64 bits. */
export const HEAD_BYTES = 16;
export const VERSION_BYTES = 64;
export const CONTROL_BYTES = 10;
export const BULK_BYTES = 10;
export const INTERRUPT_BYTES = 4;
/** Most data of one transfer, in either direction; the drivers for these devices use 4 KiB at most. */
export const MAX_DATA_BYTES = 65_536;
