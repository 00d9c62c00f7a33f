import { createPublicKey } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IN_IMAGE = 'usr/lib/svc-rig/update-key.pem';

/**
 * Puts the public key for updates into the image. An image without one refuses every update.
 * @param path PEM file with an Ed25519 key; of a private key its public half is taken. @throws Error
 */
export function putUpdateKey(path: string | undefined, imageRoot: string): void {
  if (path === undefined || path === '') return;
  const key = createPublicKey(readFileSync(path));
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `IMAGE_UPDATE_KEY ${path} is ${key.asymmetricKeyType}: openssl genpkey -algorithm ed25519 makes a usable one`,
    );
  const target = join(imageRoot, IN_IMAGE);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, key.export({ type: 'spki', format: 'pem' }), { mode: 0o644 });
}
