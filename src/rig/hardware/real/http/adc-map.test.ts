import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../../lib/clock/stepped-clock.ts';
import { onSource, refusal, type TestSource } from '../../../../test-kit/rig/source.ts';
import { suite } from '../../../../test-kit/suite.ts';
import type { AdcMap, Plugin } from '../../../configuration/types.ts';
import type { VoltageDevice } from '../../rig-device.ts';
import { configuredVoltages } from './adc-map.ts';
import { adcStackComponent } from './adc-stack.ts';

const test = suite('sources of the voltages');
type Json = Record<string, unknown>;
const probe = () => new AbortController().signal;

const plugin = (id: Plugin['id'], baseUrl: string, enabled = true): Plugin => ({
  kind: id === 'adc-stack' ? id : 'voltage-converter',
  isActuator: false,
  id,
  enabled,
  connection: { type: 'http', baseUrl },
  fault: undefined,
  timeoutMs: 2000,
  retryCount: 1,
});

const adcMap = (baseUrl: string, ids: readonly string[], device = 'adc-stack'): AdcMap => ({
  device,
  transport: 'http',
  baseUrl,
  channels: Object.fromEntries(
    ids.map((id) => [id, { endpoint: `/api/v1/adc/${id.slice(-1)}`, pin: 'any', unit: 'V' as const }]),
  ),
});

interface World {
  clock: SteppedClock;
  adc: TestSource;
  sensors: TestSource;
  made(ids: readonly string[], plugins?: readonly Plugin[]): VoltageDevice;
}

/** Two services: one for ADC channels, one for the sensor ADC. */
const onBoth = (work: (world: World) => Promise<void>) =>
  onSource((adc) =>
    onSource(async (sensors) => {
      const clock = new SteppedClock();
      const observed_at = new Date(clock.now()).toISOString();
      for (const n of [1, 2, 3])
        adc.answers.set(`/api/v1/adc/${n}`, { body: { ok: true, reading: { volts: n / 10, observed_at } } });
      for (const n of [1, 2, 3, 4])
        sensors.answers.set(`/api/v1/hardware/sensor/ai0${n}`, {
          body: { ok: true, sensor_id: `ai0${n}`, value: n, unit: 'V', observed_at, bench: true },
        });
      adc.answers.set('/health', { body: { ok: true, status: 'connected', message: 'both answered' } });
      sensors.answers.set('/health', { body: { ok: true, message: 'ready', bench: true } });
      const driven = (): never => {
        throw new TypeError('no plugin says i2c');
      };
      const made: World['made'] = (ids, plugins = [plugin('sensor-adc', sensors.url)]) =>
        configuredVoltages({ plugins, clock, adcMap: adcMap(adc.url, ids) }, driven);
      await work({ clock, adc, sensors, made });
    }),
  );

test('channels of adc_map come from the ADC service, all others from the sensor ADC; none stands in for another', () =>
  onBoth(async ({ made, adc }) => {
    const device = made(['ai01', 'ai03']);
    const volts = await Promise.all([0, 1, 2, 3].map(async (input) => (await device.port.read(input)).value));
    assert.equal(volts, [0.1, 2, 0.3, 4]);
    adc.answers.set('/api/v1/adc/2', {
      status: 503,
      body: { ok: false, code: 'device_timeout', error: 'no' },
    });
    const other = made(['ai02']);
    assert.is(await refusal(other.port.read(1)), 'device_timeout: sensor-adc: no');
    assert.is((await other.port.read(0)).value, 1);
  }));

test('the mark of a bench is that of each reading, and of the whole as soon as one of both is', () =>
  onBoth(async ({ made }) => {
    const device = made(['ai01']);
    assert.is((await device.port.read(0)).bench, false);
    assert.is(device.port.origin.bench, false);
    assert.is((await device.port.read(3)).bench, true);
    assert.is(device.port.origin.bench, true);
  }));

test('sensor-adc is well when each source in use is, and names the one that is not', () =>
  onBoth(async ({ made, adc, sensors }) => {
    const some = made(['ai01']);
    const all = made(['ai01', 'ai02', 'ai03']);
    const well = await some.component.check(probe());
    assert.equal([well.status, Object.keys(well.components ?? {})], ['ok', ['adc-stack', 'sensor-adc']]);
    sensors.answers.set('/health', { body: { ok: false, status: 'not_found', message: 'no chip' } });
    const partly = await some.component.check(probe());
    assert.equal([partly.status, partly.compatible, partly.message], ['error', false, 'no chip']);
    assert.is((await all.component.check(probe())).status, 'ok', 'ai01..ai03 do not need it');
    adc.answers.set('/health', {
      body: {
        ok: false,
        status: 'degraded',
        components: {
          'usb-adc-usbhid': { ok: true, status: 'connected', message: 'fine', bench: true },
          'usb-adc-uart': { ok: false, status: 'timeout', message: 'no answer within 2.5 s', bench: true },
        },
      },
    });
    const { status, message, bench, components } = await all.component.check(probe());
    assert.equal([status, bench], ['error', true]);
    assert.is(message, 'ai01, ai02, ai03 from adc-stack: usb-adc-uart timeout: no answer within 2.5 s');
    const { 'usb-adc-uart': uart } = components as Record<string, Json>;
    assert.is(uart?.status, 'timeout');
    assert.is(all.component.known().status, 'error');
  }));

test('a plugin sensor-adc that is disabled or not there leaves the channels of adc_map usable', () =>
  onBoth(async ({ made, sensors }) => {
    for (const plugins of [[], [plugin('sensor-adc', sensors.url, false)]]) {
      const device = made(['ai01'], plugins);
      assert.is((await device.component.check(probe())).status, 'ok');
      assert.is((await device.port.read(0)).value, 0.1);
      assert.match(await refusal(device.port.read(3)), /^device_unavailable: .*svc.yaml/);
    }
  }));

test('a plugin sensor-adc of another kind is a mistake of the file, which health and each reading tell', () =>
  onBoth(async ({ made }) => {
    const usb = {
      ...plugin('sensor-adc', ''),
      connection: { type: 'usb' as const, address: 'usb:1ffb:00c9', serial: null },
    };
    const device = made(['ai01'], [usb]);
    const { status, message } = await device.component.check(probe());
    assert.is(status, 'config_error');
    assert.match(message, 'it drives http, i2c');
    assert.match(await refusal(device.port.read(3)), /^device_unavailable: .*it drives http, i2c/);
    assert.is((await device.port.read(0)).value, 0.1);
  }));

test('the plugin adc-stack shows every device behind the service', () =>
  onBoth(async ({ adc, clock }) => {
    const stack = adcStackComponent({ plugins: [plugin('adc-stack', adc.url)], clock, token: undefined });
    assert.is((await stack.check(probe())).status, 'ok');
    const uart = { ok: false, status: 'not_found', message: 'nothing at /dev/serial0', bench: false };
    adc.answers.set('/health', { body: { ok: false, components: { 'usb-adc-uart': uart } } });
    const { status, message, components } = await stack.check(probe());
    assert.equal(
      [status, message, components],
      ['error', 'usb-adc-uart not_found: nothing at /dev/serial0', { 'usb-adc-uart': uart }],
    );
    const off = adcStackComponent({
      plugins: [plugin('adc-stack', adc.url, false)],
      clock,
      token: undefined,
    });
    assert.is((await off.check(probe())).status, 'disabled');
  }));

test.run();
