import { createRequire } from 'node:module';
import type { HidPackage } from '../../transports/hid/node-hid.ts';

type ReadCallback = (fault: string | null, report: Buffer | null) => void;

/**
 * node-hid's native half of one handle, as HIDAsync.cc 3.4.0 behaves: `close` counts from its call, and what is asked of
 * a closed handle throws.
 */
export class NativeHid {
  readonly written: Buffer[] = [];
  closes = 0;
  #read: ReadCallback | undefined;
  #isClosed = false;

  get isRead(): boolean {
    return this.#read !== undefined;
  }

  readStart(callback: ReadCallback): null {
    if (this.#isClosed) throw new TypeError('device has been closed');
    if (this.#read) throw new TypeError('read is already running');
    this.#read = callback;
    return null;
  }

  readStop(): Promise<void> | null {
    if (!this.#read) return null;
    this.#read = undefined;
    return Promise.resolve();
  }

  async write(bytes: Buffer): Promise<number> {
    if (this.#isClosed) throw new TypeError('device has been closed');
    this.written.push(bytes);
    return bytes.length;
  }

  close(): Promise<void> {
    if (this.#isClosed) throw new TypeError('device has been closed');
    this.#isClosed = true;
    this.#read = undefined;
    this.closes += 1;
    return Promise.resolve();
  }

  /** What the read thread hands over. */
  report(bytes: Uint8Array): void {
    this.#read?.(null, Buffer.from(bytes));
  }

  fail(message: string): void {
    this.#read?.(message, null);
  }
}

// The package copies what `for in` finds, as the methods of a native class are.
for (const name of ['readStart', 'readStop', 'write', 'close'] as const)
  Object.defineProperty(NativeHid.prototype, name, { enumerable: true });

/** The JavaScript half of the installed node-hid over `NativeHid`; `handles` are those that it opened, in order. */
export function nodeHidOverNative(): { package: HidPackage; handles: NativeHid[] } {
  const handles: NativeHid[] = [];
  const binding = {
    HIDAsync: NativeHid,
    hidapiVersion: '0.15.0',
    openAsyncHIDDevice: async () => {
      const handle = new NativeHid();
      handles.push(handle);
      return handle;
    },
  };
  const require = createRequire(import.meta.url);
  const path = require.resolve('node-hid/nodehid.js');
  const loader = createRequire(path).resolve('pkg-prebuilds/bindings');
  const before = [path, loader].map((file) => [file, require.cache[file]] as const);
  try {
    delete require.cache[path];
    require(loader);
    const loaded = require.cache[loader];
    if (!loaded) throw new Error(`${loader} was not loaded`);
    require.cache[loader] = { ...loaded, exports: () => binding } as NodeJS.Module;
    const copy = require(path) as HidPackage;
    copy.getHidapiVersion();
    return { package: copy, handles };
  } finally {
    for (const [file, module] of before) {
      if (module) require.cache[file] = module;
      else delete require.cache[file];
    }
  }
}
