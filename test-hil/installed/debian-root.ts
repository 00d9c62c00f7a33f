import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/svc-rig/installed');
const SUITE = 'trixie';
/** A Debian server as its installer leaves it, as far as the rig meets it. */
const PACKAGES =
  'systemd,systemd-sysv,udev,dbus,openssh-server,sudo,iproute2,kmod,procps,netbase,libatomic1,libusb-1.0-0';
const TOOLS = ['systemd-nspawn', 'mmdebstrap', 'nsenter'];

export const debianTar = join(CACHE, `debian-${SUITE}.tar`);

/** Folder of `npm run image:rootfs` for this machine. */
export function archiveFolder(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return join(ROOT, 'dist/image', `svc-rig-${version}-${process.platform}-${process.arch}`);
}

/** Why the rig cannot be installed into a container here; undefined where it can. */
export function installedMissing(): string | undefined {
  if (process.env.RIG_TEST_INSTALLED !== '1')
    return 'needs npm run test:installed, which makes a Debian root file system';
  return (
    toolsMissing() ??
    (existsSync(debianTar) && existsSync(archiveFolder()) ? undefined : 'it is not prepared')
  );
}

function toolsMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'needs root on Linux for systemd-nspawn';
  const folders = (process.env.PATH ?? '').split(':');
  const missing = TOOLS.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool))));
  return missing.length > 0
    ? `${missing.join(', ')} missing: apt-get install systemd-container mmdebstrap util-linux`
    : undefined;
}

/** Makes the root file system once. @throws Error naming what is missing */
export async function prepareDebian(): Promise<void> {
  const missing = toolsMissing();
  if (missing !== undefined) throw new Error(missing);
  if (existsSync(debianTar)) return;
  mkdirSync(CACHE, { recursive: true });
  const part = `${debianTar}.part.tar`;
  const plain = ['--variant=minbase', '--mode=root', '--aptopt=Apt::Install-Recommends "false"'];
  await promisify(execFile)('mmdebstrap', [...plain, `--include=${PACKAGES}`, SUITE, part]);
  renameSync(part, debianTar);
}
