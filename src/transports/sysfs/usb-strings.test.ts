import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { findUsb } from './find-usb.ts';
import { usbStrings } from './usb-strings.ts';

interface Context {
  host: HostTree;
  folder: string;
  /** A named pipe: a string that the kernel does not give while a driver probes the device. */
  withheld: string;
}

const test = suite<Context>('strings of USB devices');

test.before.each((context) => {
  context.host = new HostTree();
  context.folder = context.host.plugUsb({
    name: '1-1',
    vid: '04d8',
    pid: '00dd',
    deviceNumber: 4,
    serial: '77',
  });
  context.host.plugUsb({ name: '1-2', vid: '1ffb', pid: '00c9', deviceNumber: 5 });
  context.withheld = join(context.folder, 'product');
  execFileSync('mkfifo', [context.withheld]);
});

test.after.each(({ host }) => host.remove());

test('looking for a device never reads a string of another one', ({ host }) => {
  assert.equal(
    findUsb(0x1ffb, 0x00c9, host.roots).map(({ name }) => name),
    ['1-2'],
  );
});

test('a string that is withheld is unknown after the limit, the others are read, and the event loop runs', async ({
  folder,
  withheld,
}) => {
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 5);
  const strings = await usbStrings(folder, { limitMs: 100 });
  clearInterval(ticking);
  // The reader that still waits is let go.
  closeSync(openSync(withheld, constants.O_WRONLY | constants.O_NONBLOCK));
  assert.equal(strings, { manufacturer: null, product: null, serial: '77' });
  assert.ok(turns > 0, `${turns} turns`);
});

test.run();
