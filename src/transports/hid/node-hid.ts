import { createRequire } from 'node:module';
import type * as NodeHid from 'node-hid';

export type HidDriver = 'hidraw' | 'libusb';

/** The part of the package that is used here. */
export type HidPackage = Pick<typeof NodeHid, 'HIDAsync' | 'setDriverType' | 'getHidapiVersion'>;

const loaded = new Map<HidDriver, Promise<HidPackage>>();

/**
 * node-hid with one of its two native add-ons. A copy of the package holds one add-on for good, so each add-on gets a
 * copy of its own: what a device needs may change with a plug or with a kernel module.
 *
 * @throws Error what the loader of the operating system says, for example that libusb-1.0.so.0 is missing
 */
export function loadNodeHid(driver: HidDriver): Promise<HidPackage> {
  const known = loaded.get(driver);
  if (known !== undefined) return known;
  const loading = load(driver);
  loaded.set(driver, loading);
  // A library that is missing may be installed while the service waits for its device.
  loading.catch(() => loaded.delete(driver));
  return loading;
}

async function load(driver: HidDriver): Promise<HidPackage> {
  const copy = driver === 'hidraw' ? await import('node-hid') : await secondCopy();
  // Both copies share this object, and a copy that loads hidraw writes the other name into it.
  const { default: binding } = await import('node-hid/binding-options.js');
  binding.name = 'HID';
  copy.setDriverType(driver);
  copy.getHidapiVersion();
  return copy;
}

/** Bundles hold the package twice because of the query. From sources the query is not seen, and the cache is emptied. */
async function secondCopy(): Promise<HidPackage> {
  const first = await import('node-hid');
  const { default: second } = await import('node-hid/nodehid.js?second');
  if (second.HIDAsync !== first.HIDAsync) return second;
  const require = createRequire(import.meta.url);
  const path = require.resolve('node-hid');
  delete require.cache[path];
  return require(path) as HidPackage;
}
