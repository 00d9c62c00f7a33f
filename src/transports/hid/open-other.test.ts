import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { nodeHidOverNative } from '../../test-kit/transports/native-hid.ts';
import { LinuxHid } from './linux-hid.ts';

const test = suite('several HID devices of one kind');

const CHIP = { vid: '04d8', pid: '00dd', driver: 'hid-generic' };

test('DEV-052 each of three devices is opened in turn, by bus and port, with one handle open at a time', async () => {
  const host = new HostTree();
  const nodeHid = nodeHidOverNative();
  const hid = new LinuxHid({
    address: 'hid:04d8:00dd',
    vendorId: 0x04d8,
    productId: 0x00dd,
    backend: 'auto',
    ...host.roots,
    load: async () => nodeHid.package,
  });
  try {
    for (const port of [3, 1, 2])
      host.plugMcp2221a({ ...CHIP, name: `1-1.${port}`, deviceNumber: port, hidraw: `hidraw${port}` });
    await hid.open();
    const tried = new Set<string>();
    const opened: string[] = [];
    for (;;) {
      const path = hid.endpoint?.path ?? '';
      opened.push(path);
      tried.add(path);
      if (!(await hid.openOther(tried))) break;
    }
    assert.equal(
      opened,
      [1, 2, 3].map((port) => join(host.roots.dev, `hidraw${port}`)),
    );
    assert.is(hid.endpoint?.path, opened[2], 'the last one stays open');
    assert.equal(
      nodeHid.handles.map(({ closes }) => closes),
      [1, 1, 0],
    );
  } finally {
    await hid.close();
    host.remove();
  }
});

test.run();
