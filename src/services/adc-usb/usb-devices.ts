import { HID_IDS, type HidAdc } from '../../rig/adc/device/hid-adc.ts';
import { USB_PRODUCT_ID, USB_VENDOR_ID } from '../../rig/adc/settings/usb-adc-settings.ts';
import { findHid, type UsbStrings, usbStrings } from '../../transports/index.ts';

export interface UsbDeviceView extends UsbStrings {
  vid: string;
  pid: string;
  /** Bus and ports, for example `1-1.2`; the socket of a twin. */
  path: string;
  kernel_driver: string | null;
  hidraw: string | null;
}

/** The plugged devices with the chip's ids, from sysfs; nothing is opened. A twin is there while it is open. */
export async function usbDevices(adc: HidAdc): Promise<UsbDeviceView[]> {
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
  const unknown = { manufacturer: null, product: null, serial: null, kernel_driver: null, hidraw: null };
  return [{ ...HID_IDS, ...unknown, path: adc.endpoint }];
}
