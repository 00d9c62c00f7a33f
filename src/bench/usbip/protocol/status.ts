/** Outcome of a request to list or to import, as Debian's `usbip` knows it (usbip_common.h of the kernel's tools). */
export const OperationStatus = { ok: 0, deviceBusy: 2, noDevice: 4 } as const;

/** Outcome of a transfer: negative error numbers of Linux. */
export const UrbStatus = {
  ok: 0,
  /** EPIPE: the endpoint answered with STALL. */
  stall: -32,
  /** EOVERFLOW: the device had more to say than the host's buffer holds. */
  overflow: -75,
  /** ECONNRESET: unlinked before it was done. */
  unlinked: -104,
} as const;
