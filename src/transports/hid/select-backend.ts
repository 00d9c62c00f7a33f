import { messageOf } from '../../lib/errors/coded-error.ts';
import { mayUse, permissionFault } from '../access-fault.ts';
import { unassignable } from '../iio/iio-voltages.ts';
import { findHid, type HidCandidate } from '../sysfs/find-hid.ts';
import type { HostRoots } from '../sysfs/find-usb.ts';
import { TransportError } from '../transport-error.ts';
import { type HidPackage, loadNodeHid } from './node-hid.ts';

/** How a USB HID ADC can be reached, in the order in which it is tried (DEV-038). */
export const ADC_BACKENDS = ['hidraw', 'libusb', 'iio'] as const;
export type AdcBackend = (typeof ADC_BACKENDS)[number];

export interface PassedOver {
  backend: AdcBackend;
  /** One sentence for people: what is missing and what to do about it. */
  reason: string;
}

export interface BackendSelection {
  backend: AdcBackend;
  candidate: HidCandidate;
  /** Backends that come before it in the order, and why they were not taken. */
  passedOver: PassedOver[];
}

export interface SelectOptions extends HostRoots {
  /** Only these are tried, always in the order of `ADC_BACKENDS`. */
  backends: readonly AdcBackend[];
  load?: (driver: 'hidraw' | 'libusb') => Promise<HidPackage>;
  /** Paths of endpoints whose device is not wanted. */
  tried?: ReadonlySet<string>;
}

/** The device with these ids that comes first by bus and port and has not been tried. */
export function nextHid(
  { vendorId, productId }: { vendorId: number; productId: number },
  tried: ReadonlySet<string>,
  roots: HostRoots,
): HidCandidate | undefined {
  return findHid(vendorId, productId, roots).find(
    ({ interfaceName, hidraw }) => !tried.has(interfaceName) && (hidraw === null || !tried.has(hidraw)),
  );
}

/**
 * The first backend that can be used for the first device with these ids: hidraw if the kernel made a node, else libusb,
 * else IIO. Passed over is what does not exist, what this user may not open and what cannot be loaded. Nothing is opened
 * and no kernel driver is detached.
 *
 * @throws TransportError `port_absent` when no device is plugged in; otherwise the code of what is in the way of the
 *   first backend that exists: `port_permission`, `driver_missing`, `port_busy` or `port_failed`; `port_absent` when none exists
 */
export async function selectBackend(
  address: string,
  ids: { vendorId: number; productId: number },
  options: SelectOptions,
): Promise<BackendSelection> {
  const candidate = nextHid(ids, options.tried ?? new Set(), options);
  if (!candidate) {
    const message = `no HID device is plugged in for ${address}; plug it in, or check lsusb and the cable`;
    throw new TransportError('port_absent', address, message);
  }
  const faults: (PassedOver & { error: TransportError })[] = [];
  for (const backend of ADC_BACKENDS.filter((one) => options.backends.includes(one))) {
    const error = await inTheWay(address, backend, candidate, options.load ?? loadNodeHid);
    if (!error) {
      const passedOver = faults.map(({ backend: other, reason }) => ({ backend: other, reason }));
      return { backend, candidate, passedOver };
    }
    faults.push({ backend, reason: error.message, error });
  }
  const real = faults.find(({ error }) => error.code !== 'port_absent') ?? faults[0];
  const { name } = candidate.usb;
  const owner = candidate.kernelDriver ?? 'no kernel driver';
  const reasons = faults.map(({ backend, reason }) => `${backend}: ${reason}`).join('; ');
  const message = `no way to the HID device ${name} for ${address} (owned by ${owner}): ${reasons}`;
  throw new TransportError(real?.error.code ?? 'port_absent', address, message, { cause: real?.error });
}

async function inTheWay(
  address: string,
  backend: AdcBackend,
  { usb, kernelDriver, hidraw, iio }: HidCandidate,
  load: (driver: 'hidraw' | 'libusb') => Promise<HidPackage>,
): Promise<TransportError | undefined> {
  const absent = (message: string) => new TransportError('port_absent', address, message);
  const owner = kernelDriver ?? 'no kernel driver';
  if (backend === 'iio') {
    if (iio === null)
      return absent(`${owner} made no IIO device of ${usb.name}; load hid_mcp2221 to get one`);
    const fault = unassignable(iio);
    return fault === undefined ? undefined : new TransportError('port_failed', address, fault);
  }
  if (backend === 'hidraw' && hidraw === null) {
    const remedy =
      kernelDriver === 'mcp2221' ? 'blacklist hid_mcp2221 to get one' : 'check udev and the kernel log';
    return absent(`there is no hidraw node (${owner} owns the interface); ${remedy}`);
  }
  if (kernelDriver === 'usbfs') {
    const message = `another program holds the interface of ${usb.name} through libusb; stop that program`;
    return new TransportError('port_busy', address, message);
  }
  const node = backend === 'hidraw' && hidraw !== null ? hidraw : usb.node;
  if (!mayUse(node)) return permissionFault(address, node);
  try {
    await load(backend);
    return undefined;
  } catch (cause) {
    const message = `node-hid cannot be loaded (${messageOf(cause)}); install the Debian packages libusb-1.0-0 and libudev1`;
    return new TransportError('driver_missing', address, message, { cause });
  }
}
