import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { RecordError } from './record-error.ts';

/** Private key of a rig, PKCS #8 PEM, mode 0600, in the state folder. */
export const KEY_FILE = 'rig-key.pem';

/** What anybody may know of the key of a rig. */
export interface RigPublicKey {
  readonly algorithm: 'ed25519';
  /** `SHA256:` and the SHA-256 of the public key (SPKI, DER) in base64 without padding. */
  readonly fingerprint: string;
  /** SPKI, DER, base64. */
  readonly public_key: string;
}

/** The key that seals the records of a rig (RFC 8032, Ed25519). */
export class RigKey {
  readonly public: RigPublicKey;
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    this.#key = key;
    this.public = publicOf(createPublicKey(key));
  }

  /** @returns the signature, base64 */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#key).toString('base64');
  }
}

function publicOf(key: KeyObject): RigPublicKey {
  const der = key.export({ type: 'spki', format: 'der' });
  return { algorithm: 'ed25519', fingerprint: fingerprintOf(der), public_key: der.toString('base64') };
}

export const fingerprintOf = (spki: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(spki).digest('base64').replace(/=+$/, '')}`;

/** Name of a rig that follows from its key: `rig-` and 12 hexadecimal digits. */
export const rigIdOf = ({ fingerprint }: RigPublicKey): string =>
  `rig-${Buffer.from(fingerprint.slice('SHA256:'.length), 'base64').toString('hex').slice(0, 12)}`;

/**
 * The key of a state folder; the first call makes it. Of several processes that do so at the same time all get the
 * same key. @throws RecordError `record_unwritable`, `key_unusable`
 */
export function rigKeyOf(stateDir: string): RigKey {
  const path = join(stateDir, KEY_FILE);
  return readRigKey(stateDir) ?? madeKey(path, stateDir);
}

/** Undefined: there is none, or this account may not read it. @throws RecordError `key_unusable` */
export function readRigKey(stateDir: string): RigKey | undefined {
  const path = join(stateDir, KEY_FILE);
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') return undefined;
    throw unusable(path, reasonOf(cause), cause);
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw unusable(path, messageOf(cause), cause);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw unusable(path, `it is of type ${key.asymmetricKeyType}, not ed25519`);
  return new RigKey(key);
}

function madeKey(path: string, stateDir: string): RigKey {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(stateDir, { recursive: true });
    const { privateKey } = generateKeyPairSync('ed25519');
    rmSync(temporary, { force: true });
    synced(temporary, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    // A link fails where another process was first; a rename would replace its key.
    linkUnlessThere(temporary, path);
    syncDirectory(stateDir);
  } catch (cause) {
    const message = `the key of the rig cannot be made at ${path}: ${reasonOf(cause)}; make the folder writable for the account of the service`;
    throw new RecordError('record_unwritable', message, { cause });
  } finally {
    rmSync(temporary, { force: true });
  }
  const key = readRigKey(stateDir);
  if (key) return key;
  throw unusable(path, 'permission denied');
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}

function synced(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const unusable = (path: string, why: string, cause?: unknown): RecordError =>
  new RecordError(
    'key_unusable',
    `${path} is not a usable key of the rig: ${why}; restore it from a backup, or move it away: a new key is made, and older records stay verifiable by the key that they name`,
    { cause },
  );
