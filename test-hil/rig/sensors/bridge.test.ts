import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { WITHOUT_GUARD } from '../bench/bench-rig.ts';
import { adcMap, batch, get, httpPlugin, type Json, onSensorsRig, sensor, until } from './sensors-rig.ts';

const test = suite('voltages of the bridge, from the services that own the converters');

const HEALTH = '/api/v1/hardware/health';
const componentOf = (body: Json, id: string) => (body.components as Record<string, Json>)[id] ?? {};
const itemsOf = (body: Json) => body.sensors as Record<string, Json>;

test('SVC-009 what svc-sensors read on the twin passes the bridge unchanged, with the mark of the bench', () =>
  onSensorsRig(async (rig) => {
    await rig.turn('ads1115', { ain0_v: 0.635 });
    const sensors = await rig.sensors();
    const bridge = await rig.bridge(httpPlugin('sensor-adc', sensors.url));
    const { status, body } = await get(bridge, sensor('nc-sensor'));
    const { observed_at, age_ms, ...rest } = body;
    assert.is(status, 200);
    assert.equal(rest, {
      sensor_id: 'ai01',
      value: 0.635,
      unit: 'V',
      ok: true,
      simulated: false,
      bench: true,
      adapter: 'sensor-adc',
      physical_input: 'ADS1115.AIN0',
      raw: 5080,
      saturated: false,
      source: `${rig.i2cBus}#0x48`,
    });
    assert.ok(Number(age_ms) >= 0 && !Number.isNaN(Date.parse(String(observed_at))));
    const health = (await get(bridge, HEALTH)).body;
    const entry = componentOf(health, 'sensor-adc');
    assert.equal([health.sensor_adc, entry.status, entry.compatible, entry.bench], ['ok', 'ok', true, true]);
    assert.is(entry.endpoint, sensors.url);
  }));

test('SVC-009 a sensor service in mock mode behind a real bridge is refused, and health reports why', () =>
  onSensorsRig(async (rig) => {
    const sensors = await rig.sensors({ SVC_HARDWARE_MODE: 'mock' });
    const bridge = await rig.bridge(httpPlugin('sensor-adc', sensors.url));
    const { status, body } = await get(bridge, sensor('ai01'));
    assert.equal(
      [status, body.code, body.ok, body.value],
      [503, 'sensor_source_simulated', false, undefined],
    );
    assert.is((await get(bridge, batch('ai01,ai04'))).status, 503);
    const health = (await get(bridge, HEALTH)).body;
    const { status: standing, code, message } = componentOf(health, 'sensor-adc');
    assert.equal([health.ok, standing, code], [false, 'incompatible', 'sensor_source_simulated']);
    assert.match(String(message), 'is in mock mode');
    assert.match(String(health.sensor_adc), /^error: http:.* is in mock mode, its values are simulated$/);
  }));

test('SVC-042 svc-sensors killed during batches: the mapped channel goes on, the others fail and return', () =>
  onSensorsRig(async (rig) => {
    const sensors = await rig.sensors();
    const stack = await rig.stack();
    const plugins = httpPlugin('sensor-adc', sensors.url) + httpPlugin('adc-stack', stack.url);
    const bridge = await rig.bridge(plugins, adcMap(stack.url, { ai01: 'G1' }));
    await until(bridge, batch('ai01,ai04'), ({ body }) => body.complete === true);
    const killed = (async () => {
      sensors.child.kill('SIGKILL');
      await sensors.ended;
    })();
    let partly: Json = {};
    for (let i = 0; partly.complete !== false; i++) {
      const { status, body } = await get(bridge, batch('ai01,ai04'));
      assert.is(status, 200, `round ${i}: ${JSON.stringify(body)}`);
      partly = body;
    }
    await killed;
    assert.equal([partly.ok, partly.complete, partly.degraded], [true, false, true]);
    const { ai01, ai04 } = itemsOf(partly);
    assert.equal([ai01?.ok, ai01?.physical_input], [true, 'MCP2221A.G1']);
    const { error, ...rest } = ai04 ?? {};
    assert.equal(rest, { sensor_id: 'ai04', value: null, ok: false, code: 'device_unavailable' });
    assert.match(String(error), /connection (refused|reset)|socket hang up/);
    const none = await get(bridge, batch('ai02,ai04'));
    assert.equal([none.status, none.body.code], [503, 'device_unavailable']);
    const { port } = new URL(sensors.url);
    await rig.sensors({}, ['--port', port]);
    await until(bridge, batch('ai02,ai04'), ({ body }) => body.complete === true);
  }));

test('a converter that another service holds: the bridge answers 409 and reports the holder, health says held', () =>
  onSensorsRig(async (rig) => {
    const holder = await rig.sensors();
    const second = await rig.sensors();
    const bridge = await rig.bridge(httpPlugin('sensor-adc', second.url));
    const { status, body } = await get(bridge, sensor('ai01'));
    assert.equal([status, body.code], [409, 'held_by_other']);
    assert.match(String(body.error), `is held by svc-sensors (pid ${holder.pid}, port `);
    const health = (await get(bridge, HEALTH)).body;
    const entry = componentOf(health, 'sensor-adc');
    assert.equal([health.sensor_adc, entry.status], ['held', 'held']);
    assert.is((entry.holder as Json).pid, holder.pid);
  }));

test('SVC-017 an ADC service that stops in the middle gives no old voltage: 504, reported again for 3 s, then a new one', () =>
  onSensorsRig(async (rig) => {
    await rig.turn('usbhid', { g1_v: 1 });
    const stack = await rig.stack();
    const bridge = await rig.bridge('', adcMap(stack.url, { ai01: 'G1' }));
    await until(bridge, sensor('ai01'), ({ status }) => status === 200);
    stack.child.kill('SIGSTOP');
    const silent = await until(bridge, sensor('ai01'), ({ status }) => status !== 200);
    assert.equal([silent.status, silent.body.code, silent.body.value], [504, 'device_timeout', undefined]);
    stack.child.kill('SIGCONT');
    await rig.turn('usbhid', { g1_v: 2 });
    const again = await get(bridge, sensor('ai01'));
    if (again.status !== 200) assert.match(String(again.body.error), 'it is asked again in');
    const { body } = await until(bridge, sensor('ai01'), ({ status }) => status === 200);
    assert.ok(Number(body.value) > 1.5, `the new voltage, not the old one: ${body.value}`);
  }));

test('SVC-023 SVC-024 a refused bank sample is an error of the channel; a changed source stays unconfirmed', () =>
  onSensorsRig(async (rig) => {
    // The first start on board is the baseline.
    const before = await rig.stack();
    before.child.kill('SIGTERM');
    await before.ended;
    const bank = String((await devicesOf(rig)).find(({ device }) => device === 'bank')?.address);
    const stack = await rig.stack({ BANK_ADC_URL: bank, BANK_ADC_CHANNEL_MAP: '{"ai02":0}' });
    const bridge = await rig.bridge(
      httpPlugin('adc-stack', stack.url),
      adcMap(stack.url, { ai01: 'G1', ai02: 'AIN1' }),
    );
    const { body } = await until(bridge, sensor('ai02'), ({ status }) => status === 200);
    assert.equal([body.adapter, body.calibration_confirmed, body.bench], ['bank', false, true]);
    assert.is((await get(bridge, sensor('ai01'))).body.calibration_confirmed, undefined);
    await rig.turn('bank', { age_ms: 1001 });
    const old = await until(bridge, sensor('ai02'), ({ status }) => status !== 200);
    assert.equal([old.status, old.body.code], [503, 'bank_sample_stale']);
    const part = await get(bridge, batch('ai01,ai02'));
    assert.equal([part.status, part.body.degraded], [200, true]);
    assert.is(itemsOf(part.body).ai02?.value, null);
  }));

test('LANG-065 a value whose input the module does not show is marked through stack and bridge, and judges nothing', () =>
  onSensorsRig(async (rig) => {
    await rig.turn('usbhid', { g1_v: 1 });
    await rig.turn('uart', { select_readback: 'silent', text_form: false, ain1_v: 1 });
    const stack = await rig.stack();
    const bridge = await rig.bridge('', adcMap(stack.url, { ai01: 'G1', ai02: 'AIN1' }));
    const { body } = await until(bridge, sensor('ai02'), ({ status }) => status === 200);
    assert.equal([body.value, body.verified], [1, false]);
    const { ai01, ai02 } = itemsOf((await get(bridge, batch('ai01,ai02'))).body);
    assert.equal([ai01?.verified, ai02?.verified], [undefined, false]);
    const check = async (name: string) => {
      const args = ['cmd', `CHECK ${name} <= 3 V`, WITHOUT_GUARD, '--firmware-url', bridge.url];
      const { code, stdout, stderr } = await rig.launch('svcctl', args).ended;
      return { code, text: stdout + stderr };
    };
    const good = await check('AI01');
    assert.is(good.code, 0, good.text);
    const refused = await check('AI02');
    assert.is.not(refused.code, 0);
    assert.match(refused.text, 'SCN402');
    assert.match(refused.text, /AI02.*verified: false.*docs\/adc\.md/);
  }));

test('the plugin adc-stack shows each device behind the service; gone, it is an error', () =>
  onSensorsRig(async (rig) => {
    const stack = await rig.stack();
    const bridge = await rig.bridge(httpPlugin('adc-stack', stack.url));
    const well = await until(bridge, HEALTH, ({ body }) => componentOf(body, 'adc-stack').status === 'ok');
    const devices = componentOf(well.body, 'adc-stack').components as Record<string, Json>;
    assert.equal(Object.keys(devices).sort(), ['usb-adc-uart', 'usb-adc-usbhid']);
    await rig.turn('uart', { silent: true });
    const entry = componentOf((await get(bridge, HEALTH)).body, 'adc-stack');
    assert.ok(['error', 'timeout'].includes(String(entry.status)), String(entry.status));
    // On a slow machine the bridge's own limit comes first.
    assert.match(String(entry.message), /^usb-adc-uart timeout: |within 2500 ms/);
    stack.child.kill('SIGKILL');
    await stack.ended;
    const gone = componentOf((await get(bridge, HEALTH)).body, 'adc-stack');
    assert.equal([gone.status, gone.code], ['error', 'device_unavailable']);
  }));

test('SVC-003 the token goes to the sensor service; a wrong one is an error of the rig, not the caller’s 401', () =>
  onSensorsRig(async (rig) => {
    const token = 'the-token-of-this-rig';
    const sensors = await rig.sensors({ SVC_API_TOKEN: token });
    const knowing = await rig.bridge(httpPlugin('sensor-adc', sensors.url), '', { SVC_API_TOKEN: token });
    const headers = { authorization: `Bearer ${token}` };
    assert.is((await get(knowing, sensor('ai01'), headers)).status, 200);
    const { child, ended } = knowing;
    child.kill('SIGTERM');
    await ended;
    const ignorant = await rig.bridge(httpPlugin('sensor-adc', sensors.url));
    const { status, body } = await get(ignorant, sensor('ai01'));
    assert.equal([status, body.code], [503, 'device_error']);
    assert.match(String(body.error), '(unauthorized of ');
  }));

async function devicesOf(rig: { benchUrl: string }): Promise<Json[]> {
  const answer = (await (await fetch(`${rig.benchUrl}/bench/v1/devices`)).json()) as { devices: Json[] };
  return answer.devices;
}

test.run();
