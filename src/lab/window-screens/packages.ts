import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages whose style sheets or pages are shown, and their versions: other ones look otherwise. */
export const PACKAGES: Readonly<Record<string, string>> = {
  '7.css': '0.21.1',
  '98.css': '0.1.21',
  '@blueprintjs/core': '6.20.0',
  '@carbon/styles': '1.116.0',
  '@coreui/coreui': '5.9.0',
  '@exampledev/new.css': '1.1.3',
  '@materializecss/materialize': '2.3.3',
  '@patternfly/patternfly': '6.6.1',
  '@picocss/pico': '2.1.1',
  '@primer/css': '22.3.2',
  '@sakun/system.css': '0.1.11',
  '@salesforce-ux/design-system': '2.264.1',
  '@shoelace-style/shoelace': '2.20.1',
  '@tabler/core': '1.6.1',
  '@xterm/xterm': '6.0.0',
  'admin-lte': '4.10.0',
  antd: '4.24.16',
  'bamboo.css': '1.4.0',
  bootstrap: '5.3.9',
  bootswatch: '5.3.8',
  bulma: '1.0.4',
  chota: '0.9.2',
  ckeditor4: '4.25.2',
  'element-plus': '2.14.8',
  'fomantic-ui-css': '2.9.4',
  'foundation-sites': '6.9.0',
  gentelella: '4.2.0',
  'govuk-frontend': '6.6.0',
  halfmoon: '2.0.2',
  layui: '2.13.6',
  'marx-css': '4.1.4',
  'material-components-web': '14.0.0',
  'material-design-lite': '1.3.0',
  milligram: '1.4.1',
  'mini.css': '3.0.1',
  'missing.css': '1.3.0',
  'mvp.css': '1.18.0',
  'nes.css': '2.2.1',
  papercss: '1.9.2',
  photonkit: '0.1.2',
  picnic: '7.1.0',
  purecss: '3.1.0',
  'sakura.css': '1.5.1',
  simpledotcss: '2.3.7',
  'skeleton-css': '2.0.4',
  'spectre.css': '0.5.9',
  'startbootstrap-sb-admin-2': '4.1.4',
  tachyons: '4.12.0',
  'tacit-css': '1.9.7',
  'terminal.css': '0.7.5',
  uikit: '3.25.29',
  'w3-css': '4.1.0',
  'water.css': '2.1.1',
  'xp.css': '0.3.0',
};

/** Fetches the packages that a folder does not hold yet, each without what it depends on. No script of theirs is run. */
export function fetchPackages(folder: string, names: Iterable<string>): void {
  for (const name of names) {
    const version = PACKAGES[name] as string;
    const place = join(folder, name);
    if (versionAt(place) === version) continue;
    process.stderr.write(`fetching ${name} ${version}\n`);
    const fresh = join(folder, '.fresh');
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    const packed = run('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent'], fresh);
    run('tar', ['xzf', packed.trim().split('\n').at(-1) as string], fresh);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(dirname(place), { recursive: true });
    renameSync(join(fresh, 'package'), place);
    rmSync(fresh, { recursive: true, force: true });
  }
}

function versionAt(place: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
