import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { listSerialPorts } from './serial-ports.ts';
import { listUsbDevices } from './usb-devices.ts';

const test = suite('serial ports of this machine');

let host: HostTree;
test.before.each(() => {
  host = new HostTree();
});
test.after.each(() => host.remove());

const list = () => listSerialPorts(host.roots.sys, host.roots.dev);

function plugAdapter(name: string, vid: string, pid: string, tty: string): void {
  const folder = host.plugUsb({ name, vid, pid, deviceNumber: 5 });
  host.plugTty(tty, join(folder, `${name}:1.0`, tty));
}

test('DEV-040 a CH340 is a serial port and nothing more: neither pump nor valves', async () => {
  plugAdapter('1-1', '1a86', '7523', 'ttyUSB0');
  plugAdapter('1-2', '1a86', '7523', 'ttyUSB1');
  const ports = list();
  assert.equal(
    ports.map(({ kind, chip, vid, pid }) => ({ kind, chip, vid, pid })),
    Array.from({ length: 2 }, () => ({ kind: 'serial', chip: 'CH340', vid: '0x1A86', pid: '0x7523' })),
  );
  assert.not.match(
    JSON.stringify([ports, await listUsbDevices(host.roots.sys)]),
    /pump|valve|motor|modbus|dri0050|waveshare/i,
  );
});

test('DEV-040 no other source knows the ids of CH340 chips, so that nothing can decide by them', () => {
  const src = fileURLToPath(new URL('../../', import.meta.url));
  const knowing = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /1a86|0x7523|:7523|'7523'/i.test(readFileSync(join(src, file), 'utf8')));
  // The twin of an adapter has the ids of the adapter.
  assert.equal(knowing.sort(), ['bench/usb/serial-adapter.ts', 'transports/sysfs/serial-ports.ts']);
});

test('DEV-039 the tty of the USB ADC chip is marked as such', () => {
  host.plugMcp2221a({ name: '1-1', vid: '04d8', pid: '00dd', deviceNumber: 4, tty: 'ttyACM0' });
  plugAdapter('1-2', '1a86', '55d3', 'ttyACM1');
  assert.equal(
    list().map(({ device, kind }) => `${device.slice(host.roots.dev.length + 1)} ${kind}`),
    ['ttyACM0 usb-adc', 'ttyACM1 serial'],
  );
});

test('the stable link is reported, an on-board UART is distinguished from USB, a console without device is left out', () => {
  plugAdapter('1-1', '0403', '6001', 'ttyUSB0');
  host.plugTty('ttyAMA0', join(host.roots.sys, 'devices/platform/soc/serial@7e201000'));
  host.write(join(host.roots.sys, 'class/tty/tty1/dev'), '4:1');
  host.write(join(host.roots.dev, 'ttyUSB0'), '');
  host.link(join(host.roots.dev, 'serial/by-id/usb-FTDI-if00'), join(host.roots.dev, 'ttyUSB0'));
  const ports = list();
  assert.equal(
    ports.map(({ kind, chip }) => ({ kind, chip })),
    [
      { kind: 'uart', chip: null },
      { kind: 'serial', chip: 'FT232R' },
    ],
  );
  assert.is(ports[1]?.by_id, join(host.roots.dev, 'serial/by-id/usb-FTDI-if00'));
});

/** A link of udev to a port. */
function linked(kind: 'by-id' | 'by-path', name: string, tty: string): string {
  host.write(join(host.roots.dev, tty), '');
  const link = join(host.roots.dev, 'serial', kind, name);
  host.link(link, join(host.roots.dev, tty));
  return link;
}

test('DEV-052 two adapters with one by-id name are reported, and addressed by by-path', () => {
  plugAdapter('1-1', '1a86', '7523', 'ttyUSB0');
  plugAdapter('1-2', '1a86', '7523', 'ttyUSB1');
  plugAdapter('1-3', '0403', '6001', 'ttyUSB2');
  const paths = [0, 1].map((index) => linked('by-path', `usb-0:${index + 1}:1.0-port0`, `ttyUSB${index}`));
  const shared = linked('by-id', 'usb-1a86_USB_Serial-if00-port0', 'ttyUSB1');
  const own = linked('by-id', 'usb-FTDI_A50285BI-if00-port0', 'ttyUSB2');
  assert.equal(
    list().map(({ by_id, by_path, shared_by_id }) => [by_id, by_path, shared_by_id]),
    [
      [null, paths[0], shared],
      [null, paths[1], shared],
      [own, null, null],
    ],
  );
  host.unplug(join(host.roots.sys, 'class/tty/ttyUSB0'));
  assert.equal(
    list().map(({ by_id }) => by_id),
    [shared, own],
    'alone it is addressed by its by-id name again',
  );
});

test.run();
