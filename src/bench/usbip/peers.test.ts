import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { usbTwins } from '../../test-kit/usbip/twins.ts';
import { UsbipServer } from './usbip-server.ts';

const USBIP = ['/usr/sbin/usbip', '/usr/bin/usbip'].find((path) => existsSync(path));

const test = suite("Debian's usbip as an independent client");

const tested = test.needs(USBIP !== undefined, 'usbip is not installed (Debian package usbip)');

tested('DEV-045 it lists both twins with their ids and the classes of their interfaces', async () => {
  const server = new UsbipServer({ devices: usbTwins().devices, port: 0, clock: systemClock });
  const list = async (): Promise<string[]> => {
    const args = ['--tcp-port', String(port), 'list', '-r', '127.0.0.1'];
    const { stdout } = await promisify(execFile)(USBIP ?? '', args, { timeout: 10_000 });
    // The names come from a data base that may not be there; ids and classes are always printed.
    return stdout.split('\n').flatMap((line) => {
      const shown = /^\s+(\d-\d): .*(\(....:....\))|: +\d - .*(\(..\/..\/..\))|: .*(\(..\/..\/..\))/.exec(
        line,
      );
      return shown ? [shown.slice(1).filter(Boolean).join(' ')] : [];
    });
  };
  const port = await server.open();
  try {
    const adc = ['1-1 (04d8:00dd)', '(ef/02/01)', '(02/02/01)', '(0a/00/00)', '(03/00/00)'];
    const tic = ['1-2 (1ffb:00c9)', '(ff/00/00)', '(ff/00/00)'];
    assert.equal(await list(), [...adc, ...tic]);
    server.unplug('1-1');
    assert.equal(await list(), tic);
  } finally {
    await server.close();
  }
});

test.run();
