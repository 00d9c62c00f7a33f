import * as assert from 'uvu/assert';
import { systemClock as clock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { Guest } from './host/guest.ts';
import { GuestBench } from './host/guest-bench.ts';
import { until } from './host/until.ts';
import { guestImage, guestMissing } from './prepare/guest-image.ts';

const test = suite('detect and doctor on /sys, /proc and /dev of a guest kernel');
const missing = guestMissing();
const inGuest = test.needs(missing === undefined, missing ?? '');

/** A guest without KVM beside other work is slow. */
const BOOT = { timeoutMs: 240_000 };
const SLOW = { timeoutMs: 240_000 };
const PLUG_MS = 30_000;
const NOBODY = 65_534;
const CONFIG = '/tmp/svc.yaml';

let bench: GuestBench;
let guest: Guest;

test.before(async () => {
  if (missing !== undefined) return;
  bench = await GuestBench.overUsbip();
  guest = await Guest.boot(guestImage(), clock);
  for (const busId of ['1-1', '1-2'])
    await guest.ask(
      'run',
      'usbip',
      '--tcp-port',
      String(bench.port),
      'attach',
      '-r',
      '10.0.2.2',
      '-b',
      busId,
    );
  await until(
    clock,
    'both devices are there',
    PLUG_MS,
    () => guest.ask('names', '/dev'),
    (names) => names.includes('ttyACM0') && names.includes('hidraw0'),
  );
}, BOOT);

test.after(async () => {
  await guest?.end();
  await bench?.end();
});

const write = (path: string, text: string) =>
  guest.ask('run', 'sh', '-c', 'printf "%s" "$1" > "$2"', 'write', text, path);

const configured = (port: string) =>
  write(
    CONFIG,
    [
      'plugins:',
      '  modbus-io:',
      '    enabled: true',
      '    connection_type: modbus-rtu',
      `    connection_params: { serial_port: ${port}, baudrate: 19200, device_id: 1 }`,
      '',
    ].join('\n'),
  );

// biome-ignore lint/suspicious/noExplicitAny: the whole JSON document of a command, looked at member by member
type Document = any;

interface Said {
  code: number | null;
  document: Document;
}

async function svcctl(args: string[], uid = 0): Promise<Said> {
  const { code, stdout, stderr } = await guest.ask(
    'svcctl',
    [...args, '--json'],
    { SVC_CONFIG_PATH: CONFIG },
    uid,
  );
  assert.match(stdout, /^\{.*\}\n$/s, stderr);
  return { code, document: JSON.parse(stdout) };
}

const codesOf = ({ document }: Said): string[] => document.issues.map(({ code }: { code: string }) => code);

const issueOf = ({ document }: Said, code: string) =>
  document.issues.find((one: { code: string }) => one.code === code);

inGuest(
  'DIAG-004 DIAG-005 detect lists the USB devices, ports and drivers as this kernel has them, and opens no port',
  async () => {
    await configured('/dev/ttyS3');
    const before = await bench.trace('usbhid');
    const { document } = await svcctl(['detect', '--no-probe']);
    const { usb_devices: devices, usb_serial_devices: ports, serial_port_owners: owners } = document.host;
    const chip = devices.find(({ device }: { device: string }) => device === '/dev/ttyACM0');
    assert.equal(
      [chip.vid, chip.pid, chip.product, chip.kernel_driver],
      ['0x04D8', '0x00DD', 'MCP2221 USB-I2C/UART Combo', 'cdc_acm'],
    );
    assert.match(chip.reserved, 'ADC chip');
    const tic = devices.find(({ pid }: { pid: string }) => pid === '0x00C9');
    assert.match(tic.device, /^\/dev\/bus\/usb\/\d{3}\/\d{3}$/);
    assert.equal(ports, [], 'the port of the chip is none for a device of the rig');
    assert.is(owners['/dev/ttyACM0'], undefined, 'nobody has it open');
    assert.equal(await bench.trace('usbhid'), before, 'not one transfer to the chip');
  },
  SLOW,
);

inGuest(
  'DIAG-008 modbus_port_reserved: the tty of the ADC chip as this kernel names it is never probed',
  async () => {
    await configured('/dev/ttyACM0');
    const said = await svcctl(['doctor']);
    assert.is(said.code, 1);
    assert.match(issueOf(said, 'modbus_port_reserved').message, '/dev/ttyACM0');
    const { modbus } = said.document.detection.probes;
    assert.ok(
      modbus.skipped_ports.some(({ device }: { device: string }) => device === '/dev/ttyACM0'),
      JSON.stringify(modbus),
    );
  },
  SLOW,
);

inGuest(
  'DIAG-006 DIAG-043 the holder of a UART of this machine is found through /proc, and the port is not probed',
  async () => {
    // The agent of this guest answers the test over the second UART.
    await configured('/dev/ttyS1');
    const said = await svcctl(['doctor']);
    const busy = issueOf(said, 'serial_port_busy');
    assert.ok(busy, JSON.stringify(codesOf(said)));
    assert.match(busy.message, '/dev/ttyS1');
    assert.match(JSON.stringify(busy.evidence), /agent\.cjs/);
    assert.is(said.document.detection.probes.modbus.attempts, 0);
  },
  SLOW,
);

inGuest(
  'DIAG-046 an account without rights is told the nodes, their mode and group as the kernel made them',
  async () => {
    await configured('/dev/ttyS3');
    await guest.ask('run', 'chmod', '644', CONFIG);
    const denied = issueOf(await svcctl(['doctor'], NOBODY), 'device_permission_denied');
    assert.ok(denied);
    assert.match(JSON.stringify(denied.evidence), '"/dev/ttyS3","value":"mode 0600, group 0"');
    assert.not.ok(codesOf(await svcctl(['doctor'])).includes('device_permission_denied'), 'root may');
  },
  SLOW,
);

inGuest(
  'DIAG-046 usb_adc_kernel_driver: hid_mcp2221 of this kernel has the chip, and doctor names the driver',
  async () => {
    const before = codesOf(await svcctl(['doctor']));
    assert.not.ok(before.includes('usb_adc_kernel_driver'), JSON.stringify(before));
    await guest.ask('run', 'insmod', '/modules/hid_mcp2221.ko');
    await until(
      clock,
      'the driver has the chip',
      PLUG_MS,
      () => guest.ask('findHid', 0x04d8, 0x00dd),
      ([adc]) => adc?.kernelDriver === 'mcp2221' && adc.hidraw === null,
    );
    const said = await svcctl(['doctor']);
    // Where this kernel makes an IIO device of the chip, the service reads that, and nothing is wrong.
    const [adc] = await guest.ask('findHid', 0x04d8, 0x00dd);
    assert.is(
      codesOf(said).includes('usb_adc_kernel_driver'),
      adc?.iio === null,
      JSON.stringify(codesOf(said)),
    );
    const { i2c_buses: buses } = said.document.detection.host;
    assert.ok(
      buses.some(({ path }: { path: string }) => path === '/dev/i2c-0'),
      JSON.stringify(buses),
    );
  },
  SLOW,
);

test.run();
