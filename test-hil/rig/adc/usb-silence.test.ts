import * as assert from 'uvu/assert';
import { systemClock as clock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { launch } from '../bench/program.ts';
import { type AdcServiceName, onAdcRig } from './adc-rig.ts';

const test = suite('built ADC services: a chip that is silent or another one');

const SLOW = { timeoutMs: 120_000 };

type Item = Record<string, unknown> & { reading?: { volts: number } };

async function get(url: string, path: string): Promise<{ status: number; body: Item }> {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, body: (await response.json()) as Item };
}

/** Resolves when the channel answers with the status, and with the code when it is a failure. */
async function until(url: string, path: string, status: number, code?: string): Promise<Item> {
  for (;;) {
    const seen = await get(url, path);
    if (seen.status === status && seen.body.code === code) return seen.body;
    await clock.sleep(20);
  }
}

test(
  'DEV-051 a silent chip is 503 for its channel, the module goes on, the process stays, and the chip is used again when it answers',
  () =>
    onAdcRig(async (rig) => {
      const { url, child } = await rig.start('svc-adc-stack');
      await until(url, '/api/v1/adc/1', 200);
      await rig.turn('usbhid', { silent: true });
      await until(url, '/api/v1/adc/1', 503, 'device_unavailable');
      for (let look = 0; look < 8; look++) {
        const [chip, module] = await Promise.all([get(url, '/api/v1/adc/1'), get(url, '/api/v1/adc/2')]);
        assert.equal(
          [chip.status, chip.body.code, chip.body.reading],
          [503, 'device_unavailable', undefined],
        );
        assert.equal([module.status, module.body.ok], [200, true]);
        await clock.sleep(500);
      }
      await rig.turn('usbhid', { silent: false });
      await until(url, '/api/v1/adc/1', 200);
      assert.is(child.exitCode, null);
    }),
  SLOW,
);

for (const [name, path] of [
  ['svc-adc-stack', '/api/v1/adc/1'],
  ['svc-adc-usb', '/api/v1/adc/1'],
] as [AdcServiceName, string][])
  test(
    `DEV-052 ${name}: another chip is wrong_device, also behind a restart, until a person confirms it`,
    () =>
      onAdcRig(async (rig) => {
        const first = await rig.start(name);
        await until(first.url, path, 200);
        const swap = async (serial: string) => {
          await rig.turn('usbhid', { unplug: true });
          await until(first.url, path, 503, 'device_unavailable');
          await rig.turn('usbhid', { factory_serial: serial, unplug: false });
        };
        await swap('76543210');
        const { error } = await until(first.url, path, 503, 'wrong_device');
        assert.match(String(error), /76543210, .*01234567, .* belongs here; .*svcctl adc-confirm/);
        if (name === 'svc-adc-stack') assert.is((await get(first.url, '/api/v1/adc/2')).status, 200);
        first.child.kill('SIGTERM');
        await first.ended;

        const second = await rig.start(name);
        await until(second.url, path, 503, 'wrong_device');
        await rig.turn('usbhid', { factory_serial: '01234567' });
        await until(second.url, path, 200);

        second.child.kill('SIGTERM');
        await second.ended;
        await rig.turn('usbhid', { factory_serial: '76543210' });
        const third = await rig.start(name);
        await until(third.url, path, 503, 'wrong_device');
        const { code, stdout } = await launch('svcctl', ['adc-confirm', '--yes'], rig.env).ended;
        assert.is(code, 0);
        assert.match(stdout, /factory serial 01234567, .* +factory serial 76543210, .* +changed/);
        await until(third.url, path, 200);
      }),
    SLOW,
  );

test(
  'DEV-052 with USBADC_SERIAL the first start takes no other chip; the configured one is taken when it is plugged in',
  () =>
    onAdcRig(async (rig) => {
      const { url } = await rig.start('svc-adc-usb', { USBADC_SERIAL: '76543210' });
      const { error } = await until(url, '/api/v1/adc/1', 503, 'wrong_device');
      assert.match(String(error), 'the chip with the serial 76543210 (USBADC_SERIAL) belongs here');
      await rig.turn('usbhid', { unplug: true });
      await rig.turn('usbhid', { factory_serial: '76543210', unplug: false });
      await until(url, '/api/v1/adc/1', 200);
    }),
  SLOW,
);

test(
  'DEV-055 with selections lost on their way the stack never reports the voltage of the other input',
  () =>
    onAdcRig(async (rig) => {
      const { url } = await rig.start('svc-adc-stack');
      await rig.turn('uart', { ain1_v: 1, ain2_v: 4 });
      await until(url, '/api/v1/adc/2', 200);
      await rig.turn('uart', { lost_select: 0.5 });
      let good = 0;
      for (let round = 0; round < 12; round++)
        for (const [path, volts] of [
          ['/api/v1/adc/2', 1],
          ['/api/v1/adc/3', 4],
        ] as const) {
          const { status, body } = await get(url, path);
          if (status === 200) good += 1;
          if (status === 200) assert.is(body.reading?.volts, volts);
          else assert.is(body.code, 'corrupt_response');
        }
      assert.ok(good > 0);
    }),
  SLOW,
);

test.run();
