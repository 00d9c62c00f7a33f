/** The part of a device of the package `usb` (3.x) that is used here. */
export interface PackageDevice {
  readonly address: number;
  readonly ports: number[];
  open(): Promise<void>;
  close(): Promise<void>;
  claimInterface(number: number): Promise<void>;
  /** null is a STALL. */
  nativeControlTransferIn(setup: PackageSetup, timeoutMs: number, length: number): Promise<Uint8Array | null>;
  /** Below 0 is a STALL. */
  nativeControlTransferOut(setup: PackageSetup, timeoutMs: number, data: Uint8Array): Promise<number>;
}

interface PackageSetup {
  requestType: 'vendor';
  recipient: 'device';
  request: number;
  value: number;
  index: number;
}

export interface UsbPackage {
  usb: { getDevices(): Promise<PackageDevice[]> };
}

/** Loads the native package at its first use. */
export async function loadUsb(): Promise<UsbPackage> {
  return await import('usb');
}
