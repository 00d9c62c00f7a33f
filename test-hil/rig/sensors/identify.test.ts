import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { adcMap, get, httpPlugin, type Json, onSensorsRig, type Service, until } from './sensors-rig.ts';

const test = suite('health and identification of the hardware, on the built bridge');

const HEALTH = '/api/v1/hardware/health';
const IDENTIFY = '/api/v1/hardware/identify';
const PLUGINS = ['sensor-adc', 'pump-motor', 'lung-motor', 'modbus-io', 'adc-stack'];
/** The required 3 s, plus a margin for a loaded machine. */
const LIMIT_MS = 3000 + 2000;

async function timed(bridge: Service, path: string) {
  const startedAt = systemClock.monotonic();
  const answer = await get(bridge, path);
  return { ...answer, tookMs: systemClock.monotonic() - startedAt };
}

const componentsOf = (body: Json) => body.components as Record<string, Json>;
const adapterOf = (body: Json, id: string): Json =>
  (body.adapters as Json[]).find((one) => one.id === id) ?? {};
const sourceOf = (body: Json, id: string) => (adapterOf(body, id).probe as Json).source;

test('SVC-033 SVC-034 with everything silent the health comes within 3 s and has every configured plugin', () =>
  onSensorsRig(async (rig) => {
    const [sensors, stack] = await Promise.all([rig.sensors(), rig.stack()]);
    const plugins = [
      httpPlugin('sensor-adc', sensors.url),
      httpPlugin('adc-stack', stack.url),
      // No process listens there.
      httpPlugin('lung-motor', 'http://127.0.0.1:9'),
      'pump-motor: { enabled: false, connection_type: http, connection_params: { base_url: "http://127.0.0.1:9" } }\n',
    ];
    const bridge = await rig.bridge(plugins.join(''));
    await until(bridge, HEALTH, ({ body }) => body.modbus === 'ok');
    for (const program of [sensors, stack]) program.child.kill('SIGSTOP');
    await rig.turn('modbus-io', { silent: true });
    const { status, body, tookMs } = await timed(bridge, HEALTH);
    assert.is(status, 200);
    assert.ok(tookMs < LIMIT_MS, `took ${tookMs} ms`);
    assert.equal(Object.keys(componentsOf(body)).sort(), [...PLUGINS].sort());
    assert.equal([body.mode, body.ok, body.simulated], ['real', false, false]);
    assert.equal([body.modbus, body.motor], ['error: read_coils timed out', 'disabled']);
    assert.match(String(body.sensor_adc), /^error: .*no whole answer within \d+ ms$/);
    const entry = componentsOf(body)['modbus-io'] ?? {};
    assert.equal(
      [entry.status, entry.compatible, entry.code, entry.message],
      [
        'error',
        false,
        'modbus_no_response',
        'read_coils timed out; USB-serial adapter visible, RTU module did not answer',
      ],
    );
    for (const id of ['sensor-adc', 'adc-stack']) assert.is(componentsOf(body)[id]?.status, 'timeout', id);
    for (const program of [sensors, stack]) program.child.kill('SIGCONT');
  }));

test('SVC-033 a plugin with a bad entry stays visible; added keys never take the place of the rig’s own', () =>
  onSensorsRig(async (rig) => {
    const bridge = await rig.bridge(
      'sensor-adc: { connection_type: i2c, connection_params: { bus: 1, address: 200 } }\n',
      'compat: { health_keys: { adc: sensor_adc, io: modbus, ok: modbus, sensor_adc: modbus } }',
    );
    const { body } = await until(bridge, HEALTH, (answer) => answer.body.modbus === 'ok');
    assert.equal(
      [body.sensor_adc, body.adc, body.io, body.ok],
      ['config_error', 'config_error', 'ok', false],
    );
    const { status, message } = componentsOf(body)['sensor-adc'] ?? {};
    assert.is(status, 'config_error');
    assert.match(String(message), 'plugins.sensor-adc.connection_params.address');
  }));

test('SVC-035 the lists are filled from sysfs in each mode, and a skipped scan gives its reason', () =>
  onSensorsRig(async (rig) => {
    const sensors = await rig.sensors();
    const bridge = await rig.bridge(httpPlugin('sensor-adc', sensors.url));
    await until(bridge, HEALTH, ({ body }) => body.ok === true);
    const modes: [string, boolean, string | null][] = [
      ['', false, 'all adapters are compatible'],
      ['?scan=auto', false, 'all adapters are compatible'],
      ['?scan=never', false, 'scan=never'],
      ['?scan=always', true, null],
    ];
    for (const [query, performed, reason] of modes) {
      const { status, body } = await get(bridge, IDENTIFY + query);
      assert.is(status, 200);
      assert.equal([body.mode, body.detected, body.total, body.bench], ['real', 2, 2, true]);
      const told = body.diagnostics as Json;
      assert.equal([told.scan_performed, told.scan_skip_reason], [performed, reason], query);
      for (const list of ['usb_devices', 'serial_ports', 'i2c_buses'])
        assert.ok(Array.isArray(told[list]), `${query} ${list}`);
      assert.is((told.health as Json).mode, 'real');
      const { probe, ...rest } = adapterOf(body, 'sensor-adc');
      assert.equal(rest, {
        id: 'sensor-adc',
        name: 'ADS1115',
        protocol: 'i2c',
        description: 'sensor ADC',
        version: null,
        status: 'ok',
        bench: true,
      });
      const { connected, source } = probe as Json;
      assert.equal([connected, source], [true, performed ? 'scan' : 'plugin-health']);
      assert.is(sourceOf(body, 'modbus-io'), 'plugin-health', 'its plugin owns the port');
    }
    for (const query of ['?scan=maybe', '?scan=', '?scan=AUTO', '?scan=auto&scan=never']) {
      const { status, body } = await get(bridge, IDENTIFY + query);
      assert.equal([status, body.code], [422, 'invalid_parameter'], query);
    }
  }));

test('SVC-035 each way of not being there has its own status; the port of the silent module is not probed', () =>
  onSensorsRig(async (rig) => {
    const holder = await rig.sensors();
    const held = await rig.sensors();
    const bridge = await rig.bridge(
      httpPlugin('sensor-adc', held.url) + httpPlugin('lung-motor', 'http://127.0.0.1:9'),
    );
    await until(bridge, HEALTH, ({ body }) => body.modbus === 'ok');
    await rig.turn('modbus-io', { silent: true });
    const { body } = await get(bridge, `${IDENTIFY}?scan=auto`);
    assert.equal(
      ['sensor-adc', 'lung-motor', 'modbus-io'].map((id) => adapterOf(body, id).status),
      ['no-access', 'offline', 'adapter-only'],
    );
    assert.is(sourceOf(body, 'modbus-io'), 'plugin-health');
    assert.is((body.diagnostics as Json).scan_performed, true);
    assert.is(body.detected, 0);
    holder.child.kill('SIGTERM');
    await holder.ended;
    await until(bridge, IDENTIFY, (answer) => adapterOf(answer.body, 'sensor-adc').status === 'ok');
  }));

test('voltages only by adc_map have their entry too, and one mapped service that is gone is not ok', () =>
  onSensorsRig(async (rig) => {
    const stack = await rig.stack();
    const bridge = await rig.bridge('', adcMap(stack.url, { ai01: 'G1', ai02: 'AIN1', ai03: 'AIN2' }));
    const well = (await until(bridge, HEALTH, ({ body }) => body.ok === true)).body;
    assert.is(well.sensor_adc, 'ok');
    assert.equal(Object.keys(componentsOf(well)).sort(), ['modbus-io', 'sensor-adc']);
    stack.child.kill('SIGKILL');
    await stack.ended;
    const gone = (await get(bridge, HEALTH)).body;
    assert.is(gone.ok, false);
    assert.match(String(gone.sensor_adc), /^error: ai01, ai02, ai03 from adc-stack: .*connection refused/);
  }));

test('a sensor service that is started after the bridge is noticed without being asked for', () =>
  onSensorsRig(async (rig) => {
    const first = await rig.sensors();
    const { port } = new URL(first.url);
    first.child.kill('SIGTERM');
    await first.ended;
    const bridge = await rig.bridge(httpPlugin('sensor-adc', first.url));
    assert.equal((await get(bridge, '/health')).body.unavailable, ['sensor-adc']);
    await rig.sensors({}, ['--port', port]);
    // /health of the bridge and the scrape touch no device: they report what the bridge has seen on its own.
    await until(bridge, '/health', ({ body }) => body.healthy === true);
    const metrics = await (await fetch(`${bridge.url}/metrics`)).text();
    assert.match(metrics, 'svc_device_up{device="sensor-adc"} 1');
  }));

test.run();
