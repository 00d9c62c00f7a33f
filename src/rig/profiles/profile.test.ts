import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { adcLockKey } from '../adc/device-locks.ts';
import { deviceLocks } from './device-locks.ts';
import { PROFILE_NAMES, type ProfileError, parseProfile, servicesOf } from './profile.ts';
import { RIG_SERVICES } from './rig-services.ts';

const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
const test = suite('profiles');
test.after(() => rmSync(folder, { recursive: true, force: true }));

interface App {
  name: string;
  args?: readonly string[];
  out_file: string;
  error_file: string;
  stop_exit_codes: number[];
  kill_timeout: number;
  restart_delay?: number;
  exp_backoff_restart_delay?: number;
  env: Record<string, string>;
}

/** PM2's file as PM2 would read it for a rig in this folder. */
function apps(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): App[] {
  const runtime = mkdtempSync(join(folder, 'rig-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(runtime, name), text);
  const before = { ...process.env };
  const { resolve } = createRequire(import.meta.url);
  const path = resolve('../../../ecosystem.config.cjs');
  const require = createRequire(import.meta.url);
  delete require.cache[path];
  Object.assign(process.env, { RIG_RUNTIME_DIR: runtime, ...env });
  try {
    return (require(path) as { apps: App[] }).apps;
  } finally {
    process.env = before;
  }
}

const names = (list: readonly App[]): string[] => list.map(({ name }) => name);

test("SVC-025 PM2's file has the ADC services of the profile file and no others", () => {
  for (const profile of PROFILE_NAMES)
    assert.equal(names(apps({ profile: `${profile}\n` })), [
      ...RIG_SERVICES,
      ...servicesOf(profile),
      'svc-window',
    ]);
  assert.equal(names(apps({})), [...RIG_SERVICES, 'svc-window'], 'none before one was chosen');
});

test('the profile comes from the file, whatever the environment says', () => {
  const list = apps(
    { profile: 'stack' },
    { SVC_PROFILE: 'standalone', RIG_PROFILE: 'standalone', RIG_PROFILE_FILE: '/x' },
  );
  assert.equal(names(list), [...RIG_SERVICES, 'svc-adc-stack', 'svc-window']);
});

test('rig.env may name another file for it, as on the appliance', () => {
  const path = join(folder, 'etc-profile');
  writeFileSync(path, 'standalone');
  const list = apps({ profile: 'stack', 'rig.env': `RIG_PROFILE_FILE=${path}\n` });
  assert.equal(names(list), [...RIG_SERVICES, 'svc-adc-usb', 'svc-adc-uart', 'svc-window']);
});

test('SVC-053 PM2 starts no guard of its own where rig.env says that systemd supervises it', () => {
  const withoutGuard = RIG_SERVICES.filter((name) => name !== 'svc-guard');
  assert.equal(names(apps({ 'rig.env': 'RIG_GUARD=systemd\n' })), [...withoutGuard, 'svc-window']);
  // A rig with two guards is guarded; one with none is not.
  for (const word of ['', 'pm2', 'Systemd'])
    assert.ok(names(apps({ 'rig.env': `RIG_GUARD=${word}\n` })).includes('svc-guard'), word);
  assert.ok(names(apps({}, { RIG_GUARD: 'systemd' })).includes('svc-guard'), 'not by the environment');
});

test('a damaged profile starts no ADC service and leaves the bridge alone', () => {
  assert.equal(names(apps({ profile: 'stac' })), [...RIG_SERVICES, 'svc-window']);
  assert.equal(names(apps({ profile: 'constructor' })), [...RIG_SERVICES, 'svc-window']);
  assert.equal(names(apps({ profile: '' })), [...RIG_SERVICES, 'svc-window']);
});

test('SVC-025 SVC-053 PM2 backs off from a crash loop, but not for bridge and guard, and respects 75', () => {
  for (const app of apps({ profile: 'standalone' })) {
    assert.ok(app.stop_exit_codes.includes(75), app.name);
    assert.not(app.stop_exit_codes.includes(0), app.name);
    const isNeeded = app.name === 'svc-bridge' || app.name === 'svc-guard';
    if (isNeeded) assert.equal([app.restart_delay, app.exp_backoff_restart_delay], [200, undefined]);
    else assert.ok(Number(app.exp_backoff_restart_delay) > 0, app.name);
    assert.ok(app.kill_timeout >= 8000, `${app.name}: at least 8 s before SIGKILL`);
  }
});

test('ADC services get their settings and the mark of the rig, and nothing else of rig.env', () => {
  const lines =
    'USBADC_ADDRESS=bench:/x\nUARTADC_SERIAL_PORT=/y\nBANK_ADC_URL=http://z\nSVC_STATE_DIR=/s\nRIG_SECRET=1\n';
  const stack = apps({ profile: 'stack', 'rig.env': lines }).find(({ name }) => name === 'svc-adc-stack');
  assert.equal(Object.keys(stack?.env ?? {}).sort(), [
    'BANK_ADC_URL',
    'RIG_LOG_FILES',
    'RIG_RUNTIME_DIR',
    'SVC_STATE_DIR',
    'UARTADC_SERIAL_PORT',
    'USBADC_ADDRESS',
  ]);
});

test('SVC-061 each program keeps the files that PM2 appends to small, one of them that of PM2 itself, the bench its trace', () => {
  const list = apps({ profile: 'stack', 'rig.env': 'RIG_BENCH_PORT=1\n' }, { PM2_HOME: '/rig/pm2' });
  assert.is(list.at(-1)?.name, 'svc-bench');
  for (const { name, out_file, error_file, env } of list) {
    const files = [out_file, error_file, ...(name === 'svc-server' ? ['/rig/pm2/pm2.log'] : [])];
    assert.equal(env.RIG_LOG_FILES?.split(':'), files, name);
  }
  assert.equal(list.at(-1)?.args?.slice(-2), ['--trace-max-mb', '20']);
});

test('a word that is not a profile is refused with file, value and remedy', () => {
  assert.is(parseProfile(' stack\n', '/etc/svc/profile'), 'stack');
  for (const text of ['', 'Stack', 'stack standalone', 'toString'])
    assert.throws(
      () => parseProfile(text, '/etc/svc/profile'),
      (error: ProfileError) =>
        error.code === 'profile_damaged' &&
        error.message.startsWith(`/etc/svc/profile contains ${JSON.stringify(text)}`) &&
        error.message.includes('svcctl profile stack'),
    );
});

test('the locks of the defaults are as documented', () => {
  const [hid, uart] = deviceLocks({});
  assert.equal(hid?.keys, ['usb-hid-04d8-00dd']);
  assert.ok(uart?.keys.includes('serial-serial0'));
});

test('a link is asked by its given name and by where it leads', () => {
  const port = join(folder, 'ttyS9');
  writeFileSync(port, '');
  symlinkSync(port, join(folder, 'serial0'));
  const [, uart] = deviceLocks({ UARTADC_SERIAL_PORT: join(folder, 'serial0') });
  assert.equal(uart?.keys, ['serial-ttyS9', 'serial-serial0']);
});

test('the twin of another rig, whose link has the same name, has another lock', () => {
  const twin = (name: string) => {
    const link = join(mkdtempSync(join(folder, name)), 'uart');
    symlinkSync('/dev/pts/ptmx', link);
    return deviceLocks({ UARTADC_SERIAL_PORT: link })[1]?.keys ?? [];
  };
  const [own, other] = [twin('own-'), twin('other-')];
  assert.is(own.length, 1);
  assert.equal(
    own.filter((key) => other.includes(key) || key === 'serial-uart'),
    [],
  );
});

test('an address that no service takes is refused', () => {
  assert.throws(() => deviceLocks({ USBADC_ADDRESS: 'usb:04d8:00dd' }), /usb:04d8:00dd is not the address/);
  assert.throws(() => deviceLocks({ UARTADC_SERIAL_PORT: 'tty' }), /tty/);
});

test('SVC-025 the locks that are asked are those that the services take', () => {
  mkdirSync(join(folder, 'twins'));
  symlinkSync(join(folder, 'twins'), join(folder, 'bench'));
  writeFileSync(join(folder, 'twins', 'usbhid.sock'), '');
  symlinkSync('/dev/pts/ptmx', join(folder, 'twins', 'uart'));
  const addresses = [
    'hid:04d8:00dd',
    `bench:${join(folder, 'bench', 'usbhid.sock')}`,
    `bench:${join(folder, 'bench', 'unplugged.sock')}`,
    join(folder, 'serial0'),
    join(folder, 'bench', 'uart'),
    `serial:${join(folder, 'bench', 'uart')}?baud=9600`,
    '/dev/not-there',
  ];
  for (const address of addresses) {
    const [hid, uart] = deviceLocks({ USBADC_ADDRESS: address, UARTADC_SERIAL_PORT: address });
    for (const lock of [hid, uart]) assert.ok(lock?.keys.includes(adcLockKey(address)), address);
  }
});

test.run();
