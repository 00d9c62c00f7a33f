import { deflateRawSync } from 'node:zlib';
import { crc32 } from '../lib/crc32.ts';
import { SyncError } from './sync-error.ts';

/** Limits of an archive without the 64 bit extension. */
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffffffff;

const VERSION_NEEDED = 20;
const DEFLATED = 8;
/** Made on Unix, with the mode of a plain file, 0644. */
const MADE_BY = (3 << 8) | VERSION_NEEDED;
const FILE_MODE = (0o100644 << 16) >>> 0;

/**
 * Writes a ZIP archive in memory (PKWARE APPNOTE 6.3.10): deflated entries, no 64 bit extension.
 * Names are ASCII; the caller keeps them unique and free of folders.
 */
export class ZipWriter {
  readonly #modified: { readonly date: number; readonly time: number };
  readonly #local: Buffer[] = [];
  readonly #central: Buffer[] = [];
  #offset = 0;

  /** @param modified time stamp of every entry */
  constructor(modified: Date) {
    this.#modified = dosTime(modified);
  }

  /** @throws SyncError `archive_too_large` */
  add(name: string, text: string): void {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const fileName = Buffer.from(name, 'ascii');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION_NEEDED, 0);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(this.#modified.time, 6);
    common.writeUInt16LE(this.#modified.date, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(fileName.length, 22);

    const made = Buffer.alloc(6, 'PK\x01\x02');
    made.writeUInt16LE(MADE_BY, 4);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(FILE_MODE, 6);
    place.writeUInt32LE(this.#offset, 10);
    this.#central.push(made, common, place, fileName);

    const local = [Buffer.from('PK\x03\x04'), common, fileName, packed];
    this.#local.push(...local);
    this.#offset += sizeOf(local);
    if (this.#central.length / 4 > MAX_ENTRIES || this.#offset > MAX_BYTES)
      throw new SyncError('archive_too_large', 'the archive would have more than 65535 files or 4 GiB');
  }

  finish(): Buffer {
    const entries = this.#central.length / 4;
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 'latin1');
    end.writeUInt16LE(entries, 8);
    end.writeUInt16LE(entries, 10);
    end.writeUInt32LE(sizeOf(this.#central), 12);
    end.writeUInt32LE(this.#offset, 16);
    return Buffer.concat([...this.#local, ...this.#central, end]);
  }
}

const sizeOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** UTC in the two words of MS-DOS: from 1980, every second second. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.max(0, at.getUTCFullYear() - 1980);
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
