import { createHash, type KeyObject, sign } from 'node:crypto';
import { closeSync, createReadStream, openSync, statSync, writeSync } from 'node:fs';
import { MAGIC, type Manifest, manifestSchema, type Part } from './update-file.ts';

export interface UpdateContent extends Pick<Manifest, 'version' | 'target' | 'min_version'> {
  /** Root file system, and the same compressed by zstd. */
  root: { raw: string; compressed: string };
  /** Files by their paths in the folder of a slot. */
  boot: Readonly<Record<string, string>>;
}

/** Writes an update file. @param key Ed25519 private key. @throws Error */
export async function makeUpdate(
  path: string,
  { root, boot, ...about }: UpdateContent,
  key: KeyObject,
): Promise<void> {
  const raw = await describe('root', root.raw);
  const parts: Part[] = [
    { ...(await describe('root', root.compressed)), raw_bytes: raw.bytes, raw_sha256: raw.sha256 },
  ];
  for (const [name, file] of Object.entries(boot)) parts.push(await describe(name, file));
  const text = Buffer.from(JSON.stringify(manifestSchema.parse({ ...about, parts })));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const out = openSync(path, 'w');
  try {
    for (const bytes of [MAGIC, length, text, sign(null, Buffer.concat([MAGIC, text]), key)])
      writeSync(out, bytes);
    for (const file of [root.compressed, ...Object.values(boot)])
      for await (const chunk of createReadStream(file)) writeSync(out, chunk as Buffer);
  } finally {
    closeSync(out);
  }
}

async function describe(name: string, path: string): Promise<Part> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { name, bytes: statSync(path).size, sha256: hash.digest('hex') };
}
