import { realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { lockAddress } from '../../../src/lib/lock/lock-key.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { type AdcServiceName, onAdcRig, untilStatus } from './adc-rig.ts';

const test = suite('the ADC services exclude each other');

test('SVC-025 the second one on a device exits 75 with one line that names key, holder, pid, port and since', () =>
  onAdcRig(async (rig) => {
    const bench = realpathSync(join(rig.folder, 'bench'));
    const hid = `bench-${bench}/usbhid.sock`;
    const uart = `serial-${bench}/uart`;
    const pairs: [AdcServiceName, AdcServiceName, string][] = [
      ['svc-adc-stack', 'svc-adc-usb', hid],
      ['svc-adc-stack', 'svc-adc-uart', uart],
      ['svc-adc-usb', 'svc-adc-stack', hid],
      ['svc-adc-uart', 'svc-adc-stack', uart],
      ['svc-adc-usb', 'svc-adc-usb', hid],
    ];
    for (const [first, second, key] of pairs) {
      const holder = await rig.start(first);
      const { code, stderr, stdout } = await rig.launch(second).ended;
      assert.is(code, 75, stderr);
      assert.is(stdout, '');
      assert.is(stderr.trim().split('\n').length, 1, stderr);
      const { port } = new URL(holder.url);
      const who = `${second}: ${key} is held by ${first} (pid ${holder.pid}, port ${port}, since 2`;
      assert.ok(stderr.startsWith(who), `${stderr} | ${who}`);
      if (first !== 'svc-adc-uart') assert.is((await fetch(`${holder.url}/api/v1/adc/1`)).status, 200);
      assert.is((await end(holder)).code, 0);
    }
  }));

test('SVC-025 :8212 and :8213 run together; the stack that finds one device free keeps no lock of it', () =>
  onAdcRig(async (rig) => {
    const usb = await rig.start('svc-adc-usb');
    const uart = await rig.start('svc-adc-uart');
    await untilStatus(`${usb.url}/api/v1/adc`, 200);
    await untilStatus(`${uart.url}/api/v1/adc`, 200);
    await end(usb);
    assert.is((await rig.launch('svc-adc-stack').ended).code, 75, 'the UART is held');
    const again = await rig.start('svc-adc-usb');
    await untilStatus(`${again.url}/api/v1/adc`, 200);
  }));

test('SVC-025 of two that start at once only one opens the chip', () =>
  onAdcRig(async (rig) => {
    const [stack, usb] = [rig.launch('svc-adc-stack'), rig.launch('svc-adc-usb')];
    const first = await Promise.race([stack.ended, usb.ended]);
    assert.is(first.code, 75);
    for (let i = 0; i < 20; i++) {
      assert.ok((await rig.hidClients()) <= 1);
      await systemClock.sleep(10);
    }
  }));

test('SVC-025 the lock is held while the device is absent', () =>
  onAdcRig(async (rig) => {
    await rig.turn('usbhid', { unplug: true });
    await rig.turn('uart', { unplugged: true });
    // A name of its own: what does not resolve is locked by its given name, which other rigs may use as well.
    const env = { UARTADC_SERIAL_PORT: `/dev/no-module-${process.pid}` };
    const stack = await rig.start('svc-adc-stack', env);
    assert.is((await fetch(`${stack.url}/api/v1/adc`)).status, 503);
    assert.is((await fetch(`${stack.url}/health`)).status, 200);
    const usb = await rig.launch('svc-adc-usb').ended;
    assert.is(usb.code, 75);
    assert.match(usb.stderr, 'is held by svc-adc-stack');
    const uart = await rig.launch('svc-adc-uart', ['--port', '0'], env).ended;
    assert.is(uart.code, 75);
    assert.match(uart.stderr, `serial-no-module-${process.pid} is held by svc-adc-stack`);
  }));

test('the lock answers with service, pid, port and since', () =>
  onAdcRig(async (rig) => {
    const usb = await rig.start('svc-adc-usb');
    const key = `bench-${realpathSync(join(rig.folder, 'bench'))}/usbhid.sock`;
    const text = await new Promise<string>((resolve, reject) => {
      let all = '';
      const socket = connect(lockAddress(key));
      socket.on('data', (chunk) => {
        all += chunk;
      });
      socket.on('end', () => resolve(all));
      socket.on('error', reject);
    });
    const { service, pid, port, since } = JSON.parse(text) as Record<string, unknown>;
    assert.equal([service, pid, port], ['svc-adc-usb', usb.pid, Number(new URL(usb.url).port)]);
    assert.ok(Math.abs(Date.parse(String(since)) - Date.now()) < 60_000);
  }));

test('SVC-026 SIGKILL of the stack frees both devices for the standalone services', () =>
  onAdcRig(async (rig) => {
    const stack = await rig.start('svc-adc-stack');
    await untilStatus(`${stack.url}/api/v1/adc/1`, 200);
    stack.child.kill('SIGKILL');
    await stack.ended;
    const [usb, uart] = await Promise.all([rig.start('svc-adc-usb'), rig.start('svc-adc-uart')]);
    await untilStatus(`${usb.url}/api/v1/adc/1`, 200);
    await untilStatus(`${uart.url}/api/v1/adc/1`, 200);
  }));

test.run();
