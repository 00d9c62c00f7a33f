import { DescriptorType, languagesDescriptor, stringDescriptor } from './standard.ts';

export interface InterfaceClass {
  interfaceClass: number;
  interfaceSubClass: number;
  interfaceProtocol: number;
}

/** Everything that a device says about itself. */
export interface UsbDescriptors {
  /** 18 bytes. */
  device: Uint8Array;
  /** The one configuration, with all that belongs to it. */
  configuration: Uint8Array;
  /** String descriptors 1, 2, ... */
  strings: readonly string[];
  /** Descriptors that an interface is asked for by itself. */
  ofInterfaces: readonly { interface: number; bytes: Uint8Array; type: number }[];
}

/** What a host reads out of a device descriptor before anything else. */
export function identityOf({ device }: UsbDescriptors) {
  const view = Buffer.from(device);
  return {
    deviceClass: view.readUInt8(4),
    deviceSubClass: view.readUInt8(5),
    deviceProtocol: view.readUInt8(6),
    vendorId: view.readUInt16LE(8),
    productId: view.readUInt16LE(10),
    bcdDevice: view.readUInt16LE(12),
    configurations: view.readUInt8(17),
  };
}

/** bConfigurationValue of the only configuration. */
export const configurationValueOf = ({ configuration }: UsbDescriptors): number =>
  Buffer.from(configuration).readUInt8(5);

export function interfacesOf(descriptors: UsbDescriptors): InterfaceClass[] {
  return partsOf(descriptors)
    .filter((part) => part[1] === DescriptorType.interface)
    .map((part) => ({
      interfaceClass: part.readUInt8(5),
      interfaceSubClass: part.readUInt8(6),
      interfaceProtocol: part.readUInt8(7),
    }));
}

/** @returns the descriptor of this type and number; undefined when the device has none */
export function descriptorOf(
  { device, configuration, strings }: UsbDescriptors,
  type: number,
  number: number,
): Uint8Array | undefined {
  if (type === DescriptorType.string) {
    const text = strings[number - 1];
    if (number === 0) return languagesDescriptor();
    return text === undefined ? undefined : stringDescriptor(text);
  }
  if (number !== 0) return undefined;
  if (type === DescriptorType.device) return device;
  if (type === DescriptorType.configuration) return configuration;
  return undefined;
}

/** All descriptors of the configuration, in their order. */
export function partsOf({ configuration }: UsbDescriptors): Buffer[] {
  const whole = Buffer.from(configuration);
  const parts: Buffer[] = [];
  for (let at = 0; at < whole.length; at += whole.readUInt8(at))
    parts.push(whole.subarray(at, at + whole.readUInt8(at)));
  return parts;
}
