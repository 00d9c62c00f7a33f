import { hidDescriptor, plainReportDescriptor } from './descriptors/hid.ts';
import { GROUPED, serialParts } from './descriptors/serial.ts';
import {
  type ClassTriple,
  configurationDescriptor,
  DescriptorType,
  deviceDescriptor,
  endpointDescriptor,
  interfaceDescriptor,
  TransferType,
} from './descriptors/standard.ts';
import type { UsbDescriptors } from './descriptors/usb-descriptors.ts';
import { type HidPort, hidFunction } from './device/hid-function.ts';
import { serialFunction } from './device/serial-function.ts';
import { composite, type UsbDevice } from './device/usb-device.ts';

const Interface = { control: 0, data: 1, hid: 2 } as const;
const Endpoint = {
  notification: 0x81,
  dataIn: 0x82,
  dataOut: 0x02,
  hidIn: 0x83,
  hidOut: 0x03,
} as const;
const REPORT_BYTES = 64;

const HID: ClassTriple = [0x03, 0x00, 0x00];

/**
 * The MCP2221A as a USB device: its HID interface is the twin, its serial port is wired to nothing.
 */
export function mcp2221aUsbDevice(twin: HidPort): UsbDevice {
  return {
    descriptors: mcp2221aDescriptors(),
    attach: () =>
      composite([
        serialFunction({ ...Endpoint, control: Interface.control }),
        hidFunction({ interface: Interface.hid, in: Endpoint.hidIn, out: Endpoint.hidOut, port: twin }),
      ]),
  };
}

function mcp2221aDescriptors(): UsbDescriptors {
  const report = plainReportDescriptor(REPORT_BYTES);
  const hid = hidDescriptor(report);
  return {
    device: deviceDescriptor({
      class: GROUPED,
      maxPacketBytes: 8,
      vendorId: 0x04d8,
      productId: 0x00dd,
      bcdDevice: 0x0100,
      strings: { manufacturer: 1, product: 2, serial: 0 },
    }),
    strings: ['Microchip Technology Inc.', 'MCP2221 USB-I2C/UART Combo'],
    ofInterfaces: [
      { interface: Interface.hid, type: DescriptorType.hid, bytes: hid },
      { interface: Interface.hid, type: DescriptorType.hidReport, bytes: report },
    ],
    configuration: configurationDescriptor({
      milliamperes: 100,
      parts: [...serialParts({ ...Interface, ...Endpoint }), ...hidParts(hid)],
    }),
  };
}

function hidParts(hid: Uint8Array): Uint8Array[] {
  const interrupt = { type: TransferType.interrupt, maxPacketBytes: REPORT_BYTES, intervalMs: 1 };
  return [
    interfaceDescriptor({ number: Interface.hid, endpoints: 2, class: HID }),
    hid,
    endpointDescriptor({ ...interrupt, address: Endpoint.hidIn }),
    endpointDescriptor({ ...interrupt, address: Endpoint.hidOut }),
  ];
}
