import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { output } from './command.ts';
import { commandsIn, manPage } from './man-page.ts';
import { nodeFor } from './node-release.ts';
import { packageClosure } from './package-closure.ts';
import { productionModules } from './production-modules.ts';
import type { Target } from './target.ts';

/** Run beside the bundles or loaded by them; all else is in the bundles. */
const PACKAGES = ['pm2', 'sharp', 'tesseract.js', '@tesseract.js-data/eng', '@tesseract.js-data/pol'];
/** Never loaded. */
const NEEDLESS = /\/(\.bin|test|tests|__tests__|\.github|\.vscode)$|\.(map|md|markdown|d\.ts)$/;
const SHELLS = {
  bash: 'bash-completion/completions',
  zsh: 'zsh/vendor-completions',
  fish: 'fish/vendor_completions.d',
};
const UNITS = '/usr/lib/systemd/system';

const MAN = 'usr/share/man/man1';

interface Manifest {
  version: string;
  bin: Record<string, string>;
}

export interface RootfsOptions {
  /** Of the project. */
  root: string;
  target: Target;
  /** Downloads and packages, kept from one build to the next. */
  cache: string;
  /** Folder that is made anew: `install.sh`, `tree`, `system`, `settings`. */
  out: string;
}

/**
 * Everything that an installed rig consists of, for `rootfs/install.sh`: `tree` becomes /opt/svc-rig/<version>, each file below
 * `system` goes to its own path, those of `settings` to /etc/svc where there are none yet.
 * @throws Error naming what is missing on this machine
 */
export async function makeRootfs({ root, target, cache, out }: RootfsOptions): Promise<void> {
  const node = await nodeFor(target, cache);
  const modules = await productionModules(root, target, node, cache);
  rmSync(out, { recursive: true, force: true });
  const tree = join(out, 'tree');
  mkdirSync(tree, { recursive: true });

  const copy = (from: string, to: string) => {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    cpSync(from, join(out, to), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !NEEDLESS.test(path),
    });
  };
  const project = (from: string, to: string) => {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    cpSync(join(root, from), join(out, to), { recursive: true, verbatimSymlinks: true });
  };

  project('rootfs/install.sh', 'install.sh');
  for (const name of ['svc.yaml', 'rig.env', 'bench.yaml'])
    project(`rootfs/etc/svc/${name}`, `settings/${name}`);
  for (const folder of [
    'etc/modprobe.d',
    'etc/sudoers.d',
    'usr/lib/sysusers.d',
    'usr/lib/tmpfiles.d',
    'usr/lib/modules-load.d',
    'usr/lib/systemd',
  ])
    project(`rootfs/${folder}`, `system/${folder}`);
  project('systemd', `system${UNITS}`);
  project('udev/99-svc-rig.rules', 'system/usr/lib/udev/rules.d/99-svc-rig.rules');

  for (const name of ['package.json', 'ecosystem.config.cjs', 'LICENSE', 'scenarios', 'docs'])
    project(name, `tree/${name}`);
  project('rootfs/bin', 'tree/bin');
  copy(join(node, 'bin/node'), 'tree/node/bin/node');
  copy(join(node, 'LICENSE'), 'tree/node/LICENSE');
  for (const name of packageClosure(modules, PACKAGES))
    copy(join(modules, name), `tree/node_modules/${name}`);
  const build = [join(root, 'build.mjs'), '--quiet', `--target=${target}`, `--out=${join(tree, 'dist')}`];
  await output(process.execPath, [...build, `--modules=${modules}`], { cwd: root });

  const { version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  await completions(root, out);
  await manPages(root, out, Object.keys(bin), version);
  writeFileSync(join(tree, 'VERSION'), `${version}\n`);
  writeFileSync(join(tree, 'TARGET'), `${target}\n`);
  chmodSync(join(tree, 'node/bin/node'), 0o755);
  const sums = filesBelow(tree).map((path) => `${sha256(join(tree, path))}  ${path}\n`);
  writeFileSync(join(tree, 'SHA256SUMS'), sums.join(''));
}

/** As the programs of this machine print them: they are the same for each target. */
async function completions(root: string, out: string): Promise<void> {
  for (const [shell, folder] of Object.entries(SHELLS)) {
    const script = await output(process.execPath, [join(root, 'dist/svcctl.cjs'), 'completion', shell]);
    const name = shell === 'bash' ? 'svcctl' : shell === 'zsh' ? '_svcctl' : 'svcctl.fish';
    const path = join(out, 'system/usr/share', folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script);
  }
}

/** Of each command, and of each command of svcctl: what it prints for --help. */
async function manPages(root: string, out: string, names: readonly string[], version: string): Promise<void> {
  const folder = join(out, 'system', MAN);
  mkdirSync(folder, { recursive: true });
  const write = async (page: string, program: string, args: readonly string[]) => {
    const help = await output(process.execPath, [join(root, `dist/${program}.cjs`), ...args, '--help']);
    writeFileSync(join(folder, `${page}.1`), manPage(page, help, version));
    return help;
  };
  for (const name of names) {
    const help = await write(name, name, []);
    if (name !== 'svcctl') continue;
    for (const command of commandsIn(help)) await write(`${name}-${command}`, name, [command]);
  }
}

/** Paths of files, relative, in the same order on each machine. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => existsSync(join(folder, path)) && statSync(join(folder, path)).isFile())
    .sort();
}

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
