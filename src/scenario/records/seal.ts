import { createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { sha256 } from './event-chain.ts';
import { fingerprintOf, type RigKey, type RigPublicKey } from './rig-key.ts';
import { FILES } from './run-file.ts';

/** Files of a record that no seal covers: the seal itself, and the mark that keeps a record for ever. */
const UNSEALED: ReadonlySet<string> = new Set([FILES.seal, FILES.keep]);

/** What `replaceFile` leaves behind when its process is killed. */
export const TEMPORARY = /^\..*\.tmp$/;

export interface SealedFile {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What is signed. */
export interface SealBody {
  readonly schema_version: 1;
  readonly run_id: string;
  readonly identity_sha256: string;
  readonly events: { readonly count: number; readonly last_sha256: string };
  /** Every other file of the record by its name. */
  readonly files: Readonly<Record<string, SealedFile>>;
  /** ISO time. */
  readonly sealed_at: string;
  readonly key: RigPublicKey;
}

/** `seal.json`. */
export interface Seal extends SealBody {
  /** Ed25519 over the JSON text of all members before, base64. */
  readonly signature: string;
}

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const schema = z.strictObject({
  schema_version: z.literal(1),
  run_id: z.string(),
  identity_sha256: hash,
  events: z.strictObject({ count: z.int().min(0), last_sha256: hash }),
  files: z.record(z.string(), z.strictObject({ bytes: z.int().min(0), sha256: hash })),
  sealed_at: z.string(),
  key: z.strictObject({
    algorithm: z.literal('ed25519'),
    fingerprint: z.string(),
    public_key: z.string(),
  }),
  signature: z.string(),
});

const signedText = ({ signature: _, ...body }: Seal): string => JSON.stringify(body);
const fileText = (seal: Seal): string => `${JSON.stringify(seal, null, 1)}\n`;

/** The text of `seal.json`. */
export function sealText(body: SealBody, key: RigKey): string {
  const signature = key.sign(JSON.stringify(body));
  return fileText({ ...body, signature });
}

/** @returns the seal, or why the text is not one that its key has signed */
export function readSeal(text: string): Seal | { readonly fault: string } {
  let seal: Seal;
  try {
    seal = schema.parse(JSON.parse(text));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? 'members are missing or wrong' : messageOf(cause);
    return { fault: `it is not a seal: ${why}` };
  }
  // One text for one content: no byte of the file may differ.
  if (fileText(seal) !== text) return { fault: 'its text is not the one that was written' };
  return isSigned(seal) ? seal : { fault: 'its signature does not match its content and its key' };
}

function isSigned(seal: Seal): boolean {
  const { fingerprint, public_key } = seal.key;
  const der = Buffer.from(public_key, 'base64');
  if (der.toString('base64') !== public_key || fingerprintOf(der) !== fingerprint) return false;
  const signature = Buffer.from(seal.signature, 'base64');
  if (signature.toString('base64') !== seal.signature) return false;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(signedText(seal)), key, signature);
  } catch {
    return false;
  }
}

/** Names of the files of a record that a seal covers. @throws the system's error */
export const sealedNames = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => !UNSEALED.has(name))
    .sort();

export const sealedFile = (content: string | Uint8Array): SealedFile => ({
  bytes: Buffer.byteLength(content),
  sha256: sha256(content),
});

/** @throws the system's error */
export const sealedFileAt = (path: string): SealedFile => sealedFile(readFileSync(path));
