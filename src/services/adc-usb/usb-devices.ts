import type { AdcIdentity } from '../../devices/mcp2221a/driver.ts';
import { HID_IDS, type HidAdc } from '../../rig/adc/hid-adc.ts';
import { USB_PRODUCT_ID, USB_VENDOR_ID } from '../../rig/adc/settings.ts';
import { findHid, type UsbStrings, usbStrings } from '../../transports/index.ts';

export interface UsbDeviceView extends UsbStrings {
  vid: string;
  pid: string;
  /** Bus and ports, for example `1-1.2`; the socket of a twin. */
  path: string;
  kernel_driver: string | null;
  hidraw: string | null;
}

/**
 * The plugged devices with the chip's ids, from sysfs; nothing is opened. A twin is there while it is open.
 *
 * @param said what the chip says of itself; a twin's strings are known from there only
 */
export async function usbDevices(adc: HidAdc, said: AdcIdentity | undefined): Promise<UsbDeviceView[]> {
  if (adc.settings.address.startsWith('hid:'))
    return Promise.all(
      findHid(USB_VENDOR_ID, USB_PRODUCT_ID, adc.roots).map(async ({ usb, kernelDriver, hidraw }) => ({
        ...HID_IDS,
        ...(await usbStrings(usb.directory)),
        path: usb.name,
        kernel_driver: kernelDriver,
        hidraw,
      })),
    );
  if (adc.backend === null) return [];
  const strings = { manufacturer: said?.manufacturer ?? null, product: said?.product ?? null, serial: null };
  return [{ ...HID_IDS, ...strings, path: adc.endpoint, kernel_driver: null, hidraw: null }];
}
