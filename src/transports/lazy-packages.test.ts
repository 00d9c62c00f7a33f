import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../test-kit/suite.ts';

const test = suite('native packages');
const index = new URL('index.ts', import.meta.url);

/** The native add-ons in the memory of a process that has run `body`, by their packages. */
function loadedAfter(body: string): string[] {
  const script = `
    const transports = await import(${JSON.stringify(index.href)});
    ${body}
    const maps = (await import('node:fs')).readFileSync('/proc/self/maps', 'utf8');
    const addons = maps.split('\\n').filter((line) => line.endsWith('.node')).map((line) => line.split('/node_modules/').pop());
    process.stdout.write(JSON.stringify([...new Set(addons)]));
    process.exit();`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    { cwd: fileURLToPath(new URL('.', index)), encoding: 'utf8', timeout: 20_000 },
  );
  assert.is.not(stdout, '', stderr);
  return JSON.parse(stdout) as string[];
}

test('loading the transports loads no native package', () => {
  assert.equal(loadedAfter(''), []);
});

const uses: [title: string, body: string, packages: RegExp][] = [
  [
    'serial',
    `await transports.openByteTransport('/dev/not-there', { baud: 9600 }).open().catch(() => {});`,
    /koffi.*serialport|serialport.*koffi/,
  ],
  [
    'HID and USB devices that are not plugged in',
    `await transports.openHidTransport('hid:04d8:00dd', { sys: '/nonexistent' }).open().catch(() => {});
     await transports.openUsbControl('usb:1ffb:00c9', { sys: '/nonexistent' }).open().catch(() => {});`,
    /^$/,
  ],
  [
    'a serial port to come',
    `await transports.preload('/dev/not-there?baud=9600');`,
    /koffi.*serialport|serialport.*koffi/,
  ],
  [
    'twins to come, and an address with a mistake in it',
    `await transports.preload('bench:/nonexistent');
     await transports.preload('hid:nothing');`,
    /^$/,
  ],
  [
    'twins',
    `await transports.openHidTransport('bench:/nonexistent').open().catch(() => {});
     await transports.openUsbControl('bench:/nonexistent').open().catch(() => {});
     await transports.openI2cBus('bench:/nonexistent').transfer(0x48, new Uint8Array(), 1).catch(() => {});`,
    /^$/,
  ],
];
for (const [title, body, packages] of uses) {
  test(`a transport in use loads its own package and no other: ${title}`, () => {
    const addons = loadedAfter(body);
    assert.match(addons.join(' '), packages);
    // A serial port has two: koffi makes the ioctl calls that serialport has not.
    assert.ok(
      addons.length <= (title.startsWith('a serial') || title === 'serial' ? 2 : 1),
      addons.join(' '),
    );
  });
}

test.run();
