import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../lib/clock/clock.ts';
import { messageOf } from '../lib/errors/coded-error.ts';
import { enableArm64Programs } from './arm-emulator.ts';
import { makeFirmware } from './boot-files.ts';
import { output } from './command.ts';
import { debianBase } from './debian-base.ts';
import { type Mirror, mirrorOfThisMachine } from './debian-mirror.ts';
import { makeDisk } from './disk.ts';
import { imageAptSources, makeImageRoot } from './image-root.ts';
import { imageToolsMissing } from './image-tools.ts';
import { packageList } from './package-list.ts';
import { makeRootfs } from './rootfs.ts';
import { Stages } from './stages.ts';
import { putUpdateKey } from './update-key.ts';

// npm run image [-- --uncompressed]: dist/image/svc-rig-<version>-arm64.img.zst, and what the emulated machine boots (docs/image.md)
const root = fileURLToPath(new URL('../../', import.meta.url));
const LEVEL = '-3';

const dist = join(root, 'dist/image');
const cache = join(root, 'node_modules/.cache/svc-rig/image');
const stages = new Stages(systemClock, (line) => process.stdout.write(`${line}\n`));

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { uncompressed: { type: 'boolean', default: false } } });
  const missing = imageToolsMissing();
  if (missing !== undefined) throw new Error(missing);
  for (const folder of [dist, cache, join(dist, 'qemu')]) mkdirSync(folder, { recursive: true });
  const mirror = await mirrorOfThisMachine();
  const disable = await enableArm64Programs(mirror, cache);
  const image = await makeImage(mirror).finally(disable);
  const compressed = `${image}.zst`;
  if (values.uncompressed) {
    // None of another build beside this disk.
    for (const file of [compressed, `${compressed}.sha256`]) rmSync(file, { force: true });
    return;
  }
  await stages.run('compression', () => output('zstd', ['-q', '-f', '-T0', LEVEL, image, '-o', compressed]));
  const sum = await sha256(compressed);
  writeFileSync(`${compressed}.sha256`, `${sum}  ${basename(compressed)}\n`);
  const megabytes = (statSync(compressed).size / 1e6).toFixed(0);
  process.stdout.write(
    `${relative(root, compressed)}: ${megabytes} MB, SHA-256 ${sum}; write it to a card: docs/flash.md\n`,
  );
}

/** @returns the disk, and leaves its list of packages and what QEMU boots beside it */
async function makeImage(mirror: Mirror): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const epoch = await sourceDate();
  const image = join(dist, `svc-rig-${version}-arm64.img`);
  const work = join(cache, 'work');
  const [imageRoot, firmware, archive] = ['root', 'firmware', 'archive'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  // The one waits for the emulator on one core, the other for the registry of npm.
  const both = [
    stages.run("Debian's root file system", () => debianBase(root, mirror, cache)),
    stages.run('programs, Node and packages of npm for arm64', () =>
      makeRootfs({ root, target: 'linux-arm64', cache, out: archive }),
    ),
  ] as const;
  await Promise.allSettled(both);
  const [base] = await Promise.all(both);
  const aptSources = imageAptSources(process.env.IMAGE_APT_URIS);
  await stages.run('root file system of the image', () =>
    makeImageRoot({ root, base, archive, out: imageRoot, aptSources, epoch }),
  );
  putUpdateKey(process.env.IMAGE_UPDATE_KEY, imageRoot);
  await stages.run('boot files', () => makeFirmware({ root, imageRoot, cache, out: firmware, epoch }));
  const components = packageList(root, imageRoot, version, epoch);
  writeFileSync(`${image.replace(/\.img$/, '')}.cdx.json`, `${JSON.stringify(components, null, 1)}\n`);
  await stages.run('disk', () => makeDisk({ firmware, imageRoot, work, image, epoch }));
  for (const name of ['vmlinuz', 'initrd.img', 'cmdline.txt'])
    copyFileSync(join(firmware, 'a', name), join(dist, 'qemu', name));
  rmSync(work, { recursive: true, force: true });
  return image;
}

/** Seconds since 1970: SOURCE_DATE_EPOCH, else the last commit, else where there is no repository the age of package.json. */
async function sourceDate(): Promise<number> {
  const ofFiles = String(Math.floor(statSync(join(root, 'package.json')).mtimeMs / 1000));
  const ofCommit = () => output('git', ['log', '-1', '--format=%ct'], { cwd: root }).catch(() => ofFiles);
  const text = process.env.SOURCE_DATE_EPOCH ?? (await ofCommit());
  const epoch = Number(text.trim());
  if (!Number.isSafeInteger(epoch) || epoch <= 0)
    throw new Error(`SOURCE_DATE_EPOCH "${text.trim()}": give seconds since 1970`);
  return epoch;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

main().catch((fault: unknown) => {
  process.stderr.write(`image: ${messageOf(fault)}\n`);
  process.exitCode = 1;
});
