import { createPrivateKey } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeUpdate } from '../appliance/update/make-update.ts';
import { messageOf } from '../lib/errors/coded-error.ts';
import { output } from './command.ts';
import { layout } from './layout.ts';
import { filesBelow } from './rootfs.ts';

// npm run image:update -- --key KEY.pem [--image FILE.img] [--min-version X.Y.Z]: an update file from an image (docs/update.md)
const root = fileURLToPath(new URL('../../', import.meta.url));
const BLOCK_BYTES = 1024 * 1024;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { key: { type: 'string' }, image: { type: 'string' }, 'min-version': { type: 'string' } },
  });
  if (values.key === undefined)
    throw new Error('give the private key: npm run image:update -- --key KEY.pem');
  const key = createPrivateKey(readFileSync(values.key));
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `${values.key} is ${key.asymmetricKeyType}: openssl genpkey -algorithm ed25519 -out KEY.pem makes a usable one`,
    );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const image = values.image ?? join(root, `dist/image/svc-rig-${version}-arm64.img`);
  if (!existsSync(image)) throw new Error(`${image} is missing: sudo npm run image`);
  const work = join(root, 'node_modules/.cache/svc-rig/update');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'boot'), { recursive: true });
  try {
    const raw = join(work, 'root');
    const { startBytes, bytes } = layout.rootA;
    const part = [`skip=${startBytes / BLOCK_BYTES}`, `count=${bytes / BLOCK_BYTES}`, `bs=${BLOCK_BYTES}`];
    await output('dd', [`if=${image}`, `of=${raw}`, ...part, 'conv=sparse', 'status=none']);
    await output('zstd', ['-q', '-f', '-T0', '-9', raw, '-o', `${raw}.zst`]);
    const env = { MTOOLS_SKIP_CHECK: '1' };
    const source = `${image}@@${layout.firmware.startBytes}`;
    await output('sh', ['-c', 'mcopy -s -Q -n -i "$0" "::a/*" "$1"', source, join(work, 'boot')], { env });
    const names = filesBelow(join(work, 'boot'));
    const path = join(root, `dist/image/svc-rig-${version}-arm64.svcupdate`);
    const content = {
      ...{ version, target: 'linux-arm64', min_version: values['min-version'] ?? '1.0.0' },
      root: { raw, compressed: `${raw}.zst` },
      boot: Object.fromEntries(names.map((name) => [name, join(work, 'boot', name)])),
    };
    await makeUpdate(path, content, key);
    const megabytes = (statSync(path).size / 1e6).toFixed(0);
    process.stdout.write(`${relative(root, path)}: ${megabytes} MB; on the rig: sudo svcctl update FILE\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

main().catch((fault: unknown) => {
  process.stderr.write(`image:update: ${messageOf(fault)}\n`);
  process.exitCode = 1;
});
