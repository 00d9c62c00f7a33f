import { posix } from 'node:path';
import { FIXED_NAMES } from '../rig/device-kinds/index.ts';

/** Folders of src/ and the floor each stands on. An import goes to the same floor or to a lower one. */
const FLOORS: Record<string, number> = {
  lib: 0,
  transports: 1,
  devices: 2,
  bench: 3,
  rig: 4,
  scenario: 5,
  services: 6,
  diagnostics: 6,
  sync: 6,
  // The card that an appliance starts from.
  appliance: 6,
  cli: 7,
  web: 7,
  // In no shipped program: measurements, stress and training, and what tests share.
  image: 8,
  lab: 8,
  'test-kit': 8,
};

/** Tests of every floor may use these. */
const ABOVE_ALL = ['lab', 'test-kit'];

/** Its own wing: it stands on lib alone, and only processes use it. */
const WING = 'window';
const WING_USERS_FROM = 6;

/** Native packages and the one folder that touches each of them. Tests may, as independent peers. */
const KEEPERS: { packages: RegExp; folder: string }[] = [
  {
    packages: /^(serialport|@serialport\/(?!parser-)[^/]+|node-hid|usb|i2c-bus)(\/|$)/,
    folder: 'transports',
  },
  { packages: /^koffi(\/|$)/, folder: 'lib' },
  { packages: /^libsql(\/|$)/, folder: 'services' },
  { packages: /^(@lydell\/)?node-pty(\/|$)/, folder: 'bench' },
];

/** Rooms on one floor that must not know each other, and what they may share. */
const ROOMS: Record<string, { shared: string[] }> = {
  devices: { shared: ['modbus-rtu'] },
  services: { shared: [] },
};

/** What gives verdicts knows nothing that chooses readings, nor what may reach for it. Their tests do. */
const JUDGE = /^scenario\/(run|rig|commands|program|values)\//;
const REHEARSAL = /^scenario\/(rehearse\/|perform-run\.ts$|interpreter\.ts$)/;

/** Below the rig only these know the devices. The others name neither a plugin nor an actuator. */
const DEVICE_FLOORS = ['devices', 'bench'];
const DEVICE_NAMES = new RegExp(
  `\\b(${[...FIXED_NAMES, 'pump-main', 'lung-main', 'valve-\\d+'].join('|')})\\b`,
);

const EMPTY_NAMES = /(^|\/)(utils?|helpers?|misc|common)(\.|\/)/;

/** Paths that exist on one developer's machine only. */
const PRIVATE_PATH =
  /["'`( ](\/work\/|\/Users\/|\/root\/|\/home\/(?!rig\b|operator\b)[a-z]|[A-Z]:\\\\)[^\n]*/;
const SHARED_PATH = /(\.\.\/)+shared\//;

export interface SourceFile {
  /** Relative to src/, with forward slashes. */
  path: string;
  text: string;
}

/** Every breach of the house's order in `files`, one sentence each. */
export function breaches(files: SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...nameBreaches(file),
    ...pathBreaches(file),
    ...deviceBreaches(file),
    ...importsOf(file.text).flatMap((specifier) => importBreaches(file.path, specifier)),
  ]);
}

/** What a module imports, statically, dynamically or by require, types included. */
export function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const pattern =
    /\b(?:(?:import|export)\b[^'"`;()]*?\bfrom|import)\s*["']([^"'\n]+)["']|\b(?:import|require)\(\s*["']([^"'\n]+)["']/g;
  return [...code.matchAll(pattern)].map(([, fixed, called]) => String(fixed ?? called));
}

function nameBreaches({ path }: SourceFile): string[] {
  const folder = folderOf(path);
  const unknown = folder !== WING && !(folder in FLOORS);
  return [
    ...(unknown ? [`src/${path} lies outside of the floors`] : []),
    ...(EMPTY_NAMES.test(path) ? [`src/${path} has a name that says nothing`] : []),
  ];
}

function pathBreaches({ path, text }: SourceFile): string[] {
  const own = PRIVATE_PATH.exec(text)?.[0];
  return [
    ...(own ? [`src/${path} names a path of one machine: ${own.slice(0, 80)}`] : []),
    ...(SHARED_PATH.test(text) ? [`src/${path} reaches outside of the project`] : []),
  ];
}

function deviceBreaches({ path, text }: SourceFile): string[] {
  const folder = folderOf(path);
  const isBelow = folder === WING || (FLOORS[folder] ?? 0) < (FLOORS.rig ?? 0);
  if (!isBelow || DEVICE_FLOORS.includes(folder) || isTest(path)) return [];
  const name = DEVICE_NAMES.exec(text)?.[0];
  return name === undefined
    ? []
    : [`src/${path} names ${name}: only ${DEVICE_FLOORS.join('/ and ')}/ know devices below rig/`];
}

function importBreaches(path: string, specifier: string): string[] {
  if (!specifier.startsWith('.')) return packageBreaches(path, specifier);
  const target = posix.normalize(posix.join(posix.dirname(path), specifier));
  const breach = (why: string) => [`src/${path} imports ${specifier}: ${why}`];
  if (target.startsWith('..')) return isTest(path) ? [] : breach('it lies outside of src/');

  const [from, to] = [folderOf(path), folderOf(target)];
  if (isTest(path) && ABOVE_ALL.includes(to)) return [];
  if (from === WING) return to === WING || to === 'lib' ? [] : breach(`${WING}/ stands on lib/ alone`);
  const floor = FLOORS[from] ?? 0;
  if (to === WING) return floor >= WING_USERS_FROM ? [] : breach(`${from}/ does not know ${WING}/`);
  if ((FLOORS[to] ?? 0) > floor) return breach(`${from}/ lies below ${to}/`);

  if (JUDGE.test(path) && REHEARSAL.test(target) && !isTest(path))
    return breach('the judge knows no rehearsal');

  const rooms = ROOMS[from];
  const [fromRoom, toRoom] = [roomOf(path), roomOf(target)];
  const apart = rooms && from === to && fromRoom && toRoom && fromRoom !== toRoom;
  return apart && !rooms.shared.includes(toRoom) ? breach(`${from}/ rooms do not know each other`) : [];
}

function packageBreaches(path: string, specifier: string): string[] {
  const keeper = KEEPERS.find(({ packages }) => packages.test(specifier));
  if (!keeper || isTest(path) || folderOf(path) === keeper.folder) return [];
  return [`src/${path} imports ${specifier}: only ${keeper.folder}/ touches it`];
}

const folderOf = (path: string) => path.split('/')[0] ?? '';

/** The folder below the floor's own; undefined for a file that lies on the floor itself. */
const roomOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1] : undefined);

/** Text cases and what runs them are tests too. */
const isTest = (path: string) => path.endsWith('.test.ts') || path.includes('/cases/');
