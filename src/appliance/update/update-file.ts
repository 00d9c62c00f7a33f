import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createReadStream, fstatSync, readSync } from 'node:fs';
import * as z from 'zod';
import { ApplianceError } from '../appliance-error.ts';

/** First bytes of an update file; its length, the manifest, its signature and the parts follow. */
export const MAGIC = Buffer.from('SVC-RIG-UPDATE-1\n');
const LENGTH_BYTES = 4;
export const SIGNATURE_BYTES = 64;
const LONGEST_MANIFEST = 1_000_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const versionText = z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);

export const manifestSchema = z.strictObject({
  version: versionText,
  /** For example `linux-arm64`. */
  target: z.string().min(1).max(100),
  /** The oldest version that may be updated to this one. */
  min_version: versionText,
  /** In the order of the file. The first is the root file system, the others are boot files. */
  parts: z
    .array(
      z.strictObject({
        /** `root`, or the path of a boot file in the folder of its slot. */
        name: z.string().regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/),
        bytes: z.int().min(0),
        sha256,
        /** Of the root file system uncompressed. */
        raw_bytes: z.int().min(1).optional(),
        raw_sha256: sha256.optional(),
      }),
    )
    .min(2)
    .max(500),
});
export type Manifest = z.output<typeof manifestSchema>;
export type Part = Manifest['parts'][number];

/** An update file whose manifest is signed. */
export interface UpdateFile {
  /** Open for reading; what was verified and what is written are the same file. */
  file: number;
  manifest: Manifest;
  /** Where each part begins, bytes. */
  offsets: number[];
}

const refused = (why: string) =>
  new ApplianceError('update_refused', `the update is refused, nothing was written: ${why}`);

/**
 * Reads and verifies the manifest: signature first, before anything else of it is looked at.
 * @param publicKey PEM of the image; undefined when the image was built without one
 * @throws ApplianceError `update_refused`
 */
export function readManifest(file: number, publicKey: string | undefined): UpdateFile {
  if (publicKey === undefined)
    throw refused(
      'this image was built without a key for updates: write a new image to the card (docs/update.md)',
    );
  const head = bytesAt(file, 0, MAGIC.length + LENGTH_BYTES);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC))
    throw refused('it is no update file of svc-rig: npm run image:update makes one');
  const length = head.readUInt32BE(MAGIC.length);
  if (length === 0 || length > LONGEST_MANIFEST) throw refused('its manifest is broken: copy the file again');
  const text = bytesAt(file, head.length, length);
  const signature = bytesAt(file, head.length + length, SIGNATURE_BYTES);
  if (signature.every((byte) => byte === 0)) throw refused('it is not signed');
  if (!verify(null, Buffer.concat([MAGIC, text]), keyOf(publicKey), signature))
    throw refused(
      'its signature is not of the key in this image: it was signed by somebody else, or is broken',
    );
  const manifest = manifestSchema.safeParse(parsed(text));
  if (!manifest.success)
    throw refused(`its manifest is of another form (${manifest.error.issues[0]?.path.join('.')})`);
  const offsets: number[] = [];
  let at = head.length + length + SIGNATURE_BYTES;
  for (const { bytes } of manifest.data.parts) {
    offsets.push(at);
    at += bytes;
  }
  const { size } = fstatSync(file);
  if (size !== at)
    throw refused(`it has ${size} bytes, not ${at}: it is cut off or was changed, copy it again`);
  const [root, ...boot] = manifest.data.parts;
  if (
    root?.name !== 'root' ||
    root.raw_bytes === undefined ||
    root.raw_sha256 === undefined ||
    boot.some(({ name }) => name === 'root')
  )
    throw refused('its manifest names no root file system');
  return { file, manifest: manifest.data, offsets };
}

/** Every part against its hash. @throws ApplianceError `update_refused` */
export async function verifyParts(update: UpdateFile): Promise<void> {
  for (const [index, part] of update.manifest.parts.entries()) {
    const hash = createHash('sha256');
    for await (const chunk of partStream(update, index)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== part.sha256)
      throw refused(`its part ${part.name} is broken: copy the file again`);
  }
}

/** Bytes of one part. */
export function partStream({ file, manifest, offsets }: UpdateFile, index: number): AsyncIterable<Buffer> {
  const [start = 0, { bytes = 0 } = {}] = [offsets[index], manifest.parts[index]];
  if (bytes === 0) return (async function* () {})();
  return createReadStream('', { fd: file, autoClose: false, start, end: start + bytes - 1 });
}

function bytesAt(file: number, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  if (readSync(file, bytes, 0, count, at) !== count) throw refused('it is cut off: copy the file again');
  return bytes;
}

function keyOf(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Told below.
  }
  throw refused('the key for updates in this image is no Ed25519 public key: write a new image to the card');
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}
