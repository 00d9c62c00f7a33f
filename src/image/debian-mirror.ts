import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './command.ts';

/** Of Debian, for everything in the image and for the emulator that builds it. */
export const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

export interface Mirror {
  /** Packages of the release. */
  main: string;
  /** Security updates; undefined where this machine's apt has none. */
  security: string | undefined;
}

/**
 * The mirror that this machine's own apt is configured with, whatever suite it has from there.
 * @throws Error with the remedy when apt has no Debian mirror
 */
export async function mirrorOfThisMachine(): Promise<Mirror> {
  const targets = await output('apt-get', [
    'indextargets',
    '--format',
    '$(ORIGIN)\t$(LABEL)\t$(SITE)',
    'Created-By: Packages',
  ]);
  const rows = targets.split('\n').map((line) => line.split('\t'));
  const siteOf = (label: string) =>
    rows.find(([origin, found]) => origin === 'Debian' && found === label)?.[2];
  const main = siteOf('Debian');
  if (main === undefined)
    throw new Error(
      'apt of this machine knows no Debian mirror: run apt-get update, with Debian in its sources',
    );
  return { main, security: siteOf('Debian-Security') };
}

/** Lines of sources.list. */
export function sourcesOf({ main, security }: Mirror, components: string): string[] {
  const line = (uri: string, suite: string) => `deb [signed-by=${KEYRING}] ${uri} ${suite} ${components}`;
  return [
    line(main, SUITE),
    line(main, `${SUITE}-updates`),
    ...(security === undefined ? [] : [line(security, `${SUITE}-security`)]),
  ];
}

/**
 * Downloads a package of the suite for this machine's own processor, and unpacks it. Nothing is installed.
 * @param folder for apt's lists and the package's files
 * @returns the folder with its files
 */
export async function unpackPackage(name: string, mirror: Mirror, folder: string): Promise<string> {
  for (const path of ['lists/partial', 'cache/archives/partial', 'deb', 'files'])
    mkdirSync(join(folder, path), { recursive: true });
  const sources = join(folder, 'sources.list');
  writeFileSync(sources, `${sourcesOf(mirror, 'main').join('\n')}\n`);
  const own = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::Lists=${join(folder, 'lists')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
  ].flatMap((option) => ['-o', option]);
  await output('apt-get', [...own, '-qq', 'update']);
  await output('apt-get', [...own, '-qq', 'download', name], { cwd: join(folder, 'deb') });
  await output('sh', ['-c', 'dpkg -x deb/*.deb files'], { cwd: folder });
  return join(folder, 'files');
}
