// Loads one package that brings a native add-on and makes it do something that needs no device: `node probe.cjs <name>`.

import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import { version } from '../../../src/lib/version.ts';
import { loadNodeHid } from '../../../src/transports/hid/node-hid.ts';
import { loadIoctl, TIOCEXCL } from '../../../src/transports/serial/ioctl.ts';

const probes: Record<string, () => Promise<string>> = {
  version: async () => version,
  serialport: async () => {
    const { SerialPort } = await import('serialport');
    const port = new SerialPort({ path: '/nonexistent', baudRate: 9600, autoOpen: false });
    return await new Promise((resolve) => port.open((error) => resolve(String(error?.message))));
  },
  koffi: async () => {
    const ioctl = await loadIoctl();
    try {
      // A pipe is not a terminal.
      ioctl(1, TIOCEXCL);
      return 'taken';
    } catch (error) {
      return messageOf(error);
    }
  },
  'node-hid': async () => {
    const hidraw = await loadNodeHid('hidraw');
    const libusb = await loadNodeHid('libusb');
    const refusals = await Promise.all(
      [hidraw, libusb].map(({ HIDAsync }) => HIDAsync.open('/nonexistent').catch(messageOf)),
    );
    return refusals.join('\n');
  },
  usb: async () => {
    const { usb } = await import('usb');
    return typeof usb.getDevices;
  },
  'node-pty': async () => {
    const { spawn } = await import('@lydell/node-pty');
    const terminal = spawn('/bin/echo', ['through', 'a', 'terminal'], {});
    return await new Promise((resolve) => terminal.onData(resolve));
  },
  'i2c-bus': async () => {
    const i2c = await import('i2c-bus');
    try {
      return `${i2c.openSync(4321).i2cFuncsSync()}`;
    } catch (error) {
      return messageOf(error);
    }
  },
};

probes[String(process.argv[2])]?.().then((line) => process.stdout.write(`${line.trim()}\n`));
