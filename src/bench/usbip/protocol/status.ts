/** Outcome of a request to list or to import, as Debian's `usbip` knows it (usbip_common.h of the kernel's tools). */
export const OperationStatus = { ok: 0, deviceBusy: 2, noDevice: 4 } as const;
