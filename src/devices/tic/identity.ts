import type { UsbIdentity } from '../../transports/usb/usb-control.ts';
import type { ControlLink } from './control-link.ts';
import { PRODUCT_ID, PRODUCTS, VENDOR_ID } from './requests.ts';
import type { SettingDifference } from './settings.ts';

/** Limit switches and homing came with this firmware. */
export const LIMITS_SINCE = 0x0106;

export interface TicIdentity {
  product: string;
  /** As people say it: `1.06`. */
  firmware: string;
  bcdDevice: number;
  serial: string | null;
  path: string;
}

/** 0x0106 as people say it: `1.06`. */
export function versionOf(bcd: number): string {
  return `${(bcd >>> 8).toString(16)}.${(bcd & 0xff).toString(16).padStart(2, '0')}`;
}

/** @throws DeviceError `wrong_device`, `device_unavailable`; nothing has been sent then */
export function identify(found: UsbIdentity | undefined, link: ControlLink): TicIdentity {
  if (!found)
    throw link.fail('device_unavailable', 'the device did not identify itself', { reason: 'closed' });
  const { vendorId, productId, bcdDevice, serial, path } = found;
  const product = vendorId === VENDOR_ID ? PRODUCTS[productId] : undefined;
  if (vendorId !== VENDOR_ID || productId !== PRODUCT_ID || product === undefined) {
    const ids = `${hex(vendorId)}:${hex(productId)}`;
    const message = `${ids} is ${product === undefined ? 'not a Tic' : `a ${product}, not the Tic T249 (1ffb:00c9)`}; it is not driven: check the address`;
    throw link.fail('wrong_device', message, { reason: product ?? 'foreign' });
  }
  return { product, firmware: versionOf(bcdDevice), bcdDevice, serial, path };
}

/** What is missing in an older firmware. */
export function firmwareDifference({ bcdDevice, firmware }: TicIdentity): SettingDifference[] {
  if (bcdDevice >= LIMITS_SINCE) return [];
  return [{ setting: 'firmware', wanted: `${versionOf(LIMITS_SINCE)} or newer`, actual: firmware }];
}

const hex = (id: number) => id.toString(16).padStart(4, '0');
