import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '../lib/errors/coded-error.ts';
import { output } from './command.ts';
import { makeRootfs } from './rootfs.ts';
import { hostTarget, targetOf } from './target.ts';

// npm run image:rootfs [-- --target=linux-x64|linux-arm64]
const root = fileURLToPath(new URL('../../', import.meta.url));

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: 'string' } } });
  const target = targetOf(values.target ?? hostTarget);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'dist/image');
  const name = `svc-rig-${version}-${target}`;
  mkdirSync(folder, { recursive: true });
  const out = join(folder, name);
  await makeRootfs({ root, target, cache: join(root, 'node_modules/.cache/svc-rig/image'), out });
  const archive = `${out}.tar.gz`;
  // The same owner, order and time in each build: equal contents are an equal archive.
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  await output('tar', [...same, '--use-compress-program=gzip -n -6', '-cf', archive, '-C', folder, name]);
  const megabytes = (statSync(archive).size / 1e6).toFixed(0);
  process.stdout.write(
    `${relative(root, archive)}: ${megabytes} MB; unpack it on the machine of the rig and run install.sh\n`,
  );
}

main().catch((fault: unknown) => {
  process.stderr.write(`image:rootfs: ${messageOf(fault)}\n`);
  process.exitCode = 1;
});
